import { isRecord } from '../platform/body.ts'
import { hash32 } from '../platform/random.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { readPanelDay, shiftDay } from './clock.ts'

export const invalid = (code: string, message: string, field: string): Refusal => new Refusal(422, code, message, field)

const wrong = (message: string, name: string): Refusal => new Refusal(400, 'PARAM_INVALID', message, name)

/** Refuses parameters that the address does not know. */
export function known(query: URLSearchParams, ...names: string[]): void {
  for (const name of query.keys()) {
    if (!names.includes(name)) throw new Refusal(400, 'PARAM_UNKNOWN', `There is no parameter ${name} here.`, name)
    if (query.getAll(name).length > 1) throw wrong(`Give ${name} once.`, name)
  }
}

export function queryDay(query: URLSearchParams, name: string): string | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  const day = readPanelDay(text)
  if (day === undefined) throw wrong(`${name} must be a day such as 31-12-2026.`, name)
  return day
}

/** Both days included. */
export interface Span {
  from: string
  to: string
}

/** From today for `length` days, where nothing else is said. */
export function querySpan(query: URLSearchParams, today: string, length: number): Span {
  const from = queryDay(query, 'fromDay') ?? today
  const to = queryDay(query, 'toDay') ?? shiftDay(from, length)
  if (to < from) throw new Refusal(400, 'SPAN_BACKWARDS', 'toDay must not be before fromDay.', 'toDay')
  return { from, to }
}

export function queryChoice<T extends string>(query: URLSearchParams, name: string, choices: readonly T[]): T {
  const text = query.get(name) ?? choices[0]
  const choice = choices.find((one) => one === text)
  if (choice === undefined) throw wrong(`${name} must be one of ${choices.join(', ')}.`, name)
  return choice
}

/** One page of a list that is ordered by `start`, then `serial`: what comes after that pair. */
export interface Wish {
  size: number
  start: number
  serial: number
}

const seal = ({ viewer }: SignedIn, list: string): string => hash32(`${viewer.account.account} ${list}`).toString(36)

export function readWish(request: SignedIn, list: string): Wish {
  const given = request.query.get('size') ?? '25'
  const size = Number(given)
  if (!/^\d{1,3}$/.test(given) || size < 1 || size > 100) throw wrong('size must be from 1 to 100.', 'size')
  const next = request.query.get('next')
  if (next === null) return { size, start: Number.MIN_SAFE_INTEGER, serial: 0 }
  const [, start, serial, of] =
    /^(-?\d{1,12})\.(\d{1,12})\.([0-9a-z]+)$/.exec(Buffer.from(next, 'base64url').toString()) ?? []
  if (of !== seal(request, list)) {
    throw new Refusal(400, 'NEXT_UNKNOWN', 'This token belongs to no page of this list.', 'next')
  }
  return { size, start: Number(start), serial: Number(serial) }
}

/** Cuts the surplus row that says whether there is a next page. */
export function cut<T extends { start: number; serial: number }>(
  request: SignedIn,
  list: string,
  rows: readonly T[],
  { size }: Wish,
): { shown: T[]; next: string | null } {
  const shown = rows.slice(0, size)
  const last = shown.at(-1)
  if (rows.length <= size || !last) return { shown, next: null }
  return { shown, next: Buffer.from(`${last.start}.${last.serial}.${seal(request, list)}`).toString('base64url') }
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

/** The fields of a form; one that is left empty counts as left out, and `hours` is a list. */
export function formFields(form: URLSearchParams, ...allowed: string[]): Fields {
  onlyKnown(form.keys(), ['seal', ...allowed])
  const fields: Record<string, unknown> = {}
  for (const name of allowed) {
    const values = form.getAll(name).filter((value) => value !== '')
    if (values.length > 1 && name !== 'hours') throw invalid('FIELD_TWICE', `Give ${name} once.`, name)
    if (values.length > 0) fields[name] = name === 'hours' ? values : values[0]
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

export function readDay(value: unknown, field: string): string {
  const day = readPanelDay(readText(value, field, 10))
  if (day === undefined) throw invalid('DAY_INVALID', `${field} must be a day such as 31-12-2026.`, field)
  return day
}

export function readWhole(value: unknown, field: string, low: number, high: number): number {
  if (value === undefined) throw invalid('FIELD_REQUIRED', `${field} is required.`, field)
  if (typeof value !== 'number' || !Number.isInteger(value) || value < low || value > high) {
    throw invalid('NUMBER_INVALID', `${field} must be a whole number from ${low} to ${high}.`, field)
  }
  return value
}
