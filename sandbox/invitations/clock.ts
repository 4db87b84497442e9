const formats = new Map<string, Intl.DateTimeFormat>()

/** `2026-02-28 23:59` on the clocks of a zone, for people. */
export function clockIn(zone: string, ms: number): string {
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' })
    formats.set(zone, format)
  }
  return format.format(ms)
}

export const zones = [
  'Europe/Lisbon',
  'America/New_York',
  'Asia/Jerusalem',
  'Asia/Kathmandu',
  'Pacific/Auckland',
  'America/St_Johns',
  'Europe/Warsaw',
] as const

export const isZone = (zone: string): boolean => zones.some((name) => name === zone)
