import { isRecord } from '../platform/body.ts'
import { Refusal } from '../platform/types.ts'

export const invalid = (code: string, why: string, at: string): Refusal => new Refusal(422, code, why, at)

export type Fields = Readonly<Record<string, unknown>>

interface Names {
  texts?: readonly string[]
  /** Numbers where they are digits; anything else is refused when it is read. */
  wholes?: readonly string[]
  /** Fields that may be repeated. */
  lists?: readonly string[]
}

const unknownField = (name: string): Refusal => invalid('FIELD_UNKNOWN', `There is no field ${name} here.`, name)

/** The fields of an address or of a form; what is empty counts as left out. */
export function readParams(params: URLSearchParams, { texts = [], wholes = [], lists = [] }: Names): Fields {
  const fields: Record<string, unknown> = {}
  for (const name of new Set(params.keys())) {
    const given = params.getAll(name)
    if (![...texts, ...wholes, ...lists].includes(name)) throw unknownField(name)
    if (lists.includes(name)) fields[name] = given.filter((value) => value !== '')
    else if (given.length > 1) throw invalid('FIELD_INVALID', `Give ${name} once.`, name)
    else if (given[0] !== '') fields[name] = wholes.includes(name) ? digits(given[0] ?? '') : given[0]
  }
  return fields
}

const digits = (value: string): string | number => (/^-?\d{1,12}$/.test(value) ? Number(value) : value)

export function readForm(form: URLSearchParams, names: Names): Fields {
  const own = new URLSearchParams(form)
  own.delete('deskkey')
  return readParams(own, names)
}

/** A JSON object with none but these fields. */
export function readBody(json: unknown, names: readonly string[]): Fields {
  if (!isRecord(json)) throw new Refusal(400, 'BODY_INVALID', 'A JSON object is needed here.')
  for (const name of Object.keys(json)) if (!names.includes(name)) throw unknownField(name)
  return json
}

/** A text as sent, but for line ends as forms send them; undefined where there is none. */
export function text(fields: Fields, name: string, limit: number): string | undefined {
  const value = fields[name]
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string') throw invalid('FIELD_INVALID', `${name} must be a text.`, name)
  const words = value.replaceAll('\r\n', '\n')
  if (Array.from(words).length > limit) throw invalid('TEXT_TOO_LONG', `${name} has ${limit} characters at most.`, name)
  return words
}

/** A text of one line that says something, or undefined where there is none. */
export function line(fields: Fields, name: string, limit: number): string | undefined {
  const words = text(fields, name, limit)
  if (words !== undefined && (words.trim() === '' || words.includes('\n'))) {
    throw invalid('FIELD_INVALID', `${name} must be a line of text.`, name)
  }
  return words
}

export function needLine(fields: Fields, name: string, limit: number): string {
  const words = line(fields, name, limit)
  if (words === undefined) throw invalid('FIELD_MISSING', `${name} is needed.`, name)
  return words
}

export function whole(fields: Fields, name: string, low: number, high: number): number | undefined {
  const value = fields[name]
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'number' || !Number.isInteger(value) || value < low || value > high) {
    throw invalid('FIELD_INVALID', `${name} must be a whole number from ${low} to ${high}.`, name)
  }
  return value
}

/** Whole dollars out of `USD 245000`. */
export function money(fields: Fields, name: string): number | undefined {
  const value = fields[name]
  if (value === undefined || value === null) return undefined
  const [, dollars] = typeof value === 'string' ? (/^USD (\d{1,9})$/.exec(value) ?? []) : []
  if (dollars === undefined) throw invalid('FIELD_INVALID', `${name} must be an amount such as USD 245000.`, name)
  return Number(dollars)
}

export function choice<T extends string>(fields: Fields, name: string, choices: readonly T[]): T | undefined {
  const value = fields[name]
  if (value === undefined || value === null) return undefined
  const found = choices.find((one) => one === value)
  if (!found) throw invalid('FIELD_INVALID', `${name} must be one of ${choices.join(', ')}.`, name)
  return found
}

export function needChoice<T extends string>(fields: Fields, name: string, choices: readonly T[]): T {
  const found = choice(fields, name, choices)
  if (!found) throw invalid('FIELD_MISSING', `${name} is needed.`, name)
  return found
}

/** Those of a repeated field; [] where there are none. */
export function choices<T extends string>(fields: Fields, name: string, known: readonly T[]): T[] {
  return texts(fields, name).map((one) => needChoice({ [name]: one }, name, known))
}

export const texts = (fields: Fields, name: string): string[] => {
  const value = fields[name]
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}
