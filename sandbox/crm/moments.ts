const formatters = new Map<string, Intl.DateTimeFormat>()

function formatter(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  formatters.set(zone, made)
  return made
}

/** Seconds that the zone is ahead of UTC at that moment. */
function offsetAt(seconds: number, zone: string): number {
  const parts = formatter(zone).formatToParts(seconds * 1000)
  const part = (type: string): number => Number(parts.find((each) => each.type === type)?.value)
  const local = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
  return local / 1000 - seconds
}

function written(offset: number): string {
  const minutes = Math.abs(offset) / 60
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0')
  return `${offset < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`
}

/** `2026-03-01T14:05:00+01:00`, as a clock there shows it. */
export function moment(seconds: number, zone: string): string {
  const offset = offsetAt(seconds, zone)
  return `${new Date((seconds + offset) * 1000).toISOString().slice(0, 19)}${written(offset)}`
}

/** A day as the midnight that it begins with, there. */
export function midnight(day: string, zone: string): string {
  const utc = Date.parse(`${day}T00:00:00Z`) / 1000
  const guess = utc - offsetAt(utc, zone)
  return `${day}T00:00:00${written(offsetAt(guess, zone))}`
}

export const today = (now: number, zone: string): string => moment(now, zone).slice(0, 10)

const shape = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/

/** Unix seconds, and the day as it is written; undefined where it is no datetime with an offset. */
export function readMoment(text: string): { seconds: number; day: string } | undefined {
  const day = shape.exec(text)?.[1]
  const milliseconds = Date.parse(text)
  if (day === undefined || Number.isNaN(milliseconds)) return undefined
  // 30 February would quietly become March.
  if (new Date(`${day}T00:00:00Z`).toISOString().slice(0, 10) !== day) return undefined
  return { seconds: milliseconds / 1000, day }
}

export const dayAfter = (midnightUtc: number, days: number): string =>
  new Date((midnightUtc + days * 86_400) * 1000).toISOString().slice(0, 10)
