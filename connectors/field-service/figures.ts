import { UnknownShape, number, text } from '../kit/wire.ts'
import { inZone } from '../kit/zones.ts'

/** `31.12.2026` into a day. */
export function fromDotted(value: unknown): string {
  const found = /^(\d\d)\.(\d\d)\.(\d{4})$/.exec(text(value))
  if (!found) throw new UnknownShape('not a day as DD.MM.YYYY')
  return found.slice(1).toReversed().join('-')
}

export function toDotted(day: string | undefined): string | undefined {
  return day?.split('-').reverse().join('.')
}

/** `31.12.2026 09:30` in the firm's zone into a moment with that zone's offset: crews think in their own time. */
export function fromLocal(value: unknown, zone: unknown): string {
  const [day, time = '', ...rest] = text(value).split(' ')
  if (!/^\d\d:\d\d$/.test(time) || rest.length > 0) throw new UnknownShape('not a time as DD.MM.YYYY HH:MM')
  return inZone(`${fromDotted(day)}T${time}:00`, text(zone))
}

/** The same in UTC, for when something was mailed or seen; null when it was not. */
export function fromLocalToUtc(value: unknown, zone: unknown): string | null {
  return value === null ? null : new Date(fromLocal(value, zone)).toISOString().replace('.000Z', 'Z')
}

/** A moment as the app takes it, in UTC. One that is not a whole minute stays wrong, for the app to refuse: it must not become another time. */
export function toUtc(moment: string): string {
  const date = new Date(moment)
  if (Number.isNaN(date.getTime())) return moment
  const [day = '', time = ''] = date.toISOString().split('T')
  return `${toDotted(day)} ${time.replace(/:00\.000Z$/, '')}`
}

/** `1.234,50` into `1234.50`. */
export function decimal(value: unknown): string {
  if (!/^-?\d{1,3}(\.\d{3})*,\d\d$/.test(text(value))) throw new UnknownShape('not a figure as 1.234,50')
  return text(value).replaceAll('.', '').replace(',', '.')
}

/** The same into a number, for quantities and hours. */
export function quantity(value: unknown): number {
  return number(decimal(value))
}

/** A figure with more than two decimals stays wrong, for the app to refuse: it must not become another one. */
export function toFigure(value: string | number | undefined): string | undefined {
  return value === undefined ? undefined : String(value).replace('.', ',')
}
