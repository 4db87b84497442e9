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

const two = (value: number): string => String(value).padStart(2, '0')

/** `2026-02-28T23:59:59-03:30`: what clocks in the zone show, and how far they are from UTC. */
export function offsetTime(seconds: number, zone: string): string {
  const shown = local(seconds, zone).replace(' ', 'T')
  const minutes = Math.round((Date.parse(`${shown}Z`) / 1000 - seconds) / 60)
  const away = Math.abs(minutes)
  return `${shown}${minutes < 0 ? '-' : '+'}${two(Math.floor(away / 60))}:${two(away % 60)}`
}

/** Unix seconds of `2026-02-28T23:59:59-03:30`; undefined for anything else, an impossible date included. */
export function secondsOf(text: string): number | undefined {
  const parts = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)([+-])(0\d|1[0-4]):([0-5]\d)$/.exec(text)
  const [, wall = '', sign = '', hours, minutes] = parts ?? []
  const ms = Date.parse(`${wall}Z`)
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 19) !== wall) return undefined
  const away = (Number(hours) * 60 + Number(minutes)) * 60
  return ms / 1000 - (sign === '-' ? -away : away)
}

/** `2026-02-28`, the day that it is in a zone. */
export const dayIn = (seconds: number, zone: string): string => local(seconds, zone).slice(0, 10)

/** `28.02.2026` → `2026-02-28`; undefined where there is no such day. */
export function isoDay(text: string): string | undefined {
  const [, day, month, year] = /^(\d\d)\.(\d\d)\.(\d{4})$/.exec(text) ?? []
  const iso = `${year}-${month}-${day}`
  const ms = Date.parse(`${iso}T00:00:00Z`)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(iso) ? iso : undefined
}

/** `28.02.2026`, the day that it is in a zone. */
export const pointedDay = (seconds: number, zone: string): string =>
  dayIn(seconds, zone).split('-').toReversed().join('.')
