import type { DatabaseSync } from 'node:sqlite'
import { all, number, text } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { addDays, dayIn } from './clock.ts'
import type { Booking } from './entities.ts'
import { known, readDay } from './parameters.ts'
import { ownStudio, todayOf } from './studio.ts'

/** Both days included, counted in the studio's zone. */
export interface Span {
  first: string
  last: string
}

/** From today for a week, where nothing else is said. */
export function readSpan(request: SignedIn): Span {
  const { query, now } = request
  known(query, 'filter[first]', 'filter[last]')
  const first = readDay(query, 'filter[first]') ?? todayOf(ownStudio(request), now)
  const last = readDay(query, 'filter[last]') ?? addDays(first, 7)
  if (last < first) {
    throw new Refusal(400, 'SPAN_BACKWARDS', 'filter[last] must not be before filter[first].', 'filter[last]')
  }
  return { first, last }
}

/** Earliest first. */
export function listBookings(db: DatabaseSync, account: string, { first, last }: Span): Booking[] {
  const sql = 'SELECT * FROM bookings WHERE account = ? AND day BETWEEN ? AND ? ORDER BY begins, serial'
  return all(db, sql, account, first, last).map((row) => ({
    serial: number(row, 'serial'),
    sitter: number(row, 'sitter'),
    kind: text(row, 'kind'),
    begins: number(row, 'begins'),
    minutes: number(row, 'minutes'),
    place: text(row, 'place'),
    zone: text(row, 'zone'),
  }))
}

export function insertBookings(db: DatabaseSync, account: string, home: string, bookings: readonly Booking[]): void {
  const insert = db.prepare('INSERT INTO bookings VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)')
  for (const { serial, sitter, kind, begins, minutes, place, zone } of bookings) {
    insert.run(serial, account, sitter, kind, dayIn(home, begins), begins, minutes, place, zone)
  }
}
