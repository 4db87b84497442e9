import { isRecord } from '../platform/body.ts'
import { Refusal } from '../platform/types.ts'
import { parseDay, parseWall, wallAt, type Wall } from './clock.ts'

export const invalid = (code: string, message: string, field: string): Refusal => new Refusal(422, code, message, field)

const wrong = (message: string, name: string): Refusal => new Refusal(400, 'PARAMETER_INVALID', message, name)

/** Refuses parameters that are not there, so that a misspelt filter is never ignored. */
export function known(query: URLSearchParams, names: readonly string[]): void {
  for (const name of query.keys()) {
    if (!names.includes(name)) throw new Refusal(400, 'PARAMETER_UNKNOWN', `There is no parameter ${name} here.`, name)
    if (query.getAll(name).length > 1) throw wrong(`Give ${name} once.`, name)
  }
}

export function queryWhole(query: URLSearchParams, name: string, preset: number, high: number): number {
  const given = query.get(name) ?? String(preset)
  const value = Number(given)
  if (!/^\d{1,7}$/.test(given) || value < 1 || value > high) {
    throw wrong(`${name} must be a whole number from 1 to ${high}.`, name)
  }
  return value
}

export function queryDay(query: URLSearchParams, name: string): number | undefined {
  const given = query.get(name)
  if (given === null) return undefined
  const day = parseDay(given)
  if (day === undefined) throw wrong(`${name} must be a day such as 31 Dec 2026.`, name)
  return day
}

/** Both days included. */
export function querySpan(query: URLSearchParams, length: number): { from: number; until: number } {
  const from = queryDay(query, 'from')
  if (from === undefined) throw wrong('from is required.', 'from')
  const until = queryDay(query, 'until') ?? from + length
  if (until < from) throw new Refusal(400, 'SPAN_BACKWARDS', 'until must not be before from.', 'until')
  return { from, until }
}

export function queryChoice<T extends string>(
  query: URLSearchParams,
  name: string,
  choices: readonly T[],
): T | undefined {
  const given = query.get(name)
  if (given === null) return undefined
  const chosen = choices.find((choice) => choice === given)
  if (chosen === undefined) throw wrong(`${name} must be one of ${choices.join(', ')}.`, name)
  return chosen
}

type Fields = Readonly<Record<string, unknown>>

function onlyKnown(names: Iterable<string>, allowed: readonly string[]): void {
  for (const name of names) {
    if (!allowed.includes(name)) throw invalid('FIELD_UNKNOWN', `There is no field ${name} here.`, name)
  }
}

/** The attributes of `{ "data": { "type", "attributes" } }`, with none but these. */
export function readAttributes(json: unknown, type: string, allowed: readonly string[]): Fields {
  const data = isRecord(json) ? json['data'] : undefined
  if (!isRecord(json) || !isRecord(data) || data['type'] !== type || !isRecord(data['attributes'])) {
    const shape = `{ "data": { "type": "${type}", "attributes": { … } } }`
    throw new Refusal(400, 'BODY_INVALID', `The body must be ${shape}.`)
  }
  onlyKnown(Object.keys(json), ['data'])
  onlyKnown(Object.keys(data), ['type', 'attributes'])
  onlyKnown(Object.keys(data['attributes']), allowed)
  return data['attributes']
}

/** A form's fields; those left empty are left out, and those in `repeated` are lists. */
export function readForm(form: URLSearchParams, allowed: readonly string[], repeated: readonly string[] = []): Fields {
  onlyKnown(form.keys(), ['slip', ...allowed, ...repeated])
  const fields: Record<string, unknown> = {}
  for (const name of [...allowed, ...repeated]) {
    const values = form.getAll(name).filter((value) => value !== '')
    const list = repeated.includes(name)
    if (values.length > 1 && !list) throw invalid('FIELD_REPEATED', `Give ${name} once.`, name)
    if (values.length > 0) fields[name] = list ? values : values[0]
  }
  return fields
}

/** A text as sent, but for line ends as forms send them; '' where there is none. */
export function readText(fields: Fields, name: string, limit: number): string {
  const value = fields[name] ?? ''
  if (typeof value !== 'string') throw invalid('TEXT_INVALID', `${name} must be a text.`, name)
  const text = value.replaceAll('\r\n', '\n')
  if (Array.from(text).length > limit) throw invalid('TEXT_TOO_LONG', `${name} has ${limit} characters at most.`, name)
  return text
}

/** A text that says something. */
export function needText(fields: Fields, name: string, limit: number): string {
  const text = readText(fields, name, limit)
  if (text.trim() === '') throw invalid('FIELD_REQUIRED', `${name} is required.`, name)
  return text
}

export function readFlag(fields: Fields, name: string): boolean {
  const value = fields[name] ?? false
  if (typeof value !== 'boolean') throw invalid('FLAG_INVALID', `${name} must be true or false.`, name)
  return value
}

/** A form's yes or no; no where it is left out. */
export function readYes(fields: Fields, name: string): boolean {
  const value = fields[name] ?? 'no'
  if (value !== 'yes' && value !== 'no') throw invalid('CHOICE_INVALID', `${name} must be yes or no.`, name)
  return value === 'yes'
}

export function needDay(fields: Fields, name: string): number {
  const day = parseDay(needText(fields, name, 40))
  if (day === undefined) throw invalid('DAY_INVALID', `${name} must be a day such as 31 Dec 2026.`, name)
  return day
}

/** A time as the clock of a zone shows it; the time may also be given in UTC, with ` UTC` behind it. */
export function needWallIn(fields: Fields, name: string, zone: string): Wall {
  const given = needText(fields, name, 40)
  const wall = parseWall(given.replace(/ UTC$/, ''))
  if (wall === undefined) throw invalid('TIME_INVALID', `${name} must be a time such as 31 Dec 2026 09:30.`, name)
  return given.endsWith(' UTC') ? wallAt(wall.day * 86_400 + wall.minute * 60, zone) : wall
}
