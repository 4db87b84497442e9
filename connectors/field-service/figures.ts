import { UnknownShape, number, text } from '../kit/wire.ts'
import { inZone } from '../kit/zones.ts'

/** Converts `31.12.2026` into an ISO day. */
export function fromDotted(value: unknown): string {
  const found = /^(\d\d)\.(\d\d)\.(\d{4})$/.exec(text(value))
  if (!found) throw new UnknownShape('not a day as DD.MM.YYYY')
  return found.slice(1).toReversed().join('-')
}

export function toDotted(day: string | undefined): string | undefined {
  return day?.split('-').reverse().join('.')
}

/** Converts local time, `31.12.2026 09:30`, keeping the firm's UTC offset: crews use local time. */
export function fromLocal(value: unknown, zone: unknown): string {
  const [day, time = '', ...rest] = text(value).split(' ')
  if (!/^\d\d:\d\d$/.test(time) || rest.length > 0) throw new UnknownShape('not a time as DD.MM.YYYY HH:MM')
  return inZone(`${fromDotted(day)}T${time}:00`, text(zone))
}

/** The same in UTC, for when something was mailed or seen; null if it was not. */
export function fromLocalToUtc(value: unknown, zone: unknown): string | null {
  return value === null ? null : new Date(fromLocal(value, zone)).toISOString().replace('.000Z', 'Z')
}

/** A timestamp in UTC as the app takes it; with seconds it stays as is, and the app refuses it. */
export function toUtc(moment: string): string {
  const date = new Date(moment)
  if (Number.isNaN(date.getTime())) return moment
  const [day = '', time = ''] = date.toISOString().split('T')
  return `${toDotted(day)} ${time.replace(/:00\.000Z$/, '')}`
}

/** Converts `1.234,50` into `1234.50`. */
export function decimal(value: unknown): string {
  if (!/^-?\d{1,3}(\.\d{3})*,\d\d$/.test(text(value))) throw new UnknownShape('not a figure as 1.234,50')
  return text(value).replaceAll('.', '').replace(',', '.')
}

/** The same as a number, for quantities and hours. */
export function quantity(value: unknown): number {
  return number(decimal(value))
}

/** Extra decimals are not rounded: the app refuses them, so the value cannot change. */
export function toFigure(value: string | number | undefined): string | undefined {
  return value === undefined ? undefined : String(value).replace('.', ',')
}
