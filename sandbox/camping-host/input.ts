import { isRecord } from '../platform/body.ts'
import { Refusal } from '../platform/types.ts'

export const invalid = (code: string, message: string, field: string): Refusal => new Refusal(422, code, message, field)

const wrong = (message: string, name: string): Refusal => new Refusal(400, 'ASKED_WRONG', message, name)

/** The years 0 to 9999. */
const firstDay = -719_528
const lastDay = 2_932_896

/** Refuses parameters that the address does not know. */
export function known(query: URLSearchParams, ...names: string[]): void {
  for (const name of query.keys()) {
    if (!names.includes(name)) throw new Refusal(400, 'ASKED_UNKNOWN', `There is no parameter ${name} here.`, name)
    if (query.getAll(name).length > 1) throw wrong(`Give ${name} once.`, name)
  }
}

function queryWhole(query: URLSearchParams, name: string, low: number, high: number): number | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  if (!/^-?\d{1,7}$/.test(text) || Number(text) < low || Number(text) > high) {
    throw wrong(`${name} must be a whole number from ${low} to ${high}.`, name)
  }
  return Number(text)
}

export const queryDay = (query: URLSearchParams, name: string): number | undefined =>
  queryWhole(query, name, firstDay, lastDay)

export function queryChoice<T extends string>(query: URLSearchParams, name: string, choices: readonly T[]): T {
  const text = query.get(name) ?? choices[0]
  const choice = choices.find((one) => one === text)
  if (choice === undefined) throw wrong(`${name} must be one of ${choices.join(', ')}.`, name)
  return choice
}

/** Both days included. */
export interface Span {
  first: number
  last: number
}

export function checkSpan({ first, last }: Span): Span {
  if (last < first) throw new Refusal(400, 'SPAN_BACKWARDS', 'last must not be before first.', 'last')
  return { first, last }
}

/** The first `take` of the rows behind the one that was seen last; all of them where no `take` is given. */
export function cut<T>(
  query: URLSearchParams,
  rows: readonly T[],
  isBehind: ((row: T) => boolean) | undefined,
): { shown: T[]; more: boolean } {
  const take = queryWhole(query, 'take', 1, 200) ?? Number.POSITIVE_INFINITY
  const rest = isBehind ? rows.filter(isBehind) : rows
  return { shown: rest.slice(0, take), more: rest.length > take }
}

export type Fields = Readonly<Record<string, unknown>>

function onlyKnown(names: Iterable<string>, allowed: readonly string[]): void {
  for (const name of names) {
    if (!allowed.includes(name)) throw invalid('FIELD_UNKNOWN', `There is no field ${name} here.`, name)
  }
}

export function jsonFields(json: unknown, ...allowed: string[]): Fields {
  if (!isRecord(json)) throw new Refusal(400, 'BODY_INVALID', 'The body must be a JSON object.')
  onlyKnown(Object.keys(json), allowed)
  return json
}

/** The fields of a form; one that is left empty counts as left out. */
export function formFields(form: URLSearchParams, ...allowed: string[]): Record<string, string> {
  onlyKnown(form.keys(), ['fern', ...allowed])
  const fields: Record<string, string> = {}
  for (const [name, value] of form) {
    if (name === 'fern' || value === '') continue
    if (name in fields) throw invalid('FIELD_TWICE', `Give ${name} once.`, name)
    fields[name] = value
  }
  return fields
}

/** A text as sent, of 1 to `limit` characters and not all blank. */
export function readText(value: unknown, field: string, limit: number): string {
  if (value === undefined) throw invalid('FIELD_REQUIRED', `${field} is required.`, field)
  if (typeof value !== 'string') throw invalid('TEXT_INVALID', `${field} must be a text.`, field)
  if (value.trim() === '') throw invalid('FIELD_REQUIRED', `${field} must not be empty.`, field)
  if (Array.from(value).length > limit) throw invalid('TEXT_TOO_LONG', `${field}: ${limit} characters at most.`, field)
  return value
}

export function readWhole(value: unknown, field: string, low: number, high: number): number {
  if (value === undefined) throw invalid('FIELD_REQUIRED', `${field} is required.`, field)
  if (typeof value !== 'number' || !Number.isInteger(value) || value < low || value > high) {
    throw invalid('NUMBER_INVALID', `${field} must be a whole number from ${low} to ${high}.`, field)
  }
  return value
}

/** A day from today to two years ahead. */
export function readDay(value: unknown, field: string, today: number): number {
  const day = readWhole(value, field, firstDay, lastDay)
  if (day < today) throw invalid('DAY_PASSED', `Day ${day} is over.`, field)
  if (day > today + 730) throw invalid('DAY_TOO_FAR', 'At most 730 days ahead.', field)
  return day
}
