const formats = new Map<string, Intl.DateTimeFormat>()

/** `2026-02-28 23:59` on the clocks of a zone. */
export function clockIn(zone: string, seconds: number): string {
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' })
    formats.set(zone, format)
  }
  return format.format(seconds * 1000)
}

export const dayOf = (stamp: string): string => stamp.slice(0, 10)

export const shiftDay = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

/** The same day of the month so many months later, or that month's last day. */
export function shiftMonths(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const last = new Date(Date.UTC(year, month - 1 + months + 1, 0))
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, last.getUTCDate()))).toISOString().slice(0, 10)
}

export const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 86_400_000

/** `2026-12-31` as `31/12/2026`. */
export const slashed = (day: string): string => day.split('-').reverse().join('/')

/** The day that `31/12/2026` names; undefined for any other text, and for days that no calendar has. */
export function readSlashed(text: string): string | undefined {
  if (!/^\d{2}\/\d{2}\/\d{4}$/.test(text)) return undefined
  const day = text.split('/').reverse().join('-')
  const date = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day) ? day : undefined
}

/** Minutes since midnight as `18:30`. */
export const hourText = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

export function readHour(text: string): number | undefined {
  const [, hour, minute] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? []
  return hour === undefined ? undefined : Number(hour) * 60 + Number(minute)
}

/** Minutes since midnight of `2026-12-31 18:30`. */
export const minuteOf = (stamp: string): number => Number(stamp.slice(11, 13)) * 60 + Number(stamp.slice(14, 16))

/** A stamp as the app writes it: day and time apart. */
export const dayAndTime = (stamp: string): { d: string; t: string } => ({
  d: slashed(dayOf(stamp)),
  t: stamp.slice(11, 16),
})
