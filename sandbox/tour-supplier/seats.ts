import type { DatabaseSync } from 'node:sqlite'
import { isRecord } from '../platform/body.ts'
import { all, count, number, run, text } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { addDays, colon, dayIn, daysBetween, hasLeft, isDay, weekdayOf } from './clock.ts'
import { idOf, type Departure, type Variant } from './entities.ts'
import { invalid, knownFields, readBody, wholeIn, type Span } from './input.ts'

interface DayOfSeats {
  day: string
  departures: Departure[]
}

const startsOn = (variant: Variant, day: string): string[] =>
  variant.weekdays[weekdayOf(day)] === '1' ? variant.starts : []

/** Every day of the span, those without departures too. */
export function seatsOf(db: DatabaseSync, variant: Variant, { first, last }: Span): DayOfSeats[] {
  const between = 'variant = ? AND day BETWEEN ? AND ?'
  const takenSql = `SELECT day || start AS at, sum(adults + children) AS taken FROM orders
    WHERE ${between} AND state = 'LIVE' GROUP BY day, start`
  const taken = new Map(
    all(db, takenSql, variant.serial, first, last).map((row) => [text(row, 'at'), number(row, 'taken')]),
  )
  const setSql = `SELECT day || start AS at, free, gate FROM allotments WHERE ${between}`
  const set = new Map(all(db, setSql, variant.serial, first, last).map((row) => [text(row, 'at'), row]))
  return Array.from({ length: daysBetween(first, last) + 1 }, (_, index) => {
    const day = addDays(first, index)
    const departures = startsOn(variant, day).map((start): Departure => {
      const booked = taken.get(day + start) ?? 0
      const row = set.get(day + start)
      if (!row) return { start, free: Math.max(0, variant.capacity - booked), taken: booked, gate: 'OPEN' }
      return { start, free: number(row, 'free'), taken: booked, gate: text(row, 'gate') === 'SHUT' ? 'SHUT' : 'OPEN' }
    })
    return { day, departures }
  })
}

export const seatsOn = (db: DatabaseSync, variant: Variant, day: string): Departure[] =>
  seatsOf(db, variant, { first: day, last: day })[0]?.departures ?? []

interface SeatWish {
  start: string
  free: number
}

function checkWish({ start, free }: Record<string, unknown>): SeatWish {
  if (typeof start !== 'string' || !/^([01]\d|2[0-3])[0-5]\d$/.test(start)) {
    throw invalid('START_INVALID', 'start must be a time such as 0930.', 'start')
  }
  if (typeof free !== 'number' || !Number.isInteger(free) || free < 0 || free > 999) {
    throw invalid('FREE_INVALID', 'free must be a whole number from 0 to 999.', 'free')
  }
  return { start, free }
}

/** `{ "departures": [ { "start", "free" } ] }` */
export function readSeats(json: unknown): SeatWish[] {
  const { departures } = readBody(json, 'departures')
  if (!Array.isArray(departures)) throw invalid('DEPARTURES_REQUIRED', 'departures must be a list.', 'departures')
  return departures.map((wish: unknown) => {
    if (!isRecord(wish)) throw invalid('DEPARTURES_REQUIRED', 'departures must be a list of objects.', 'departures')
    return checkWish(readBody(wish, 'start', 'free'))
  })
}

/** `free_0930=12`; what is left empty stays as it is. */
export function readSeatFields(form: URLSearchParams): SeatWish[] {
  knownFields(form, (name) => name === 'day' || /^free_\d{4}$/.test(name))
  return [...form].flatMap(([name, value]) => {
    const free = name.startsWith('free_') ? wholeIn(value) : undefined
    return free === undefined ? [] : [checkWish({ start: name.slice(5), free })]
  })
}

function checkDay(day: string, zone: string, now: number): void {
  const today = dayIn(zone, now)
  if (!isDay(day)) throw invalid('DAY_INVALID', 'The day must be one such as 20261231.', 'day')
  if (day < today) throw invalid('DAY_PASSED', `It is ${today} in ${zone} already.`, 'day')
  if (day > addDays(today, 730)) throw invalid('DAY_TOO_FAR', 'Seats are kept for 730 days ahead.', 'day')
}

/** Sets how many seats are left; none shuts the departure. Orders stay as they are. Answers all departures of the day. */
export function setSeats(request: SignedIn, variant: Variant, day: string, wishes: readonly SeatWish[]): Departure[] {
  const { db, now } = request
  const { zone } = variant.activity
  if (wishes.length === 0) throw invalid('DEPARTURES_REQUIRED', 'Give at least one departure.', 'departures')
  checkDay(day, zone, now)
  const starts = startsOn(variant, day)
  const done = new Set<string>()
  for (const { start, free } of wishes) {
    if (done.has(start)) throw invalid('DEPARTURE_TWICE', `${colon(start)} is given twice.`, 'start')
    done.add(start)
    if (!starts.includes(start)) {
      throw invalid('DEPARTURE_UNKNOWN', `Nothing departs at ${colon(start)} that day.`, 'start')
    }
    if (hasLeft(day, start, zone, now)) throw new Refusal(409, 'DEPARTED', `${colon(start)} has left.`, 'start')
    const gate = free === 0 ? 'SHUT' : 'OPEN'
    run(db, 'INSERT OR REPLACE INTO allotments VALUES (?, ?, ?, ?, ?)', variant.serial, day, start, free, gate)
  }
  const departures = wishes.map(({ start, free }) => ({ start, free }))
  request.effect('seats.set', { variantId: idOf('variants', variant.serial), day, departures })
  return seatsOn(db, variant, day)
}

/** How many orders, cancelled ones left out, a day has. */
export const ordersOn = (db: DatabaseSync, variant: number, day: string): number =>
  count(db, "orders WHERE variant = ? AND day = ? AND state = 'LIVE'", variant, day)

/** Takes seats that are kept by hand, or gives them back with a negative number; a shut departure has none to give. */
export function takeSeats(db: DatabaseSync, variant: number, day: string, start: string, seats: number): void {
  const sql = `UPDATE allotments SET free = free - ? WHERE variant = ? AND day = ? AND start = ? AND gate = 'OPEN'`
  run(db, sql, seats, variant, day, start)
}
