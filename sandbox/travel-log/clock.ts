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

/** `2026-02-28 23:59`, for people. */
export const clockIn = (seconds: number, zone: string): string => local(seconds, zone).slice(0, 16)

/** `20260228`, the day that it is in a zone. */
export const dayIn = (seconds: number, zone: string): number =>
  Number(local(seconds, zone).slice(0, 10).replaceAll('-', ''))

/** Is it a name of the IANA database, or an offset such as `-03:30`? */
export function isZone(zone: string): boolean {
  if (zone.length > 64) return false
  if (/^[+-]/.test(zone)) return /^[+-](0\d|1[0-4]):[0-5]\d$/.test(zone)
  try {
    local(0, zone)
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

/** `2026-02-28` of `20260228`; undefined where no calendar has such a day. */
export function dashed(day: number): string | undefined {
  const [, year, month, date] = /^(\d{4})(\d\d)(\d\d)$/.exec(String(day).padStart(8, '0')) ?? []
  const text = `${year}-${month}-${date}`
  const ms = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text) ? text : undefined
}

/** The day of that moment, UTC. */
export const dayOf = (seconds: number): number =>
  Number(new Date(seconds * 1000).toISOString().slice(0, 10).replaceAll('-', ''))

/** The moment when clocks in the zone show `2026-02-28T23:59`; undefined where that is no time. */
export function momentOf(wall: string, zone: string): number | undefined {
  const wanted = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(wall) ? Date.parse(`${wall}Z`) / 1000 : Number.NaN
  if (Number.isNaN(wanted)) return undefined
  const ahead = (at: number): number => Date.parse(`${local(at, zone).replace(' ', 'T')}Z`) / 1000 - at
  return wanted - ahead(wanted - ahead(wanted))
}
