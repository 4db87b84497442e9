import type { DatabaseSync } from 'node:sqlite'
import { all, number, text } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { bookingId } from './bookings.ts'
import { dayIn, panelDay, shiftDay, weekdayOf } from './clock.ts'
import { invalid, readDay, readWhole, type Fields, type Span } from './input.ts'
import { need } from './provider.ts'
import { tourId, type Tour } from './tours.ts'

/** One departure of a tour: how many places may be sold at most, how many are, and whether sales are shut. */
export interface Slot {
  day: string
  hour: string
  places: number
  sold: number
  shut: boolean
}

const horizon = 730
const longest = 366

interface Changed {
  places: number
  shut: boolean
}

function changedSlots(db: DatabaseSync, tour: number, { from, to }: Span): Map<string, Changed> {
  const sql = 'SELECT * FROM changed_slots WHERE tour = ? AND day BETWEEN ? AND ?'
  return new Map(
    all(db, sql, tour, from, to).map((row) => [
      `${text(row, 'day')} ${text(row, 'hour')}`,
      { places: number(row, 'places'), shut: number(row, 'shut') === 1 },
    ]),
  )
}

function soldSlots(db: DatabaseSync, tour: number, { from, to }: Span): Map<string, number> {
  const sql = `SELECT day || ' ' || hour AS slot, sum(pax) AS sold FROM bookings
    WHERE tour = ? AND day BETWEEN ? AND ? AND state = 'VALID' GROUP BY day, hour`
  return new Map(all(db, sql, tour, from, to).map((row) => [text(row, 'slot'), number(row, 'sold')]))
}

/** In order of day and hour; days on which the tour does not run have none. */
export function slotsOf(db: DatabaseSync, tour: number, span: Span): Slot[] {
  const departures = all(db, 'SELECT * FROM departures WHERE tour = ? ORDER BY hour', tour).map((row) => ({
    hour: text(row, 'hour'),
    weekdays: text(row, 'weekdays'),
    places: number(row, 'places'),
  }))
  const changed = changedSlots(db, tour, span)
  const sold = soldSlots(db, tour, span)
  const slots: Slot[] = []
  const last = (Date.parse(span.to) - Date.parse(span.from)) / 86_400_000
  for (let at = 0; at <= last; at++) {
    const day = shiftDay(span.from, at)
    const weekday = String(weekdayOf(day))
    for (const { hour, weekdays, places } of departures) {
      if (!weekdays.includes(weekday)) continue
      const key = `${day} ${hour}`
      slots.push({ day, hour, places, shut: false, ...changed.get(key), sold: sold.get(key) ?? 0 })
    }
  }
  return slots
}

export function checkLength({ from, to }: Span): void {
  if (shiftDay(from, longest - 1) < to) throw invalid('SPAN_TOO_LONG', `At most ${longest} days at a time.`, 'toDay')
}

function readSpan(fields: Fields, today: string): Span {
  const from = readDay(fields['fromDay'], 'fromDay')
  const to = readDay(fields['toDay'], 'toDay')
  if (to < from) throw invalid('SPAN_BACKWARDS', 'toDay must not be before fromDay.', 'toDay')
  if (from < today) throw invalid('DAY_PASSED', 'fromDay is over.', 'fromDay')
  if (to > shiftDay(today, horizon)) throw invalid('DAY_TOO_FAR', `At most ${horizon} days ahead.`, 'toDay')
  checkLength({ from, to })
  return { from, to }
}

function readHours(value: unknown): string[] | undefined {
  if (value === undefined) return undefined
  if (!Array.isArray(value) || value.length === 0 || value.length > 24) {
    throw invalid('HOURS_INVALID', 'hours must be a list of 1 to 24 departures.', 'hours')
  }
  return value.map((hour) => {
    if (typeof hour === 'string' && /^([01]\d|2[0-3]):[0-5]\d$/.test(hour)) return hour
    throw invalid('HOUR_INVALID', 'hours are written like 09:30.', 'hours')
  })
}

