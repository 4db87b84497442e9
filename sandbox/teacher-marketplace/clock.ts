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

const utc = (clock: string): number => Date.parse(`${clock.replace(' ', 'T')}Z`) / 1000

/** The day, `YYYY-MM-DD`, that it is in a zone. */
export const dayIn = (zone: string, seconds: number): string => local(seconds, zone).slice(0, 10)

export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)

/** `02/28/2026`: a day as people here write it. */
export const usDay = (day: string): string => `${day.slice(5, 7)}/${day.slice(8)}/${day.slice(0, 4)}`

/** `YYYY-MM-DD` of `MM/DD/YYYY`, or undefined where there is no such day. */
export function readUsDay(text: string): string | undefined {
  const [, month, date, year] = /^(\d\d)\/(\d\d)\/(\d{4})$/.exec(text) ?? []
  const day = `${year}-${month}-${date}`
  const ms = Date.parse(day)
  return Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== day ? undefined : day
}

/** `02/28/2026 3:05 PM -0700`: a moment on the clocks of a zone. */
export function whenIn(zone: string, seconds: number): string {
  const clock = local(seconds, zone)
  const hour = Number(clock.slice(11, 13))
  const minutes = Math.round((utc(clock) - seconds) / 60)
  const offset = String(Math.floor(Math.abs(minutes) / 60) * 100 + (Math.abs(minutes) % 60)).padStart(4, '0')
  const time = `${hour % 12 === 0 ? 12 : hour % 12}:${clock.slice(14, 16)} ${hour < 12 ? 'AM' : 'PM'}`
  return `${usDay(clock.slice(0, 10))} ${time} ${minutes < 0 ? '-' : '+'}${offset}`
}

/** The moment when clocks in the zone show nine in the morning of that day. */
export function nineOClock(day: string, zone: string): number {
  const wanted = utc(`${day} 09:00:00`)
  return wanted - (utc(local(wanted, zone)) - wanted)
}
