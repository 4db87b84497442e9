import type { DatabaseSync } from 'node:sqlite'
import { all, number, text } from '../platform/rows.ts'
import type { SignedIn } from '../platform/types.ts'
import { bookingRef, carrierKey, sumOf, type Booking } from './bookings.ts'
import { spoken } from './clock.ts'
import { price } from './money.ts'
import type { Wish } from './paging.ts'

type Kind = 'BOOKED' | 'ASKED' | 'AGREED' | 'MOVED' | 'CALLED_OFF'

export interface Letter {
  serial: number
  booking: number
  kind: string
  recipient: string
  subject: string
  words: string
  sent: number
}

export const routeOf = ({ trip }: Booking): string => `${trip.from.city} – ${trip.to.city}`

const carrierMail = ({ trip }: Booking): string => `desk-${trip.run.line}@carriers.example`

/** What a change of the booking says, and to whom: everything to the traveller, a request to the carrier. */
export function letterAbout(
  b: Booking,
  kind: Kind,
  traveller: string,
  base: string,
  serial: number,
  sent: number,
): Letter {
  const ref = bookingRef(b)
  const journey = `${routeOf(b)}, ${spoken(b.trip.leaves)}, ${b.trip.carrier}`
  const texts: Record<Kind, readonly [string, string]> = {
    BOOKED: [`Your booking ${ref}`, `${journey}. Paid: ${price(sumOf(b), b.currency)}. Your tickets are ready.`],
    ASKED: [`Please confirm ${ref}`, `${journey}, ${b.riders.length} riders. Confirm at ${base}/o/${carrierKey(b)}`],
    AGREED: [`${ref} is confirmed`, `${journey}. Your tickets are ready.`],
    MOVED: [`${ref} has been changed`, `${journey}. Earlier tickets are void.`],
    CALLED_OFF: [`${ref} is cancelled`, `${journey}. You get back ${price(b.givenBack ?? 0, b.currency)}.`],
  }
  const [subject, words] = texts[kind]
  return {
    serial,
    booking: b.serial,
    kind,
    recipient: kind === 'ASKED' ? carrierMail(b) : traveller,
    subject,
    words,
    sent,
  }
}

export function insertLetters(db: DatabaseSync, account: string, letters: readonly Letter[]): void {
  const insert = db.prepare('INSERT INTO letters VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
  for (const l of letters) {
    insert.run(l.serial, account, l.booking, l.kind, l.recipient, l.subject, l.words, l.sent)
  }
}

/** Newest first. */
export function listLetters({ db, viewer }: SignedIn, { take, after }: Wish): Letter[] {
  const sql = 'SELECT * FROM letters WHERE account = ? AND serial < ? ORDER BY serial DESC LIMIT ?'
  return all(db, sql, viewer.account.account, after?.serial ?? Number.MAX_SAFE_INTEGER, take).map((row) => ({
    serial: number(row, 'serial'),
    booking: number(row, 'booking'),
    kind: text(row, 'kind'),
    recipient: text(row, 'recipient'),
    subject: text(row, 'subject'),
    words: text(row, 'words'),
    sent: number(row, 'sent'),
  }))
}
