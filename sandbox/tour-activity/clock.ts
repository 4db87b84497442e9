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

const ahead = (zone: string, seconds: number): number =>
  Date.parse(`${local(zone, seconds).replace(' ', 'T')}Z`) / 1000 - seconds

export const dayIn = (zone: string, seconds: number): string => local(zone, seconds).slice(0, 10)

/** `{ day, hour, tz, off }` as the panel writes a moment. */
export function moment(zone: string, seconds: number): { day: string; hour: string; tz: string; off: string } {
  const minutes = ahead(zone, seconds) / 60
  const size = Math.abs(minutes)
  const two = (value: number): string => String(value).padStart(2, '0')
  const off = `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`
  return { day: panelDay(dayIn(zone, seconds)), hour: local(zone, seconds).slice(11, 16), tz: zone, off }
}

/** When clocks in the zone show that day and hour. */
export function startOf(zone: string, day: string, hour: string): number {
  const wanted = Date.parse(`${day}T${hour}:00Z`) / 1000
  return wanted - ahead(zone, wanted - ahead(zone, wanted))
}

/** The calendar ends with the year 9999. */
const lastDay = Date.UTC(9999, 11, 31)

export const shiftDay = (day: string, days: number): string =>
  new Date(Math.min(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000, lastDay)).toISOString().slice(0, 10)

/** 1 is Monday, 7 Sunday. */
export const weekdayOf = (day: string): number => ((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7) + 1

/** `2026-12-31` as `31-12-2026`, and `2026-12` as `12-2026`. */
export const panelDay = (day: string): string => day.split('-').reverse().join('-')

/** The day that `31-12-2026` means, or undefined where there is none. */
export function readPanelDay(text: string): string | undefined {
  if (!/^\d{2}-\d{2}-\d{4}$/.test(text)) return undefined
  const day = panelDay(text)
  const date = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day) ? day : undefined
}

export const monthBefore = (month: string): string => shiftDay(`${month}-01`, -1).slice(0, 7)
