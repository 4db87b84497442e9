import type { DatabaseSync } from 'node:sqlite'
import { all, maybeText, number, one, text, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import type { Span, Wish } from './input.ts'
import type { Tour } from './tours.ts'

export interface Booking {
  serial: number
  account: string
  tour: number
  tourTitle: string
  zone: string
  /** Part of the address of the traveller's own page. */
  key: string
  locator: string
  day: string
  hour: string
  start: number
  pax: number
  state: 'VALID' | 'VOID'
  total: number
  full: string
  mail: string
  tel: string | null
}

export const bookingStates = ['VALID', 'VOID', 'ANY'] as const

export const bookingId = (serial: number): string => `B${serial}`

const select = `SELECT b.*, t.title, t.zone FROM bookings b JOIN tours t ON t.serial = b.tour`

const toBooking = (row: Row): Booking => ({
  serial: number(row, 'serial'),
  account: text(row, 'account'),
  tour: number(row, 'tour'),
  tourTitle: text(row, 'title'),
  zone: text(row, 'zone'),
  key: text(row, 'key'),
  locator: text(row, 'locator'),
  day: text(row, 'day'),
  hour: text(row, 'hour'),
  start: number(row, 'start'),
  pax: number(row, 'pax'),
  state: text(row, 'state') === 'VALID' ? 'VALID' : 'VOID',
  total: number(row, 'total'),
  full: text(row, 'full'),
  mail: text(row, 'mail'),
  tel: maybeText(row, 'tel') ?? null,
})

/** Whose departure day, on the clocks of the tour, is in the span; in order of departure. */
export function listBookings(
  db: DatabaseSync,
  account: string,
  { from, to, tour, state }: Span & { tour: Tour | undefined; state: (typeof bookingStates)[number] },
  { size, start, serial }: Wish,
): Booking[] {
  const sql = `${select} WHERE b.account = ?1 AND b.day BETWEEN ?2 AND ?3 AND (?4 = 0 OR b.tour = ?4)
    AND (?5 = 'ANY' OR b.state = ?5) AND (b.start, b.serial) > (?6, ?7) ORDER BY b.start, b.serial LIMIT ?8`
  return all(db, sql, account, from, to, tour?.serial ?? 0, state, start, serial, size + 1).map(toBooking)
}

export function ownBooking({ db, viewer, params }: SignedIn, id = params['bk'] ?? ''): Booking {
  const serial = /^B(\d{1,12})$/.exec(id)?.[1]
  const sql = `${select} WHERE b.serial = ? AND b.account = ?`
  const row = serial === undefined ? undefined : one(db, sql, Number(serial), viewer.account.account)
  if (!row) throw new Refusal(404, 'BOOKING_NOT_FOUND', 'None of your bookings has this id.', 'bk')
  return toBooking(row)
}

/** The one behind the link of a traveller's confirmation. */
export function findBookingByKey(db: DatabaseSync, key: string): Booking {
  const row = one(db, `${select} WHERE b.key = ?`, key)
  if (!row) throw new Refusal(404, 'BOOKING_NOT_FOUND', 'There is no such booking.')
  return toBooking(row)
}

export function insertBookings(db: DatabaseSync, bookings: readonly Booking[]): void {
  const insert = db.prepare('INSERT INTO bookings VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  for (const b of bookings) {
    const { serial, account, tour, key, locator, day, hour, start, pax, state, total, full, mail, tel } = b
    insert.run(serial, account, tour, key, locator, day, hour, start, pax, state, total, full, mail, tel)
  }
}
