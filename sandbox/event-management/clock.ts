const formats = new Map<string, Intl.DateTimeFormat>()

/** `2026-12-31 09:30:00` on the clocks of a zone. Years before 1000 come without their zeros, which dates are not read without. */
function localOf(zone: string, at: number): string {
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
    formats.set(zone, format)
  }
  return format.format(at * 1000).padStart(19, '0')
}

export const dayIn = (zone: string, at: number): string => localOf(zone, at).slice(0, 10).replaceAll('-', '')

const compact = (at: number): string => new Date(at * 1000).toISOString().replaceAll(/[-:]|\.000/g, '')

/** A moment as it stands on the wire. */
export const moment = (at: number, zone: string) => ({ utc: compact(at), local: localOf(zone, at), zone })

const asIfUtc = (local: string): number => Date.parse(`${local.replace(' ', 'T')}Z`) / 1000

/** When the clocks of a zone show this; `clock` is what clocks in UTC would show then. */
export function whenIn(zone: string, clock: number): number {
  const guess = clock - (asIfUtc(localOf(zone, clock)) - clock)
  return clock - (asIfUtc(localOf(zone, guess)) - guess)
}

const dayPattern = /^(\d{4})(\d{2})(\d{2})$/

/** Midnight UTC of a day, or undefined if there is no such day. */
function midnightOf(day: string): number | undefined {
  const at = Date.parse(day.replace(dayPattern, '$1-$2-$3')) / 1000
  return dayPattern.test(day) && Number.isFinite(at) && dayOf(at) === day ? at : undefined
}

export const dayOf = (midnight: number): string => compact(midnight).slice(0, 8)

export const isDay = (day: string): boolean => midnightOf(day) !== undefined

/** A moment out of `20261231T093000Z`, or undefined if there is no such moment. */
export function readCompact(words: string): number | undefined {
  const [, day, hour, minute, second] = /^(\d{8})T(\d{2})(\d{2})(\d{2})Z$/.exec(words) ?? []
  const midnight = midnightOf(day ?? '')
  if (midnight === undefined) return undefined
  const at = midnight + Number(hour) * 3600 + Number(minute) * 60 + Number(second)
  return compact(at) === words ? at : undefined
}

/** A moment out of what a page's date and time field sends, on the clocks of a zone. */
export function readLocal(zone: string, words: string): string {
  const clock = asIfUtc(words)
  return Number.isFinite(clock) ? compact(whenIn(zone, clock)) : words
}
