import { hash32 } from '../platform/random.ts'
import { later, momentOf, type Moment } from './clock.ts'
import { lines, tariffsOf, type Line, type Tariff } from './lines.ts'
import { convert, type Currency } from './money.ts'
import { placeOf, type Place, type Spot, type Vehicle } from './places.ts'

/** One run of a line between two places of its path, `offset` days after the timetable's first day. */
export interface Run {
  line: number
  start: number
  goal: number
  run: number
  offset: number
}

interface Hop {
  fromStop: string
  toStop: string
  leaves: Moment
  reaches: Moment
}

export interface Trip {
  run: Run
  vehicle: Vehicle
  carrier: string
  asks: boolean
  from: Place
  to: Place
  hops: Hop[]
  leaves: Moment
  reaches: Moment
}

const changeMinutes = 25

const stopName = (place: Place, vehicle: Vehicle): string => {
  const stop = place.stops[vehicle] ?? ''
  return stop === '' ? place.city : `${place.city}, ${stop}`
}

function lineOf({ line }: Run): Line {
  const found = lines[line]
  if (!found) throw new RangeError(`There is no line ${line}.`)
  return found
}

/** The places from start to goal, in the order of travel, each with the minutes to the next one. */
function stages({ path, minutes }: Line, start: number, goal: number): { place: Place; minutes: number }[] {
  const [low, high] = start < goal ? [start, goal] : [goal, start]
  const keys = path.slice(low, high + 1)
  const spans = minutes.slice(low, high)
  if (start > goal) {
    keys.reverse()
    spans.reverse()
  }
  return keys.map((key, index) => ({ place: placeOf(key), minutes: spans[index] ?? 0 }))
}

/** `day`: the timetable's first, Unix seconds. */
export function tripOf(day: number, run: Run): Trip {
  const line = lineOf(run)
  const { vehicle, carrier, asks } = line
  const stops = stages(line, run.start, run.goal)
  const [first, last] = [stops[0]?.place, stops.at(-1)?.place]
  if (!first || !last) throw new RangeError('A trip has two ends.')
  // From another place of the path the same run leaves a little later, on that place's clocks.
  const minutes = line.first + run.run * line.every + 5 * run.start
  const leaves = momentOf(day, run.offset, minutes, first.zone)
  const hops: Hop[] = []
  let at = leaves
  for (const [index, { place, minutes }] of stops.entries()) {
    const next = stops[index + 1]?.place
    if (!next) break
    const start = later(at, index === 0 ? 0 : changeMinutes, place.zone)
    at = later(start, minutes, next.zone)
    hops.push({ fromStop: stopName(place, vehicle), toStop: stopName(next, vehicle), leaves: start, reaches: at })
  }
  return { run, vehicle, carrier, asks, from: first, to: last, hops, leaves, reaches: at }
}

/** Every run between two spots on that day, also those that have left. */
export function runsBetween(start: Spot, goal: Spot, offset: number): Run[] {
  return lines.flatMap(({ vehicle, path, runs }, line) => {
    const from = path.indexOf(start.place.key)
    const to = path.indexOf(goal.place.key)
    const fits = [start, goal].every((spot) => spot.vehicle === undefined || spot.vehicle === vehicle)
    if (from < 0 || to < 0 || from === to || !fits) return []
    return Array.from({ length: runs }, (_, run) => ({ line, start: from, goal: to, run, offset }))
  })
}

export const bands = ['GROWN_UP', 'YOUNGSTER', 'KID', 'ELDER'] as const
export type Band = (typeof bands)[number]
const percentOf: Record<Band, number> = { GROWN_UP: 100, YOUNGSTER: 75, KID: 50, ELDER: 80 }

/** What these riders pay for a run, without flex and service fee. Prices swing from run to run and day to day. */
export function fareOf(run: Run, { percent }: Tariff, riders: readonly Band[], currency: Currency): number {
  const line = lineOf(run)
  const whole = line.minutes.reduce((sum, minutes) => sum + minutes, 0)
  const share = stages(line, run.start, run.goal).reduce((sum, { minutes }) => sum + minutes, 0) / whole
  const swing = 80 + (hash32(`${run.line} ${run.start} ${run.goal} ${run.run} ${run.offset}`) % 81)
  const cents = Math.round((line.cents * share * swing * percent) / 100_000) * 10
  return riders.reduce((sum, band) => sum + convert((cents * percentOf[band]) / 100, currency), 0)
}

export const cheapest = (trip: Trip, riders: readonly Band[], currency: Currency): number =>
  Math.min(...tariffsOf(trip.vehicle).map((tariff) => fareOf(trip.run, tariff, riders, currency)))

export const flexPriceOf = (fare: number): number => Math.ceil(fare * 0.12)

/** Never given back. */
export const serviceFeeOf = (fare: number, currency: Currency): number =>
  Math.max(convert(150, currency), Math.round(fare * 0.04))
