const formats = new Map<string, Intl.DateTimeFormat>()

/** `2026-02-28 23:59:59` on the clocks of a zone. */
function local(seconds: number, zone: string): string {
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
    formats.set(zone, format)
  }
  return format.format(seconds * 1000)
}

const compact = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10).replaceAll('-', '')

/** Midnight UTC of the day, or undefined where there is no such day. */
function midnight(day: string): number | undefined {
  if (!/^[12]\d{7}$/.test(day)) return undefined
  const seconds = Date.UTC(Number(day.slice(0, 4)), Number(day.slice(4, 6)) - 1, Number(day.slice(6))) / 1000
  return compact(seconds) === day ? seconds : undefined
}

export const isDay = (day: string): boolean => midnight(day) !== undefined

/** The day, `YYYYMMDD`, that it is in a zone. */
export const dayIn = (zone: string, seconds: number): string => local(seconds, zone).slice(0, 10).replaceAll('-', '')

/** `2026-02-28 23:59`, for people. */
export const clockIn = (zone: string, seconds: number): string => local(seconds, zone).slice(0, 16)

export function addDays(day: string, days: number): string {
  const seconds = midnight(day)
  if (seconds === undefined) throw new RangeError(`${day} is no day.`)
  return compact(seconds + days * 86_400)
}

/** The moment when clocks in the zone show that many minutes of the day; one that they skip is taken an hour later. */
export function momentOf(day: string, minutes: number, zone: string): number {
  const wanted = (midnight(day) ?? 0) + minutes * 60
  const offsetAt = (seconds: number): number =>
    Date.parse(`${local(seconds, zone).replace(' ', 'T')}Z`) / 1000 - seconds
  return wanted - offsetAt(wanted - offsetAt(wanted))
}

/** `2026-02-28`, for people. */
export const dashed = (day: string): string => `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`
