import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { all, maybeText, number, one, run, text, type Row } from '../platform/rows.ts'
import { Refusal } from '../platform/types.ts'
import { usDay } from './clock.ts'
import { costNow } from './costs.ts'
import { readChoice, readPage, type Page } from './lists.ts'
import { dollars } from './money.ts'
import { readNo, today, type AtDesk } from './shop.ts'

export const sorts = ['download', 'bundle', 'video', 'cloud'] as const
export const shelves = ['hidden', 'live'] as const

/** What a seller sets and changes. */
export interface Terms {
  name: string
  about: string
  cost: number
  moreCost: number
  levels: string[]
  topics: string[]
  labels: string[]
}

export interface Good extends Terms {
  no: number
  account: string
  sort: string
  shelf: string
  drawer: string
  madeAs: string[]
  listed: string
  /** Bundles have none. */
  part: { file: string; kb: number; revision: number; day: string } | undefined
}

/** With the shelf on which each was when a number was the last. */
const withShelf = `SELECT g.*, (SELECT shelf FROM shelf_log l WHERE l.good = g.no AND l.no <= ? ORDER BY l.no DESC LIMIT 1)
  AS shelf FROM goods g`

function texts(row: Row, name: string): string[] {
  const list: unknown = JSON.parse(text(row, name))
  return Array.isArray(list) ? list.map(String) : []
}

function toGood(row: Row): Good {
  const file = maybeText(row, 'file')
  return {
    no: number(row, 'no'),
    account: text(row, 'account'),
    sort: text(row, 'sort'),
    shelf: text(row, 'shelf'),
    name: text(row, 'name'),
    about: text(row, 'about'),
    cost: number(row, 'cost'),
    moreCost: number(row, 'more_cost'),
    levels: texts(row, 'levels'),
    topics: texts(row, 'topics'),
    labels: texts(row, 'labels'),
    drawer: text(row, 'drawer'),
    madeAs: texts(row, 'made_as'),
    listed: text(row, 'listed'),
    part:
      file === undefined
        ? undefined
        : { file, kb: number(row, 'kb'), revision: number(row, 'revision'), day: text(row, 'file_day') },
  }
}

export function findGood(db: DatabaseSync, given: string): Good | undefined {
  const no = readNo(given)
  const row = no && one(db, `${withShelf} WHERE g.no = ?`, Number.MAX_SAFE_INTEGER, no)
  return row ? toGood(row) : undefined
}

export const noSuchGood = (): Refusal =>
  new Refusal(404, 'GOOD_NOT_FOUND', 'There is no good with this number.', 'good')

/** A good of this shop; another one does not exist. */
export function ownGood({ db, shop }: AtDesk, given: string): Good {
  const good = findGood(db, given)
  if (good?.account !== shop.account) throw noSuchGood()
  return good
}

interface GoodRow {
  no: number
  name: string
  sort: string
  cost: string
  shelf: string
  drawer: string
}

const goodRow = ({ no, name, sort, cost, shelf, drawer }: Good): GoodRow => ({
  no,
  name,
  sort,
  cost: dollars(cost),
  shelf,
  drawer,
})

export function goodFull(request: AtDesk, good: Good): unknown {
  const { part, about, moreCost, madeAs, labels, listed } = good
  return {
    ...goodRow(good),
    cost_now: dollars(costNow(request.db, good, today(request))),
    more_cost: dollars(moreCost),
    about,
    levels: good.levels,
    topics: good.topics,
    labels,
    made_as: madeAs,
    listed: usDay(listed),
    parts: part ? [{ file: part.file, kb: part.kb, revision: part.revision, since: usDay(part.day) }] : [],
  }
}

export const goodFilters = ['shelf', 'sort', 'drawer']

/** Newest first. No drawer: all; the empty one: those that are in none. */
export function listGoods(request: AtDesk): Page<GoodRow> {
  const { query, shop } = request
  const wanted: [string, string | null][] = [
    ['shelf', readChoice(query, 'shelf', ['any', ...shelves])],
    ['sort', readChoice(query, 'sort', ['any', ...sorts])],
    ['drawer', query.get('drawer')],
  ]
  const filters = wanted.filter(([name, value]) => value !== null && (value !== 'any' || name === 'drawer'))
  return readPage(
    request,
    'goods',
    goodFilters,
    ({ last }) => {
      const where = ['account = ?', 'no <= ?', ...filters.map(([name]) => `${name} = ?`)].join(' AND ')
      const values: SQLInputValue[] = [last, shop.account, last, ...filters.map(([, value]) => value)]
      return { select: `SELECT * FROM (${withShelf}) WHERE ${where}`, values }
    },
    (row) => goodRow(toGood(row)),
  )
}

export const drawersOf = ({ db, shop }: AtDesk): string[] =>
  all(db, "SELECT DISTINCT drawer FROM goods WHERE account = ? AND drawer <> '' ORDER BY drawer", shop.account).map(
    (row) => text(row, 'drawer'),
  )

export function putOnShelf(db: DatabaseSync, no: number, good: number, shelf: string): void {
  run(db, 'INSERT INTO shelf_log VALUES (?, ?, ?)', no, good, shelf)
}

export function insertGood(db: DatabaseSync, good: Good): void {
  const { no, account, sort, name, about, cost, moreCost, drawer, listed, part } = good
  const lists = [good.levels, good.topics, good.labels, good.madeAs].map((list) => JSON.stringify(list))
  const file = [part?.file ?? null, part?.kb ?? 0, part?.revision ?? 0, part?.day ?? listed]
  const sql = 'INSERT INTO goods VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'
  run(db, sql, no, account, sort, name, about, cost, moreCost, ...lists, drawer, listed, ...file)
}
