import { UnknownShape, text } from '../kit/wire.ts'
import { inZone } from '../kit/zones.ts'

/** Converts `2026/12/31` into an ISO day. */
export function fromSlashed(value: unknown): string {
  const found = /^(\d{4})\/(\d\d)\/(\d\d)$/.exec(text(value))
  if (!found) throw new UnknownShape('not a day as YYYY/MM/DD')
  return found.slice(1).join('-')
}

export function toSlashed(day: string | undefined): string | undefined {
  return day?.replaceAll('-', '/')
}

/** Converts local time, `2026/12/31 09:30`, keeping the zone's UTC offset: staff use local time. */
export function fromLocal(local: unknown, zone: unknown): string {
  const found = /^(\d{4})\/(\d\d)\/(\d\d) (\d\d:\d\d)$/.exec(text(local))
  if (!found) throw new UnknownShape('not a local time as YYYY/MM/DD HH:MM')
  const [, year, month, day, time] = found
  return inZone(`${year}-${month}-${day}T${time}:00`, text(zone))
}

/** The same in UTC, for when something was written. */
export function fromLocalToUtc(local: unknown, zone: unknown): string {
  return new Date(fromLocal(local, zone)).toISOString().replace('.000Z', 'Z')
}

/** A timestamp as the app takes it; with seconds it stays as is, and the app refuses it. */
export function toLocal(moment: string): { readonly local: string; readonly zone: string } {
  const date = new Date(moment)
  const written = Number.isNaN(date.getTime()) ? moment : date.toISOString().replace(/:00\.000Z$/, '')
  return { local: written.replaceAll('-', '/').replace('T', ' '), zone: 'Etc/UTC' }
}
