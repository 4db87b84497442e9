import { isRecord } from '../platform/body.ts'
import { Refusal } from '../platform/types.ts'
import { readUsDay } from './clock.ts'
import { look } from './layout.ts'

export const invalid = (code: string, text: string, field: string): Refusal => new Refusal(422, code, text, field)

const wrong = (text: string, name: string): Refusal => new Refusal(400, 'PARAM_INVALID', text, name)

/** Refuses parameters that the address does not know. */
export function known(query: URLSearchParams, ...names: string[]): void {
  for (const name of query.keys()) {
    if (!names.includes(name)) throw new Refusal(400, 'PARAM_UNKNOWN', `There is no parameter ${name} here.`, name)
    if (query.getAll(name).length > 1) throw wrong(`Give ${name} once.`, name)
  }
}

export function queryWhole(query: URLSearchParams, name: string, fallback: number, most: number): number {
  const text = query.get(name) ?? String(fallback)
  const value = Number(text)
  if (!/^\d{1,6}$/.test(text) || value < 1 || value > most) throw wrong(`${name} must be from 1 to ${most}.`, name)
  return value
}

export function queryChoice<T extends string>(query: URLSearchParams, name: string, choices: readonly T[]) {
  const text = query.get(name)
  if (text === null) return undefined
  const choice = choices.find((one) => one === text)
  if (choice === undefined) throw wrong(`${name} must be one of ${choices.join(', ')}.`, name)
  return choice
}

/** Both days included. */
export interface Span {
  from: string
  to: string
}

function queryDay(query: URLSearchParams, name: string, fallback?: string): string {
  const text = query.get(name)
  if (text === null && fallback !== undefined) return fallback
  if (text === null) throw new Refusal(400, 'PARAM_REQUIRED', `${name} is required.`, name)
  const day = readUsDay(text)
  if (day === undefined) throw wrong(`${name} must be a day such as 12/31/2026.`, name)
  return day
}

/** `From` is required, and so is `To` unless the span is one day without it. */
export function querySpan(query: URLSearchParams, needsEnd: boolean): Span {
  const from = queryDay(query, 'From')
  const to = queryDay(query, 'To', needsEnd ? undefined : from)
  if (to < from) throw new Refusal(400, 'SPAN_BACKWARDS', 'To must not be before From.', 'To')
  return { from, to }
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
export function formFields(form: URLSearchParams, ...allowed: string[]): Fields {
  onlyKnown(form.keys(), [look.field, ...allowed])
  const fields: Record<string, unknown> = {}
  for (const name of allowed) {
    const values = form.getAll(name)
    if (values.length > 1) throw invalid('FIELD_TWICE', `Give ${name} once.`, name)
    if (values[0] !== undefined && values[0] !== '') fields[name] = values[0]
  }
  return fields
}

/** A text as sent, of 1 to `limit` characters and not all blank. */
export function readText(value: unknown, field: string, limit: number): string {
  if (value === undefined) throw invalid('FIELD_REQUIRED', `${field} is required.`, field)
  if (typeof value !== 'string') throw invalid('TEXT_INVALID', `${field} must be a text.`, field)
  if (value.trim() === '') throw invalid('FIELD_REQUIRED', `${field} must not be blank.`, field)
  if (Array.from(value).length > limit) throw invalid('TEXT_TOO_LONG', `${field}: ${limit} characters at most.`, field)
  return value
}

export function readChoice<T extends string>(value: unknown, field: string, choices: readonly T[]): T {
  if (value === undefined) throw invalid('FIELD_REQUIRED', `${field} is required.`, field)
  const choice = choices.find((one) => one === value)
  if (choice === undefined) throw invalid('CHOICE_INVALID', `${field} must be one of ${choices.join(', ')}.`, field)
  return choice
}

export function readDay(value: unknown, field: string): string {
  const day = readUsDay(readText(value, field, 10))
  if (day === undefined) throw invalid('DAY_INVALID', `${field} must be a day such as 12/31/2026.`, field)
  return day
}
