import { UnknownShape } from './wire.ts'

/**
 * Converts a zone's local time, `2026-12-31T09:30:00`, into a timestamp with the zone's offset. A
 * time that occurs twice gives the first; one that a clock change skips is an `UnknownShape`.
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

/** A zone's offset at an instant (ms): `+02:00`. A zone that is an offset is returned as it is. */
export function offsetAt(moment: number, zone: string): string {
  if (/^[+-]([01]\d|2[0-3]):[0-5]\d$/.test(zone)) return zone
  const clock =
    clocks.get(zone) ?? new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset', year: 'numeric' })
  clocks.set(zone, clock)
  const name = clock.formatToParts(moment).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  return name === 'GMT' ? '+00:00' : name.replace('GMT', '')
}
