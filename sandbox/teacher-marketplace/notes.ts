import { all, number, run, text, type Row } from '../platform/rows.ts'
import { Refusal } from '../platform/types.ts'
import { addDays, nineOClock, whenIn } from './clock.ts'
import { invalid, readDayField, readForm, readWords } from './input.ts'
import { readPage, type Page } from './lists.ts'
import { post } from './mails.ts'
import { nextNo, today, type AtDesk } from './shop.ts'

interface NoteRow {
  no: number
  words: string
  stage: 'planned' | 'sent'
  leaves: string
  /** How many followers it goes to. */
  reached: number
}

/** Newest first. */
export function listNotes(request: AtDesk): Page<NoteRow> {
  const { shop, now } = request
  const show = (row: Row): NoteRow => ({
    no: number(row, 'no'),
    words: text(row, 'words'),
    stage: number(row, 'leaves') > now ? 'planned' : 'sent',
    leaves: whenIn(shop.zone, number(row, 'leaves')),
    reached: number(row, 'reached'),
  })
  const select = 'SELECT * FROM notes WHERE account = ? AND no <= ?'
  return readPage(request, 'notes', [], ({ last }) => ({ select, values: [shop.account, last] }), show)
}

/** At once, or at nine in the morning of a later day. */
function leavingTime(request: AtDesk, given: string): number {
  if (given === '') return request.now
  const [day, first] = [readDayField(given, 'day'), today(request)]
  if (day < first) throw invalid('DAY_PAST', 'This day is over.', 'day')
  if (day > addDays(first, 365)) throw invalid('DAY_TOO_FAR', 'Plan a year ahead at most.', 'day')
  return day === first ? request.now : nineOClock(day, request.shop.zone)
}

/** To all who follow the shop now. */
export function sendNote(request: AtDesk): NoteRow & { batch: string } {
  const { db, shop, now } = request
  const fields = readForm(request, ['words', 'day'])
  const words = readWords(fields['words'], 'words', 2000)
  const leaves = leavingTime(request, fields['day'] ?? '')
  const sql = 'SELECT mail FROM followers WHERE account = ? ORDER BY mail'
  const followers = all(db, sql, shop.account).map((row) => text(row, 'mail'))
  if (followers.length === 0) throw new Refusal(409, 'NO_FOLLOWERS', 'Nobody follows your shop.')
  const no = nextNo(db, shop.account)
  const reached = followers.length
  run(db, 'INSERT INTO notes VALUES (?, ?, ?, ?, ?, ?)', no, shop.account, words, now, leaves, reached)
  const batch = post(request, { kind: 'note', about: no, words, leaves }, followers)
  request.effect('note.send', { no, words, day: fields['day'] ?? '', reached, batch })
  const stage = leaves > now ? 'planned' : 'sent'
  return { no, words, stage, leaves: whenIn(shop.zone, leaves), reached, batch }
}
