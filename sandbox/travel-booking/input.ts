import { isRecord } from '../platform/body.ts'
import { Refusal } from '../platform/types.ts'

export const invalid = (code: string, message: string, field: string): Refusal => new Refusal(422, code, message, field)

const wrong = (message: string, name: string): Refusal => new Refusal(400, 'PARAMETER_INVALID', message, name)

/** Refuses parameters that are not known here, and single ones that come twice. */
export function known(query: URLSearchParams, single: readonly string[], many: readonly string[] = []): void {
  for (const name of new Set(query.keys())) {
    if (!single.includes(name) && !many.includes(name)) {
      throw new Refusal(400, 'PARAMETER_UNKNOWN', `There is no parameter ${name} here.`, name)
    }
    if (!many.includes(name) && query.getAll(name).length > 1) throw wrong(`Give ${name} once.`, name)
  }
}

/** The same for the fields of a form. */
export function onlyFields(form: URLSearchParams, single: readonly string[], many: readonly string[] = []): void {
  for (const name of new Set(form.keys())) {
    if (name !== 'seal' && !single.includes(name) && !many.includes(name)) {
      throw invalid('FIELD_UNKNOWN', `There is no field ${name} here.`, name)
    }
    if (!many.includes(name) && form.getAll(name).length > 1) throw invalid('FIELD_TWICE', `Give ${name} once.`, name)
  }
}

export function readCount(query: URLSearchParams, name: string, low: number, high: number, usual: number): number {
  const text = query.get(name)
  if (text === null || text === '') return usual
  const count = Number(text)
  if (!/^\d{1,4}$/.test(text) || count < low || count > high) {
    throw wrong(`${name} must be a whole number from ${low} to ${high}.`, name)
  }
  return count
}

export function readChoice<T extends string>(query: URLSearchParams, name: string, choices: readonly T[], usual: T): T {
  const text = query.get(name)
  const found = text === null ? usual : choices.find((choice) => choice === text)
  if (found === undefined) throw wrong(`${name} must be one of ${choices.join(', ')}.`, name)
  return found
}

/** The object's own fields, none but those. */
export function readObject(value: unknown, at: string, fields: readonly string[]): Record<string, unknown> {
  if (!isRecord(value)) {
    throw at === ''
      ? new Refusal(400, 'BODY_INVALID', 'The body must be a JSON object.')
      : invalid('OBJECT_INVALID', `${at} must be an object.`, at)
  }
  for (const name of Object.keys(value)) {
    const path = at === '' ? name : `${at}.${name}`
    if (!fields.includes(name)) throw invalid('FIELD_UNKNOWN', `There is no field ${path} here.`, path)
  }
  return value
}

/** A text of 1 to `limit` characters, kept as sent. */
export function readText(value: unknown, field: string, limit: number): string {
  if (value === undefined || value === null) throw invalid('FIELD_REQUIRED', `${field} is required.`, field)
  if (typeof value !== 'string') throw invalid('TEXT_INVALID', `${field} must be a text.`, field)
  if (value.trim() === '') throw invalid('FIELD_REQUIRED', `${field} is required.`, field)
  if (Array.from(value).length > limit) {
    throw invalid('TEXT_TOO_LONG', `${field} may have ${limit} characters at most.`, field)
  }
  return value
}
