import { UnknownShape } from './wire.ts'

/**
 * `2026-12-31T09:30:00` on the clocks of a zone into a moment with that zone's offset. Where clocks go back, the first of the two
 * moments is meant; a time that they skip is none.
 */
export function inZone(written: string, zone: string): string {
  const near = Date.parse(`${written}Z`)
  for (const away of [-86_400_000, 86_400_000]) {
    const offset = offsetAt(near + away, zone)
    if (offsetAt(Date.parse(written + offset), zone) === offset) return written + offset
  }
  throw new UnknownShape('not a time that exists')
}

const clocks = new Map<string, Intl.DateTimeFormat>()

/** The offset of a zone at a moment: `+02:00`. A zone that is an offset is its own answer. */
export function offsetAt(moment: number, zone: string): string {
  if (/^[+-]([01]\d|2[0-3]):[0-5]\d$/.test(zone)) return zone
  const clock =
    clocks.get(zone) ?? new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset', year: 'numeric' })
  clocks.set(zone, clock)
  const name = clock.formatToParts(moment).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  return name === 'GMT' ? '+00:00' : name.replace('GMT', '')
}
