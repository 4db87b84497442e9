const formats = new Map<string, Intl.DateTimeFormat>()

/** `2026-02-28 23:59:59` on the clocks of a zone. */
function local(ms: number, zone: string): string {
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
    formats.set(zone, format)
  }
  return format.format(ms)
}

/** The day, `YYYYMMDD`, that it is in a zone. */
export const dayIn = (zone: string, ms: number): string => local(ms, zone).slice(0, 10).replaceAll('-', '')

export const clockIn = (zone: string, ms: number): string => local(ms, zone).slice(0, 16)

/** Midnight UTC of the day, or undefined where there is no such day. */
function midnight(day: string): number | undefined {
  if (!/^\d{8}$/.test(day)) return undefined
  const ms = Date.parse(`${dashed(day)}T00:00:00Z`)
  return Number.isNaN(ms) || compact(ms) !== day ? undefined : ms
}

/** The calendar ends with the year 9999. */
const compact = (ms: number): string =>
  new Date(Math.min(ms, Date.UTC(9999, 11, 31))).toISOString().slice(0, 10).replaceAll('-', '')

export const isDay = (day: string): boolean => midnight(day) !== undefined

export function addDays(day: string, days: number): string {
  const ms = midnight(day)
  if (ms === undefined) throw new RangeError(`${day} is no day.`)
  return compact(ms + days * 86_400_000)
}

/** The moment when clocks in the zone show that many minutes of the day. */
export function momentOf(day: string, minutes: number, zone: string): number {
  const wanted = (midnight(day) ?? 0) + minutes * 60_000
  return wanted - (Date.parse(`${local(wanted, zone).replace(' ', 'T')}Z`) - wanted)
}

/** `2026-02-28`, for people. */
export const dashed = (day: string): string => `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`
