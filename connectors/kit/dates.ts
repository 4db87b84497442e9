import { UnknownShape, number, text } from './wire.ts'

/** Converts between an app's dates and the gateway's: YYYY-MM-DD, ISO 8601 with Z or offset. */

/** Unix seconds, as a number or text, into a timestamp. */
export function fromEpoch(seconds: unknown): string {
  return iso(new Date(number(seconds) * 1000))
}

/** Unix seconds of a date's midnight in UTC, for apps that filter by "since". */
export function startOfDay(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / 1000
}

/**
 * `31/12/2025` into a date, `31/12/2025 18:30[:05]` into a timestamp, in UTC unless `offset` is
 * given (`+02:00`). For month-first dates use `localDate`.
 */
export function fromDayFirst(value: unknown, offset = 'Z'): string {
  const found = /^(\d\d)\/(\d\d)\/(\d{4})(?: ((?:[01]\d|2[0-3]):[0-5]\d)(:[0-5]\d)?)?$/.exec(text(value))
  if (!found) throw new UnknownShape('not a date as DD/MM/YYYY')
  const [, day, month, year, minutes, seconds = ':00'] = found
  const date = realDay(`${year}-${month}-${day}`)
  return minutes === undefined ? date : `${date}T${minutes}${seconds}${offset}`
}

/** A date into `31/12/2025`. */
export function toDayFirst(day: string): string {
  return day.split('-').reverse().join('/')
}

/** `20261231` into a date. */
export function fromCompact(value: unknown): string {
  const found = /^(\d{4})(\d\d)(\d\d)$/.exec(text(value))
  if (!found) throw new UnknownShape('not a day as YYYYMMDD')
  return realDay(found.slice(1).join('-'))
}

/** A date into `20261231`. */
export function toCompact(day: string): string
export function toCompact(day: string | undefined): string | undefined
export function toCompact(day: string | undefined): string | undefined {
  return day?.replaceAll('-', '')
}

/** Adds days to a date: `daysFrom('2026-03-01', -1)` is 2026-02-28. */
export function daysFrom(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
}

function iso(date: Date): string {
  if (Number.isNaN(date.getTime())) throw new UnknownShape('not a moment')
  return date.toISOString().replace('.000Z', 'Z')
}

/** Rejects dates that do not exist, such as `12/31/2025` read day first. */
function realDay(day: string): string {
  const date = new Date(`${day}T00:00:00Z`)
  if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== day)
    throw new UnknownShape('a day that is not')
  return day
}
