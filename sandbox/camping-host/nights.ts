import type { DatabaseSync } from 'node:sqlite'
import { all, maybeNumber, number } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { isoDay } from './clock.ts'
import { need, todayHere } from './host.ts'
import { checkSpan, invalid, readDay, readWhole, type Fields, type Span } from './input.ts'
import { choosePitches, type Land, type Pitch } from './lands.ts'

/** One night on a pitch; `own`: it has a price of its own instead of the pitch's. */
export interface Night {
  d: number
  st: 'FREE' | 'STAY' | 'SHUT'
  price: number
  own: boolean
}

interface Mark {
  shut: boolean
  price: number | undefined
}

export const longest = 366

function marksOf(db: DatabaseSync, pitch: number, { first, last }: Span): Map<number, Mark> {
  const rows = all(db, 'SELECT * FROM marks WHERE pitch = ? AND day BETWEEN ? AND ?', pitch, first, last)
  return new Map(
    rows.map((row) => [number(row, 'day'), { shut: number(row, 'shut') === 1, price: maybeNumber(row, 'price') }]),
  )
}

function takenOf(db: DatabaseSync, pitch: number, { first, last }: Span): Set<number> {
  const sql = `SELECT come, leave FROM stays WHERE pitch = ? AND verdict = 'BOOKED' AND come <= ? AND leave > ?`
  const days = new Set<number>()
  for (const row of all(db, sql, pitch, last, first)) {
    for (let day = number(row, 'come'); day < number(row, 'leave'); day++) days.add(day)
  }
  return days
}

export function nightsOf(db: DatabaseSync, { serial, base }: Pick<Pitch, 'serial' | 'base'>, span: Span): Night[] {
  const marks = marksOf(db, serial, span)
  const taken = takenOf(db, serial, span)
  return Array.from({ length: span.last - span.first + 1 }, (_, index) => {
    const d = span.first + index
    const { shut = false, price } = marks.get(d) ?? {}
    return { d, st: taken.has(d) ? 'STAY' : shut ? 'SHUT' : 'FREE', price: price ?? base, own: price !== undefined }
  })
}

export function checkLength({ first, last }: Span): void {
  if (last - first >= longest) throw invalid('SPAN_TOO_LONG', `At most ${longest} nights at a time.`, 'last')
}

function readSpan(fields: Fields, today: number): Span {
  const first = readDay(fields['first'], 'first', today)
  const span = checkSpan({ first, last: readDay(fields['last'], 'last', today) })
  checkLength(span)
  return span
}

function setShut(db: DatabaseSync, pitch: number, day: number, shut: boolean): void {
  const sql = 'INSERT INTO marks VALUES (?, ?, ?, NULL) ON CONFLICT DO UPDATE SET shut = excluded.shut'
  db.prepare(sql).run(pitch, day, shut ? 1 : 0)
}

const booked = (d: number, { label }: Pitch): Refusal =>
  new Refusal(409, 'NIGHTS_BOOKED', `A camper has ${label} on ${isoDay(d)}.`, 'first')

interface Changed {
  pitches: number[]
  nights: number
}

/** Shuts what is free, or frees what is shut: on the pitch that is named, or on all of the land. */
export function changeNights(request: SignedIn, land: Land, fields: Fields, shut: boolean): Changed & Span {
  need(request, 'nights')
  const { db } = request
  const pitches = choosePitches(db, land, fields['pitch'])
  const span = readSpan(fields, todayHere(request))
  let nights = 0
  for (const pitch of pitches) {
    for (const { d, st } of nightsOf(db, pitch, span)) {
      if (shut && st === 'STAY') throw booked(d, pitch)
      if (st !== (shut ? 'FREE' : 'SHUT')) continue
      setShut(db, pitch.serial, d, shut)
      nights++
    }
  }
  if (nights === 0) {
    if (shut) throw new Refusal(409, 'ALREADY_SHUT', 'All these nights are shut already.', 'first')
    throw new Refusal(409, 'NOTHING_SHUT', 'None of these nights is shut.', 'first')
  }
  const pitch = fields['pitch'] ?? null
  request.effect(shut ? 'nights.shut' : 'nights.open', { land: `L${land.serial}`, pitch, ...span, nights })
  return { pitches: pitches.map(({ serial }) => serial), nights, ...span }
}

function readDays(value: unknown, today: number): number[] {
  if (value === undefined) throw invalid('FIELD_REQUIRED', 'days is required.', 'days')
  if (!Array.isArray(value) || value.length === 0 || value.length > longest) {
    throw invalid('DAYS_INVALID', `days must be a list of 1 to ${longest} days.`, 'days')
  }
  const days = value.map((day) => readDay(day, 'days', today))
  if (new Set(days).size < days.length) throw invalid('DAY_TWICE', 'A day stands twice in days.', 'days')
  return days.toSorted((a, b) => a - b)
}

/** Gives nights a price of their own, or with null takes it away. What campers have already paid for stays as it is. */
export function priceNights(
  request: SignedIn,
  land: Land,
  fields: Fields,
): Changed & { days: number[]; price: number | null } {
  need(request, 'nights')
  const { db } = request
  const pitches = choosePitches(db, land, fields['pitch'])
  const days = readDays(fields['days'], todayHere(request))
  const price = fields['price'] === null ? null : readWhole(fields['price'], 'price', 1, 10_000_000)
  const sql = 'INSERT INTO marks VALUES (?, ?, 0, ?) ON CONFLICT DO UPDATE SET price = excluded.price'
  const insert = db.prepare(sql)
  const wanted = new Set(days)
  const span = { first: days[0] ?? 0, last: days.at(-1) ?? 0 }
  for (const pitch of pitches) {
    for (const { d, st } of nightsOf(db, pitch, span)) {
      if (!wanted.has(d)) continue
      if (st === 'STAY') throw booked(d, pitch)
      insert.run(pitch.serial, d, price)
    }
  }
  const nights = days.length * pitches.length
  request.effect('nights.price', { land: `L${land.serial}`, pitch: fields['pitch'] ?? null, days, price, nights })
  return { pitches: pitches.map(({ serial }) => serial), nights, days, price }
}
