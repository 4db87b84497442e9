import { UnknownShape, number, text } from './wire.ts'

/** Conversions between an app's dates and the gateway's: days as YYYY-MM-DD, moments as ISO 8601 with Z or an offset. */

/** Seconds since 1970, as a number or as text, into a moment. */
export function fromEpoch(seconds: unknown): string {
  return iso(new Date(number(seconds) * 1000))
}

/** The first second of a day in UTC, since 1970: for apps that filter by "since". */
export function startOfDay(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / 1000
}

/** `31/12/2025` into a day, `31/12/2025 18:30[:05]` into a moment; the app's clock is UTC unless `offset` says otherwise (`+02:00`). */
export function fromDayFirst(value: unknown, offset = 'Z'): string {
  const found = /^(\d\d)\/(\d\d)\/(\d{4})(?: (\d\d:\d\d)(:\d\d)?)?$/.exec(text(value))
  if (!found) throw new UnknownShape('not a date as DD/MM/YYYY')
  const [, day, month, year, minutes, seconds = ':00'] = found
  const date = `${year}-${month}-${day}`
  return minutes === undefined ? date : `${date}T${minutes}${seconds}${offset}`
}

/** A day into `31/12/2025`. */
export function toDayFirst(day: string): string {
  return day.split('-').reverse().join('/')
}

/** `20261231` into a day. */
export function fromCompact(value: unknown): string {
  const found = /^(\d{4})(\d\d)(\d\d)$/.exec(text(value))
  if (!found) throw new UnknownShape('not a day as YYYYMMDD')
  return found.slice(1).join('-')
}

/** A day into `20261231`. */
export function toCompact(day: string): string
export function toCompact(day: string | undefined): string | undefined
export function toCompact(day: string | undefined): string | undefined {
  return day?.replaceAll('-', '')
}

/** The day so many days away from another; `daysFrom('2026-03-01', -1)` is 2026-02-28. */
export function daysFrom(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
}

function iso(date: Date): string {
  if (Number.isNaN(date.getTime())) throw new UnknownShape('not a moment')
  return date.toISOString().replace('.000Z', 'Z')
}
