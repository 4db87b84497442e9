const formats = new Map<string, Intl.DateTimeFormat>()

/** `2026-02-28 23:59:59` on the clocks of a zone. */
function local(zone: string, seconds: number): string {
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
    formats.set(zone, format)
  }
  return format.format(seconds * 1000)
}

/** The day, since 1970, that it is in a zone. */
export const dayIn = (zone: string, seconds: number): number =>
  Date.parse(`${local(zone, seconds).slice(0, 10)}T00:00:00Z`) / 86_400_000

/** As pages show a moment. */
export const clockIn = (zone: string, seconds: number): string => local(zone, seconds).slice(0, 16)

/** `2026-12-31`. */
export const isoDay = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10)

/** The day that a date field of a page holds, or undefined where there is none such. */
export function readIsoDay(text: string): number | undefined {
  if (!/^[12]\d{3}-\d{2}-\d{2}$/.test(text)) return undefined
  const day = Date.parse(`${text}T00:00:00Z`) / 86_400_000
  return !Number.isNaN(day) && isoDay(day) === text ? day : undefined
}
