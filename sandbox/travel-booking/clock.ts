const dayMs = 86_400_000
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const
const formats = new Map<string, Intl.DateTimeFormat>()

/** `2026-02-28 23:59` on the clocks of a zone. */
function local(zone: string, ms: number): string {
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' })
    formats.set(zone, format)
  }
  return format.format(ms)
}

const asUtc = (text: string): number => Date.parse(`${text.replace(' ', 'T')}Z`)

/** A moment somewhere. */
export interface Moment {
  ms: number
  zone: string
}

/** The moment when clocks in the zone show that many minutes of the day, `offset` days after the timetable's first. */
export function momentOf(day: number, offset: number, minutes: number, zone: string): Moment {
  const wanted = day * 1000 + offset * dayMs + minutes * 60_000
  return { ms: wanted - (asUtc(local(zone, wanted)) - wanted), zone }
}

export const later = ({ ms }: Moment, minutes: number, zone: string): Moment => ({ ms: ms + minutes * 60_000, zone })

/** Days from the timetable's first day to today in the zone. */
export const todayIn = (zone: string, now: number, day: number): number =>
  (asUtc(local(zone, now * 1000).slice(0, 10)) - day * 1000) / dayMs

/** `28 Feb 2026`. */
export function dayText(ms: number): string {
  const date = new Date(ms)
  const month = months[date.getUTCMonth()] ?? ''
  return `${String(date.getUTCDate()).padStart(2, '0')} ${month} ${date.getUTCFullYear()}`
}

/** Days from the timetable's first day to `28 Feb 2026`; undefined where there is no such day. */
export function offsetOf(text: string, day: number): number | undefined {
  const [, date, name, year] = /^(\d\d) ([A-Z][a-z]{2}) (\d{4})$/.exec(text) ?? []
  const month = months.findIndex((one) => one === name)
  if (month < 0) return undefined
  const ms = Date.UTC(Number(year), month, Number(date))
  return dayText(ms) === text ? (ms - day * 1000) / dayMs : undefined
}

/** A moment as the app tells it: on the clocks of its place. */
export function when({ ms, zone }: Moment): { day: string; clock: string; zone: string; minutesFromUtc: number } {
  const text = local(zone, ms)
  const shown = asUtc(text)
  const minutesFromUtc = (shown - Math.floor(ms / 60_000) * 60_000) / 60_000
  return { day: dayText(shown), clock: text.slice(11), zone, minutesFromUtc }
}

/** `28 Feb 2026 23:59`, for people. */
export function spoken(moment: Moment): string {
  const { day, clock } = when(moment)
  return `${day} ${clock}`
}
