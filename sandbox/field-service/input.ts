import { isRecord } from '../platform/body.ts'
import { Refusal } from '../platform/types.ts'
import { isZone, momentOf, parseDay, parseTime } from './clock.ts'
import { hundredths } from './numbers.ts'

export type Fields = Record<string, unknown>

export const invalid = (field: string, code: string, message: string): Refusal => new Refusal(422, code, message, field)

function onlyKnown(names: readonly string[], known: readonly string[]): void {
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) throw invalid(unknown, 'FIELD_UNKNOWN', `There is no field ${unknown} here.`)
}

/** A JSON object with no other fields than these. */
export function jsonFields(json: unknown, known: readonly string[]): Fields {
  if (!isRecord(json)) throw new Refusal(400, 'BODY_INVALID', 'The body must be a JSON object.')
  onlyKnown(Object.keys(json), known)
  return json
}

/** A form with no other fields than these and the token. */
export function formFields(form: URLSearchParams, known: readonly string[]): Fields {
  const names = [...form.keys()].filter((name) => name !== 'AntiForgery')
  onlyKnown(names, known)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw invalid(twice, 'FIELD_TWICE', `${twice} is there twice.`)
  return Object.fromEntries(names.map((name) => [name, form.get(name)]))
}

/** Text as sent but for line ends; '' where it is left out. */
export function words(fields: Fields, name: string, most: number): string {
  const value = fields[name] ?? ''
  if (typeof value !== 'string') throw invalid(name, 'TEXT_INVALID', `${name} must be text.`)
  const text = value.replaceAll('\r\n', '\n')
  if (Array.from(text).length > most) throw invalid(name, 'TEXT_TOO_LONG', `${name} may have ${most} characters.`)
  return text
}

export function needWords(fields: Fields, name: string, most: number): string {
  const text = words(fields, name, most)
  if (text.trim() === '') throw invalid(name, 'FIELD_REQUIRED', `${name} is required.`)
  return text
}

export function flag(fields: Fields, name: string): boolean {
  const value = fields[name] ?? false
  if (typeof value !== 'boolean') throw invalid(name, 'FLAG_INVALID', `${name} must be true or false.`)
  return value
}

export function choice<T extends string>(fields: Fields, name: string, options: readonly T[], preset: T): T {
  const value = fields[name] ?? ''
  if (value === '') return preset
  const found = options.find((option) => option === value)
  if (!found) throw invalid(name, 'CHOICE_INVALID', `${name} must be one of ${options.join(', ')}.`)
  return found
}

export function mail(fields: Fields, name: string): string {
  const text = words(fields, name, 254)
  if (text !== '' && !/^[^@\s,;<>]+@[^@\s,;<>.]+(\.[^@\s,;<>.]+)+$/.test(text)) {
    throw invalid(name, 'MAIL_INVALID', `${name} is no e-mail address.`)
  }
  return text
}

/** Hundredths of an amount, a quantity or hours, such as `1.234,50`; both bounds included. */
export function figure(fields: Fields, name: string, low: number, high: number): number | undefined {
  const text = words(fields, name, 40)
  if (text === '') return undefined
  const value = hundredths(text)
  if (value === undefined) throw invalid(name, 'FIGURE_INVALID', `${name} must be a figure such as 1.234,50.`)
  if (value < low || value > high) throw invalid(name, 'FIGURE_OUT_OF_BOUNDS', `${name} is too low or too high.`)
  return value
}

export function needFigure(fields: Fields, name: string, low: number, high: number): number {
  const value = figure(fields, name, low, high)
  if (value === undefined) throw invalid(name, 'FIELD_REQUIRED', `${name} is required.`)
  return value
}

/** Today unless said; never later. */
export function pastDay(fields: Fields, name: string, today: number): number {
  const text = words(fields, name, 40)
  const day = text === '' ? today : parseDay(text)
  if (day === undefined) throw invalid(name, 'DAY_INVALID', `${name} must be a day such as 31.12.2026.`)
  if (day > today) throw invalid(name, 'DAY_IN_FUTURE', `${name} must not be after today.`)
  return day
}

/** The zone that the local times are in: the firm's own unless said. */
export function zoneOf(fields: Fields, home: string): string {
  const zone = words(fields, 'Zone', 60) || home
  if (!isZone(zone)) throw invalid('Zone', 'ZONE_UNKNOWN', 'Zone must be an IANA zone such as Europe/Berlin.')
  return zone
}

export function moment(fields: Fields, name: string, zone: string): number {
  const wall = parseTime(needWords(fields, name, 40))
  if (!wall) throw invalid(name, 'TIME_INVALID', `${name} must be a local time such as 31.12.2026 09:30.`)
  const seconds = momentOf(wall.day, wall.minute, zone)
  if (seconds === undefined) throw invalid(name, 'TIME_SKIPPED', `Clocks in ${zone} skip this time.`)
  return seconds
}
