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

export const clockIn = (zone: string, seconds: number): string => local(zone, seconds).slice(0, 16)

/** When clocks in the zone show that day and that many minutes of it. */
export function startOf(zone: string, day: string, minutes: number): number {
  const wanted = Date.parse(`${day}T00:00:00Z`) / 1000 + minutes * 60
  return wanted - ahead(zone, wanted - ahead(zone, wanted))
}

export const shiftDay = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

/** `2026-12-31` as `12/31/2026`. */
export const usDay = (day: string): string => `${day.slice(5, 7)}/${day.slice(8)}/${day.slice(0, 4)}`

/** The day that `12/31/2026` means, or undefined where there is none. */
export function readUsDay(text: string): string | undefined {
  if (!/^\d{2}\/\d{2}\/\d{4}$/.test(text)) return undefined
  const day = `${text.slice(6)}-${text.slice(0, 2)}-${text.slice(3, 5)}`
  const date = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day) ? day : undefined
}

/** 0 is `12:00 AM`, 735 is `12:15 PM`. */
export function hourText(minutes: number): string {
  const hour = Math.floor(minutes / 60)
  return `${hour % 12 === 0 ? 12 : hour % 12}:${String(minutes % 60).padStart(2, '0')} ${hour < 12 ? 'AM' : 'PM'}`
}
