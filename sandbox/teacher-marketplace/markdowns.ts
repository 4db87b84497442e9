import type { DatabaseSync } from 'node:sqlite'
import { maybeText, number, one, run, text, type Row } from '../platform/rows.ts'
import { Refusal } from '../platform/types.ts'
import { addDays, usDay } from './clock.ts'
import { ownGood } from './goods.ts'
import { invalid, readDayField, readForm, readOption } from './input.ts'
import { readPage, type Page } from './lists.ts'
import { nextNo, today, type AtDesk } from './shop.ts'

interface MarkdownRow {
  no: number
  percent: number
  first: string
  last: string
  /** null: all of the shop, new goods too. */
  goods: number[] | null
  stage: 'planned' | 'running' | 'over'
}

function toNumbers(list: string): number[] {
  const numbers: unknown = JSON.parse(list)
  return Array.isArray(numbers) ? numbers.map(Number) : []
}

function markdownRow(row: Row, day: string): MarkdownRow {
  const [first, last, goods] = [text(row, 'first'), text(row, 'last'), maybeText(row, 'goods')]
  return {
    no: number(row, 'no'),
    percent: number(row, 'percent'),
    first: usDay(first),
    last: usDay(last),
    goods: goods === undefined ? null : toNumbers(goods),
    stage: day < first ? 'planned' : day > last ? 'over' : 'running',
  }
}

/** Newest first. */
export function listMarkdowns(request: AtDesk): Page<MarkdownRow> {
  const day = today(request)
  const select = 'SELECT * FROM markdowns WHERE account = ? AND no <= ?'
  return readPage(
    request,
    'markdowns',
    [],
    ({ last }) => ({ select, values: [request.shop.account, last] }),
    (row) => markdownRow(row, day),
  )
}

/** The goods of a form, in order and each once; null for all of the shop, which has to be said. */
function readGoods(request: AtDesk, over: string | undefined): number[] | null {
  const given = request.form.getAll('good')
  if (readOption(over, 'over', ['chosen', 'whole']) === 'whole') {
    if (given.length > 0) throw invalid('GOODS_NOT_WANTED', 'A markdown of the whole shop names no goods.', 'good')
    return null
  }
  if (given.length === 0) throw invalid('FIELD_REQUIRED', 'Choose at least one good.', 'good')
  if (given.length > 200) throw invalid('LIST_TOO_LONG', 'Choose 200 goods at most.', 'good')
  const goods = given.map((no) => ownGood(request, no).no)
  if (new Set(goods).size < goods.length) throw invalid('LIST_REPEATS', 'A good is chosen twice.', 'good')
  return goods
}

function readPercent(given: string): number {
  const percent = Number(given)
  if (!/^\d{1,2}$/.test(given) || percent < 5 || percent > 50) {
    throw invalid('PERCENT_INVALID', 'percent must be a whole number from 5 to 50.', 'percent')
  }
  return percent
}

function readDays(request: AtDesk, fields: Record<string, string>): { first: string; last: string } {
  const [first, last] = [readDayField(fields['first'], 'first'), readDayField(fields['last'], 'last')]
  if (last < first) throw invalid('SPAN_BACKWARDS', 'last is before first.', 'last')
  const day = today(request)
  if (first < day) throw invalid('DAY_PAST', 'A markdown cannot begin in the past.', 'first')
  if (last > addDays(first, 27)) throw invalid('SPAN_TOO_LONG', 'A markdown may take 28 days at most.', 'last')
  if (first > addDays(day, 365)) throw invalid('DAY_TOO_FAR', 'Plan a year ahead at most.', 'first')
  return { first, last }
}

/** No good may be marked down twice on a day. */
export function planMarkdown(request: AtDesk): MarkdownRow {
  const { db, shop } = request
  const fields = readForm(request, ['percent', 'first', 'last', 'over'], ['good'])
  const percent = readPercent(fields['percent'] ?? '20')
  const { first, last } = readDays(request, fields)
  const goods = readGoods(request, fields['over'])
  const list = goods && JSON.stringify(goods)
  const sql = `SELECT 1 AS found FROM markdowns m WHERE account = ?1 AND first <= ?3 AND last >= ?2 AND (goods IS NULL
    OR ?4 IS NULL OR EXISTS (SELECT 1 FROM json_each(m.goods) a JOIN json_each(?4) b ON a.value = b.value))`
  if (one(db, sql, shop.account, first, last, list)) {
    throw new Refusal(
      409,
      'MARKDOWN_OVERLAPS',
      'Another markdown has some of these goods on some of these days.',
      'first',
    )
  }
  const no = nextNo(db, shop.account)
  insertMarkdown(db, shop.account, { no, percent, first, last, goods })
  request.effect('markdown.plan', { no, percent, first, last, goods })
  return { no, percent, first, last, goods, stage: first > today(request) ? 'planned' : 'running' }
}

/** Days `YYYY-MM-DD`. */
export function insertMarkdown(db: DatabaseSync, account: string, markdown: Omit<MarkdownRow, 'stage'>): void {
  const { no, percent, first, last, goods } = markdown
  run(
    db,
    'INSERT INTO markdowns VALUES (?, ?, ?, ?, ?, ?)',
    no,
    account,
    percent,
    first,
    last,
    goods && JSON.stringify(goods),
  )
}
