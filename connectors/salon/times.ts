import { UnknownShape, text } from '../kit/wire.ts'
import { inZone } from '../kit/zones.ts'

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Converts `31 Dec 2026` into an ISO day. */
export function fromNamed(value: unknown): string {
  const [, day = '', name = '', year = ''] = /^(\d\d) ([A-Z][a-z]{2}) (\d{4})$/.exec(text(value)) ?? []
  const month = months.indexOf(name) + 1
  if (month === 0) throw new UnknownShape('not a day as 31 Dec 2026')
  return `${year}-${String(month).padStart(2, '0')}-${day}`
}

/** Converts an ISO day into `31 Dec 2026`. */
export function toNamed(day: string): string
export function toNamed(day: string | undefined): string | undefined
export function toNamed(day: string | undefined): string | undefined {
  if (day === undefined) return undefined
  const [year = '', month = '', date = ''] = day.split('-')
  return `${date} ${months[Number(month) - 1] ?? ''} ${year}`
}

/** Converts local time, `31 Dec 2026 09:30`, keeping the salon's offset: staff use local time. */
export function fromLocal(local: unknown, zone: unknown): string {
  const [, day, time] = /^(.{11}) (\d\d:\d\d)$/.exec(text(local)) ?? []
  if (time === undefined) throw new UnknownShape('not a time as 31 Dec 2026 09:30')
  return inZone(`${fromNamed(day)}T${time}:00`, text(zone))
}

/** The same in UTC, for when something was written. */
export function fromLocalToUtc(local: unknown, zone: unknown): string {
  return new Date(fromLocal(local, zone)).toISOString().replace('.000Z', 'Z')
}

/** A timestamp as the app takes it; with seconds it stays as is, and the app refuses it. */
export function toUtc(moment: string): string
export function toUtc(moment: string | undefined): string | undefined
export function toUtc(moment: string | undefined): string | undefined {
  if (moment === undefined) return undefined
  const date = new Date(moment)
  const iso = Number.isNaN(date.getTime()) ? '' : date.toISOString()
  const [, day, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):00\.000Z$/.exec(iso) ?? []
  return day === undefined ? moment : `${toNamed(day)} ${time} UTC`
}
