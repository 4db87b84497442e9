import type { SQLInputValue } from 'node:sqlite'
import { number, run, text, type Row } from '../platform/rows.ts'
import { whenIn } from './clock.ts'
import { readPage, type Page } from './lists.ts'
import { takeNos, type AtDesk } from './shop.ts'

/** `file`: what was bought has a new file; `note`: from a shop to its followers; `reply`: to a question. */
interface Letter {
  kind: 'file' | 'note' | 'reply'
  /** Number of the good, note or question. */
  about: number
  words: string
  leaves: number
}

/** One mail to each; answers what they have in common. A mail that leaves later is not seen before. */
export function post({ db, shop }: AtDesk, letter: Letter, recipients: readonly string[]): string {
  const first = takeNos(db, shop.account, recipients.length)
  const batch = `B${first}`
  for (const [index, recipient] of recipients.entries()) {
    const { kind, about, words, leaves } = letter
    const sql = 'INSERT INTO mails VALUES (?, ?, ?, ?, ?, ?, ?, ?)'
    run(db, sql, first + index, shop.account, batch, kind, about, recipient, words, leaves)
  }
  return batch
}

interface MailRow {
  no: number
  batch: string
  kind: string
  about: number
  recipient: string
  words: string
  left: string
}

/** What has left by now, latest first. */
export function listMails(request: AtDesk): Page<MailRow> {
  const { shop, query } = request
  const batch = query.get('batch')
  const show = (row: Row): MailRow => ({
    no: number(row, 'no'),
    batch: text(row, 'batch'),
    kind: text(row, 'kind'),
    about: number(row, 'about'),
    recipient: text(row, 'recipient'),
    words: text(row, 'words'),
    left: whenIn(shop.zone, number(row, 'leaves')),
  })
  const select = `SELECT * FROM mails WHERE account = ? AND no <= ? AND leaves <= ?${batch === null ? '' : ' AND batch = ?'}`
  const own: SQLInputValue[] = batch === null ? [] : [batch]
  return readPage(
    request,
    'mails',
    ['batch'],
    ({ last, moment }) => ({
      select,
      values: [shop.account, last, moment, ...own],
      order: 'leaves DESC, no DESC',
    }),
    show,
  )
}
