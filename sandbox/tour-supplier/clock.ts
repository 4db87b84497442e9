const formats = new Map<string, Intl.DateTimeFormat>()

/** `2026-12-31 09:30:00` on the clocks of a zone. */
function local(seconds: number, zone: string): string {
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
    formats.set(zone, format)
  }
  return format.format(seconds * 1000)
}

/** The day, `YYYYMMDD`, that it is in a zone. */
export const dayIn = (zone: string, seconds: number): string => local(seconds, zone).slice(0, 10).replaceAll('-', '')

export const clockIn = (zone: string, seconds: number): string => local(seconds, zone).slice(0, 16)

/** Whether the zone's clocks show this time of this day, or have shown it. */
export function hasLeft(day: string, start: string, zone: string, now: number): boolean {
  return `${day}${start}` <= local(now, zone).replaceAll(/\D/g, '').slice(0, 12)
}

const compact = (ms: number): string => new Date(ms).toISOString().slice(0, 10).replaceAll('-', '')

/** Midnight UTC of a day, in milliseconds; NaN for what is no day. */
function midnight(day: string): number {
  if (!/^\d{8}$/.test(day)) return Number.NaN
  const ms = Date.parse(`${dashed(day)}T00:00:00Z`)
  return Number.isNaN(ms) || compact(ms) !== day ? Number.NaN : ms
}

export const isDay = (day: string): boolean => !Number.isNaN(midnight(day))

export const addDays = (day: string, days: number): string => compact(midnight(day) + days * 86_400_000)

export const daysBetween = (first: string, last: string): number => (midnight(last) - midnight(first)) / 86_400_000

/** 0 is Monday. */
export const weekdayOf = (day: string): number => (new Date(midnight(day)).getUTCDay() + 6) % 7

/** `2026-12-31`, for people. */
export const dashed = (day: string): string => `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`

/** `09:30`, for people. */
export const colon = (start: string): string => `${start.slice(0, 2)}:${start.slice(2)}`
