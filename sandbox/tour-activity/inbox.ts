import type { DatabaseSync } from 'node:sqlite'
import { all, maybeText, number, run, text, type Row } from '../platform/rows.ts'
import { Refusal, type AppRequest, type SignedIn } from '../platform/types.ts'
import { bookingId, type Booking } from './bookings.ts'
import { formFields, invalid, readText, type Fields } from './input.ts'
import { nextSerial } from './provider.ts'
import { tourId } from './tours.ts'

/** Whom the provider writes with about a booking: the traveller, or the booking department. */
const sides = ['CLIENT', 'OFFICE'] as const
type Side = (typeof sides)[number]

const office = 'reservas@caminera.example'
const patience = 30 * 86_400

/** A message; without `recipient` the other side wrote it. */
export interface Note {
  serial: number
  account: string
  booking: number
  side: Side
  words: string
  at: number
  recipient: string | null
  seen: boolean
}

export interface Thread extends Note {
  tour: number
  tourTitle: string
  zone: string
  fresh: boolean
}

const toNote = (row: Row): Note => ({
  serial: number(row, 'serial'),
  account: text(row, 'account'),
  booking: number(row, 'booking'),
  side: text(row, 'side') === 'CLIENT' ? 'CLIENT' : 'OFFICE',
  words: text(row, 'words'),
  at: number(row, 'at'),
  recipient: maybeText(row, 'recipient') ?? null,
  seen: number(row, 'seen') === 1,
})

/** Each with its last message, latest first. */
export function listThreads(
  db: DatabaseSync,
  account: string,
  { booking, fresh }: { booking: Booking | undefined; fresh: boolean },
): Thread[] {
  const sql = `WITH threads AS (SELECT max(serial) AS last, sum(seen = 0) AS unseen FROM notes
      WHERE account = ?1 AND (?2 = 0 OR booking = ?2) GROUP BY booking, side)
    SELECT n.*, t.serial AS tour, t.title, t.zone, unseen FROM threads JOIN notes n ON n.serial = last
    JOIN bookings b ON b.serial = n.booking JOIN tours t ON t.serial = b.tour WHERE ?3 = 0 OR unseen > 0
    ORDER BY n.at DESC, n.serial DESC`
  return all(db, sql, account, booking?.serial ?? 0, fresh ? 1 : 0).map((row) => ({
    ...toNote(row),
    tour: number(row, 'tour'),
    tourTitle: text(row, 'title'),
    zone: text(row, 'zone'),
    fresh: number(row, 'unseen') > 0,
  }))
}

/** Everything said about a booking, or all that the provider sent, earliest first. */
export const notesAbout = (db: DatabaseSync, booking: Booking): Note[] =>
  all(db, 'SELECT * FROM notes WHERE booking = ? ORDER BY serial', booking.serial).map(toNote)

export const sentNotes = (db: DatabaseSync, account: string): Note[] =>
  all(
    db,
    'SELECT * FROM notes WHERE account = ? AND recipient IS NOT NULL ORDER BY serial DESC LIMIT 200',
    account,
  ).map(toNote)

export function insertNotes(db: DatabaseSync, notes: readonly Note[]): void {
  const insert = db.prepare('INSERT INTO notes VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
  for (const { serial, account, booking, side, words, at, recipient, seen } of notes) {
    insert.run(serial, account, booking, side, words, at, recipient, seen ? 1 : 0)
  }
}

/** To the traveller or to the booking department; what they wrote before counts as read. */
export function send(request: SignedIn, booking: Booking, fields: Fields): Note {
  const { db, now } = request
  const side = sides.find((one) => one === fields['side'])
  if (!side) throw invalid('SIDE_INVALID', `side must be ${sides.join(' or ')}.`, 'side')
  const words = readText(fields['words'], 'words', 2000)
  if (side === 'CLIENT' && booking.start + patience < now) {
    throw new Refusal(409, 'THREAD_OVER', 'This trip was more than 30 days ago: write to the office.', 'side')
  }
  const note: Note = {
    serial: nextSerial(db, 'notes', booking.account),
    account: booking.account,
    booking: booking.serial,
    ...{ side, words },
    at: now,
    recipient: side === 'CLIENT' ? booking.mail : office,
    seen: true,
  }
  run(db, 'UPDATE notes SET seen = 1 WHERE booking = ? AND side = ?', booking.serial, side)
  insertNotes(db, [note])
  request.effect('message.send', { msg: `M${note.serial}`, bk: bookingId(booking.serial), side, words })
  return note
}

/** A traveller writes to the provider. */
export function receive(request: AppRequest, booking: Booking): void {
  const { db, form, now } = request
  const words = readText(formFields(form, 'words')['words'], 'words', 2000)
  const { account } = booking
  const serial = nextSerial(db, 'notes', account)
  insertNotes(db, [
    { serial, account, booking: booking.serial, side: 'CLIENT', words, at: now, recipient: null, seen: false },
  ])
  request.effect('trip.write', { bk: bookingId(booking.serial), act: tourId(booking.tour), words })
}
