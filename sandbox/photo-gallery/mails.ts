import type { DatabaseSync } from 'node:sqlite'
import { all, count, number, text } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { idOf, type Bill, type Gallery, type Mail, type Person } from './entities.ts'
import { invalid, readMail, readWords } from './input.ts'
import { amount } from './money.ts'
import { dashed } from './clock.ts'
import type { Wish } from './parameters.ts'
import { nextSerial } from './studio.ts'

/** Newest first. `batch` '' for all: what one share or send made. */
export function listMails(
  db: DatabaseSync,
  account: string,
  batch: string,
  { size, below }: Wish,
): { rows: Mail[]; matching: number } {
  const where = "mails WHERE account = ? AND (?2 = '' OR batch = ?2)"
  const sql = `SELECT * FROM ${where} AND serial < ?3 ORDER BY serial DESC LIMIT ?4`
  const rows = all(db, sql, account, batch, below, size + 1).map((row) => ({
    serial: number(row, 'serial'),
    batch: text(row, 'batch'),
    kind: text(row, 'kind') === 'bill' ? ('bill' as const) : ('invite' as const),
    recipient: text(row, 'recipient'),
    subject: text(row, 'subject'),
    words: text(row, 'words'),
    about: text(row, 'about'),
    sent: number(row, 'sent'),
  }))
  return { rows, matching: count(db, where, account, batch) }
}

export function insertMails(db: DatabaseSync, account: string, mails: readonly Mail[]): void {
  const insert = db.prepare('INSERT INTO mails VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)')
  for (const { serial, batch, kind, recipient, subject, words, about, sent } of mails) {
    insert.run(serial, account, batch, kind, recipient, subject, words, about, sent)
  }
}

/** What all mails of one sending have in common, and the text of each. */
type Letter = Pick<Mail, 'kind' | 'subject' | 'words' | 'about'>

export const inviteLetter = (gallery: Gallery, studio: string, base: string, note: string): Letter => ({
  kind: 'invite',
  subject: `${studio}: your photos “${gallery.title}”`,
  words: `${note === '' ? '' : `${note}\n\n`}${base}/g/${gallery.key}`,
  about: `galleries ${gallery.serial}`,
})

export const billLetter = (bill: Bill, payer: Person, studio: string, base: string): Letter => ({
  kind: 'bill',
  subject: `${studio}: bill ${bill.number}`,
  words: `${payer.fullName}, please pay ${amount(bill.cents)} ${bill.money} by ${dashed(bill.dueDay)}: ${base}/pay/${bill.key}`,
  about: `bills ${bill.serial}`,
})

/** One mail to each; answers the batch's id, which is that of its first mail. */
export function post(request: SignedIn, letter: Letter, recipients: readonly string[]): string {
  const { db, viewer, now } = request
  const { account } = viewer.account
  const first = nextSerial(db, 'mails', account)
  const batch = `bat_${first.toString(36)}`
  const mails = recipients.map((recipient, index) => ({
    ...letter,
    serial: first + index,
    batch,
    recipient,
    sent: now * 1000,
  }))
  insertMails(db, account, mails)
  return batch
}

/** Addresses as a form gives them: the field repeated, or several with commas, semicolons or line ends. */
function recipients(form: URLSearchParams): string[] {
  const given = form
    .getAll('to')
    .flatMap((text) => text.split(/[,;\n]/))
    .map((text) => text.trim())
    .filter((text) => text !== '')
  if (given.length === 0) throw invalid('FIELD_REQUIRED', 'Give at least one address.', 'to')
  if (given.length > 50) throw invalid('TOO_MANY_ADDRESSES', 'Invite 50 addresses at most at a time.', 'to')
  const mails = given.map((text) => readMail(text, 'to'))
  if (new Set(mails.map((mail) => mail.toLowerCase())).size < mails.length) {
    throw invalid('ADDRESS_TWICE', 'An address is given twice.', 'to')
  }
  return mails
}

/** Invites guests to a gallery, each by a mail of their own. */
export function share(request: SignedIn, gallery: Gallery): { batch: string; to: string[] } {
  const { form, viewer, base } = request
  for (const name of form.keys()) {
    if (!['proof', 'to', 'note'].includes(name)) throw new Refusal(422, 'FIELD_UNKNOWN', `There is no ${name}.`, name)
  }
  const to = recipients(form)
  const note = readWords(form.get('note'), 'note', 2000)
  const batch = post(request, inviteLetter(gallery, viewer.account.label, base, note), to)
  request.effect('gallery.share', { gallery: idOf('galleries', gallery.serial), batch, to, note })
  return { batch, to }
}
