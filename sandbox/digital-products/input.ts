import { isRecord } from '../platform/body.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { dayStart } from './clock.ts'

export type Fields = Record<string, unknown>

export const invalid = (code: string, message: string, field: string): Refusal => new Refusal(422, code, message, field)

function onlyKnown(names: Iterable<string>, known: readonly string[]): void {
  for (const name of names) {
    if (!known.includes(name)) throw invalid('FIELD_UNKNOWN', `There is no field ${name} here.`, name)
  }
}

/** A JSON object with none but these fields. */
export function readBody({ json }: SignedIn, known: readonly string[]): Fields {
  if (!isRecord(json)) throw new Refusal(400, 'BODY_INVALID', 'The body must be a JSON object.')
  onlyKnown(Object.keys(json), known)
  return json
}

/** A form's fields, each once. */
export function readForm(form: URLSearchParams, known: readonly string[]): Record<string, string> {
  const names = [...form.keys()]
  onlyKnown(names, ['stamp', ...known])
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw invalid('FIELD_REPEATED', `Give ${twice} once.`, twice)
  return Object.fromEntries(form)
}

/** A text as sent. */
export function readText(fields: Fields, name: string, limit: number): string {
  const value = fields[name] ?? ''
  if (typeof value !== 'string') throw invalid('TEXT_INVALID', `${name} must be a text.`, name)
  if (Array.from(value).length > limit) throw invalid('TEXT_TOO_LONG', `${name} has ${limit} characters at most.`, name)
  return value
}

/** A text that says something. */
export function needText(fields: Fields, name: string, limit: number): string {
  const text = readText(fields, name, limit)
  if (text.trim() === '') throw invalid('FIELD_REQUIRED', `${name} is required.`, name)
  return text
}

export function readChoice<T extends string>(fields: Fields, name: string, choices: readonly T[], preset?: T): T {
  const value = fields[name] ?? preset
  if (value === undefined) throw invalid('FIELD_REQUIRED', `${name} is required.`, name)
  const chosen = choices.find((choice) => choice === value)
  if (chosen === undefined) throw invalid('CHOICE_INVALID', `${name} must be one of ${choices.join(', ')}.`, name)
  return chosen
}

export function needWhole(fields: Fields, name: string, low: number, high: number): number {
  const value = fields[name]
  if (value === undefined || value === null) throw invalid('FIELD_REQUIRED', `${name} is required.`, name)
  if (typeof value !== 'number' || !Number.isInteger(value) || value < low || value > high) {
    throw invalid('NUMBER_INVALID', `${name} must be a whole number from ${low} to ${high}.`, name)
  }
  return value
}

/** The same in a form, where numbers are digits. */
export function formWhole(fields: Readonly<Record<string, string>>, name: string, low: number, high: number): number {
  const given = fields[name] ?? ''
  const value = given === '' ? undefined : /^\d{1,12}$/.test(given) ? Number(given) : given
  return needWhole({ [name]: value }, name, low, high)
}

/** Midnight of a day that is not over; null where none is given. */
export function readLastDay(fields: Fields, name: string, now: number): number | null {
  const value = fields[name] ?? null
  if (value === null) return null
  const start = typeof value === 'string' ? dayStart(value) : undefined
  if (start === undefined) throw invalid('DAY_INVALID', `${name} must be a day like 20261121.`, name)
  if (start + 86_400 <= now) throw invalid('DAY_PAST', `${name} must not be over.`, name)
  return start
}
