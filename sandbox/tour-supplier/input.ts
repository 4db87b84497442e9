import { isRecord } from '../platform/body.ts'
import { Refusal } from '../platform/types.ts'
import { addDays, daysBetween, isDay } from './clock.ts'

export const invalid = (code: string, message: string, field: string): Refusal => new Refusal(422, code, message, field)

const wrong = (message: string, name: string): Refusal => new Refusal(400, 'PARAM_INVALID', message, name)

/** Refuses parameters that the request does not have, so that a misspelt filter is never ignored. */
export function known(query: URLSearchParams, ...names: string[]): void {
  for (const name of query.keys()) {
    if (!names.includes(name)) throw new Refusal(400, 'PARAM_UNKNOWN', `There is no parameter ${name} here.`, name)
    if (query.getAll(name).length > 1) throw wrong(`Give ${name} once.`, name)
  }
}

export function readDay(query: URLSearchParams, name: string): string | undefined {
  const day = query.get(name)
  if (day !== null && !isDay(day)) throw wrong(`${name} must be a day such as 20261231.`, name)
  return day ?? undefined
}

/** `first` and `last`, both included. */
export interface Span {
  first: string
  last: string
}

/** Where a preset last day would lie before `first`, as many days follow that as it usually has. */
export function readSpan(query: URLSearchParams, presets?: Span): Span {
  const first = readDay(query, 'first') ?? presets?.first
  const last = readDay(query, 'last') ?? (presets && first !== undefined ? lastOf(presets, first) : undefined)
  if (first === undefined) throw wrong('first is required.', 'first')
  if (last === undefined) throw wrong('last is required.', 'last')
  if (last < first) throw new Refusal(400, 'SPAN_BACKWARDS', `last (${last}) is before first (${first}).`, 'last')
  return { first, last }
}

function lastOf(presets: Span, first: string): string {
  if (first <= presets.last) return presets.last
  const last = addDays(first, daysBetween(presets.first, presets.last))
  return last < first ? '99991231' : last
}

/** One of the choices; the first is the preset. */
export function readChoice(query: URLSearchParams, name: string, choices: readonly [string, ...string[]]): string {
  const choice = query.get(name) ?? choices[0]
  if (!choices.includes(choice)) throw wrong(`${name} must be one of ${choices.join(', ')}.`, name)
  return choice
}

/** A JSON object with none but these fields. */
export function readBody(json: unknown, ...fields: string[]): Record<string, unknown> {
  if (!isRecord(json)) throw new Refusal(400, 'BODY_INVALID', 'The body must be a JSON object.')
  for (const name of Object.keys(json)) {
    if (!fields.includes(name)) throw invalid('FIELD_UNKNOWN', `There is no field ${name} here.`, name)
  }
  return json
}

/** A form with none but the fields that pass, each once. */
export function knownFields(form: URLSearchParams, isKnown: (name: string) => boolean): void {
  for (const name of form.keys()) {
    if (name !== 'xt' && !isKnown(name)) throw invalid('FIELD_UNKNOWN', `There is no field ${name} here.`, name)
    if (form.getAll(name).length > 1) throw invalid('FIELD_TWICE', `Give ${name} once.`, name)
  }
}

/** A text as sent, but for line ends as forms send them. */
export function readWords(value: unknown, field: string, limit: number): string {
  if (value === undefined || value === null) throw invalid('WORDS_REQUIRED', `${field} is required.`, field)
  if (typeof value !== 'string') throw invalid('WORDS_INVALID', `${field} must be a text.`, field)
  const words = value.replaceAll('\r\n', '\n')
  if (words.trim() === '') throw invalid('WORDS_REQUIRED', `${field} is required.`, field)
  if (Array.from(words).length > limit) {
    throw invalid('WORDS_TOO_LONG', `${field} may have ${limit} characters at most.`, field)
  }
  return words
}

/** The whole number that a form's text spells; undefined for no text, NaN for any other. */
export function wholeIn(text: string | null): number | undefined {
  if (text === null || text.trim() === '') return undefined
  return /^\d{1,12}$/.test(text.trim()) ? Number(text) : Number.NaN
}