/** The departures that a change is about: never none. */
function readSlots(request: SignedIn, tour: Tour, fields: Fields): { span: Span; hours?: string[]; slots: Slot[] } {
  const { db, now } = request
  const span = readSpan(fields, dayIn(tour.zone, now))
  const hours = readHours(fields['hours'])
  const known = new Set(
    all(db, 'SELECT hour FROM departures WHERE tour = ?', tour.serial).map((row) => text(row, 'hour')),
  )
  const strange = hours?.find((hour) => !known.has(hour))
  if (strange !== undefined) throw invalid('HOUR_UNKNOWN', `This tour never departs at ${strange}.`, 'hours')
  const slots = slotsOf(db, tour.serial, span).filter(({ hour }) => hours?.includes(hour) ?? true)
  if (slots.length === 0) throw invalid('NO_DEPARTURES', 'This tour has no departures then.', 'fromDay')
  return { span, ...(hours && { hours }), slots }
}

function store(db: DatabaseSync, tour: Tour, slots: readonly Slot[]): void {
  const insert = db.prepare('INSERT OR REPLACE INTO changed_slots VALUES (?, ?, ?, ?, ?)')
  for (const { day, hour, places, shut } of slots) insert.run(tour.serial, day, hour, places, shut ? 1 : 0)
}

const told = (tour: Tour, { from, to }: Span, hours: string[] | undefined): Record<string, unknown> => ({
  act: tourId(tour.serial),
  fromDay: panelDay(from),
  toDay: panelDay(to),
  ...(hours && { hours }),
})

/** Valid bookings on these departures, in order of departure. */
function bookedOn({ db }: SignedIn, tour: Tour, span: Span, slots: readonly Slot[]): string[] {
  const wanted = new Set(slots.map(({ day, hour }) => `${day} ${hour}`))
  const sql = `SELECT serial, day || ' ' || hour AS slot FROM bookings
    WHERE tour = ? AND day BETWEEN ? AND ? AND state = 'VALID' ORDER BY day, hour, serial`
  return all(db, sql, tour.serial, span.from, span.to)
    .filter((row) => wanted.has(text(row, 'slot')))
    .map((row) => bookingId(number(row, 'serial')))
}

/** Stops or reopens sales of the departures that are not so yet; bookings stay, and nobody is told. */
export function changeSales(
  request: SignedIn,
  tour: Tour,
  fields: Fields,
  shut: boolean,
): { slots: number; booked: string[] } {
  need(request, 'calendar')
  const { span, hours, slots } = readSlots(request, tour, fields)
  const changing = slots.filter((slot) => slot.shut !== shut)
  if (changing.length === 0) {
    if (shut) throw new Refusal(409, 'ALREADY_SHUT', 'All these departures are shut already.', 'fromDay')
    throw new Refusal(409, 'ALREADY_OPEN', 'All these departures are on sale already.', 'fromDay')
  }
  store(
    request.db,
    tour,
    changing.map((slot) => ({ ...slot, shut })),
  )
  const booked = bookedOn(request, tour, span, changing)
  const body = { ...told(tour, span, hours), slots: changing.length, booked: booked.length }
  request.effect(shut ? 'sales.shut' : 'sales.reopen', body)
  return { slots: changing.length, booked }
}

/** Limits the places of departures, shut ones too, which stay shut. All of them or none. */
export function setPlaces(request: SignedIn, tour: Tour, fields: Fields): { places: number; slots: number } {
  need(request, 'calendar')
  const { span, hours, slots } = readSlots(request, tour, fields)
  const places = readWhole(fields['places'], 'places', 0, 500)
  const over = slots.find(({ sold }) => sold > places)
  if (over) {
    const message = `${over.sold} places are sold already for ${panelDay(over.day)} ${over.hour}.`
    throw new Refusal(409, 'BELOW_SOLD', message, 'places')
  }
  store(
    request.db,
    tour,
    slots.map((slot) => ({ ...slot, places })),
  )
  request.effect('places.set', { ...told(tour, span, hours), places, slots: slots.length })
  return { places, slots: slots.length }
}
