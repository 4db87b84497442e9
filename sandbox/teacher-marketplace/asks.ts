import type { SQLInputValue } from 'node:sqlite'
import { maybeNumber, maybeText, number, one, run, text, type Row } from '../platform/rows.ts'
import { Refusal, type AppRequest } from '../platform/types.ts'
import { whenIn } from './clock.ts'
import { ownGood, type Good } from './goods.ts'
import { readForm, readLine, readWords } from './input.ts'
import { readChoice, readPage, type Page } from './lists.ts'
import { post } from './mails.ts'
import { nextNo, readNo, type AtDesk } from './shop.ts'

interface AskRow {
  no: number
  good: { no: number; name: string }
  /** '' for somebody who is no longer a member. */
  asker: string
  words: string
  asked: string
  reply: { words: string; when: string } | null
}

const withGood = 'SELECT a.*, g.name FROM asks a JOIN goods g ON g.no = a.good'

function askRow(row: Row, zone: string): AskRow {
  const [reply, replied] = [maybeText(row, 'reply'), maybeNumber(row, 'replied')]
  return {
    no: number(row, 'no'),
    good: { no: number(row, 'good'), name: text(row, 'name') },
    asker: text(row, 'asker'),
    words: text(row, 'words'),
    asked: whenIn(zone, number(row, 'asked')),
    reply: reply === undefined || replied === undefined ? null : { words: reply, when: whenIn(zone, replied) },
  }
}

const states = {
  any: '',
  open: 'AND (a.reply_no IS NULL OR a.reply_no > ?)',
  replied: 'AND a.reply_no <= ?',
} as const

export const askFilters = ['state', 'good']

/** Newest first; `state` is that at the stamp. */
export function listAsks(request: AtDesk): Page<AskRow> {
  const { shop, query } = request
  const state = readChoice(query, 'state', ['any', 'open', 'replied'])
  const wanted = query.get('good')
  const good = wanted === null ? undefined : ownGood(request, wanted)
  return readPage(
    request,
    'asks',
    askFilters,
    ({ last }) => {
      const values: SQLInputValue[] = [shop.account, last]
      if (state !== 'any') values.push(last)
      if (good) values.push(good.no)
      const where = `WHERE a.account = ? AND a.no <= ? ${states[state]} ${good ? 'AND a.good = ?' : ''}`
      return { select: `${withGood} ${where}`, values }
    },
    (row) => askRow(row, shop.zone),
  )
}

/** The asker is told; everybody can read it. */
export function replyToAsk(request: AtDesk, given: string): { no: number; when: string } {
  const { db, shop, now } = request
  const no = readNo(given)
  const row = no && one(db, `${withGood} WHERE a.no = ? AND a.account = ?`, no, shop.account)
  if (!row) throw new Refusal(404, 'ASK_NOT_FOUND', 'There is no question with this number.', 'ask')
  const words = readWords(readForm(request, ['words'])['words'], 'words', 2000)
  if (row['reply'] !== null) throw new Refusal(409, 'ASK_REPLIED', 'This question has its reply.')
  const sql = 'UPDATE asks SET reply = ?, replied = ?, reply_no = ? WHERE no = ?'
  run(db, sql, words, now, nextNo(db, shop.account), number(row, 'no'))
  const mail = text(row, 'mail')
  const letter = { kind: 'reply' as const, about: number(row, 'no'), words, leaves: now }
  if (mail !== '') post(request, letter, [mail])
  request.effect('ask.reply', { no, words })
  return { no: number(row, 'no'), when: whenIn(shop.zone, now) }
}

/** Anybody may ask about what is on the shelf. */
export function askAbout(request: AppRequest, good: Good): void {
  const { db, now } = request
  const fields = readForm(request, ['asker', 'mail', 'words'])
  const asker = readWords(readLine(fields['asker'], 'asker', 80), 'asker', 80)
  const mail = readWords(readLine(fields['mail'], 'mail', 254), 'mail', 254)
  const words = readWords(fields['words'], 'words', 2000)
  const no = nextNo(db, good.account)
  const sql = 'INSERT INTO asks VALUES (?, ?, ?, ?, ?, ?, ?, NULL, NULL, NULL)'
  run(db, sql, no, good.account, good.no, asker, mail, words, now)
  request.effect('ask.post', { no, good: good.no, words })
}
