import { isRecord } from '../platform/body.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { secondsOf } from './clock.ts'
import { ownRow } from './tables.ts'

export const invalid = (code: string, message: string, field: string): Refusal => new Refusal(422, code, message, field)

type Fields = Record<string, unknown>

function onlyKnown(names: Iterable<string>, known: readonly string[]): void {
  for (const name of names) {
    if (!known.includes(name)) throw invalid('FIELD_UNKNOWN', `There is no field ${name} here.`, name)
  }
}

/** A JSON object with none but these fields. */
export function readObject(value: unknown, known: readonly string[]): Fields {
  if (!isRecord(value)) throw new Refusal(400, 'BODY_INVALID', 'A JSON object is needed here.')
  onlyKnown(Object.keys(value), known)
  return value
}

/** A form's fields, each once; those left empty are left out, and `wholes` are numbers where they are digits. */
export function readForm(
  form: URLSearchParams,
  known: readonly string[],
  wholes: readonly string[] = [],
): Record<string, string | number> {
  const names = [...form.keys()].filter((name) => name !== 'ticket')
  onlyKnown(names, [...known, ...wholes])
  const fields: Record<string, string | number> = {}
  for (const name of names) {
    const [value = '', ...more] = form.getAll(name)
    if (more.length > 0) throw invalid('FIELD_REPEATED', `Give ${name} once.`, name)
    if (value !== '') fields[name] = wholes.includes(name) && /^\d{1,15}$/.test(value) ? Number(value) : value
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

/** A text of one line. */
export function needLine(fields: Fields, name: string, limit: number): string {
  const line = needText(fields, name, limit)
  if (line.includes('\n')) throw invalid('TEXT_INVALID', `${name} must be a single line.`, name)
  return line
}

/** Different texts of 1 to 60 characters; [] where there are none. */
export function readList(fields: Fields, name: string, limit: number): string[] {
  const value = fields[name] ?? []
  if (!Array.isArray(value)) throw invalid('LIST_INVALID', `${name} must be a list of texts.`, name)
  if (value.length > limit) throw invalid('LIST_TOO_LONG', `${name} has ${limit} entries at most.`, name)
  const texts = value.map((entry: unknown) => needLine({ [name]: entry }, name, 60))
  if (new Set(texts).size < texts.length) throw invalid('LISTED_TWICE', `${name} holds something twice.`, name)
  return texts
}

/** Ids of the studio's shelves, as JSON for the table. */
export function readShelves(request: SignedIn, fields: Fields): string {
  const shelves = readList(fields, 'shelves', 20)
  for (const id of shelves) ownRow(request, 'shelves', id, 'shelves')
  return JSON.stringify(shelves)
}

export function readFlag(fields: Fields, name: string): boolean {
  const value = fields[name] ?? false
  if (typeof value !== 'boolean') throw invalid('FLAG_INVALID', `${name} must be true or false.`, name)
  return value
}

export function readChoice<T extends string>(fields: Fields, name: string, choices: readonly T[], preset?: T): T {
  const value = fields[name] ?? preset
  if (value === undefined) throw invalid('FIELD_REQUIRED', `${name} is required.`, name)
  const chosen = choices.find((choice) => choice === value)
  if (chosen === undefined) throw invalid('CHOICE_INVALID', `${name} must be one of ${choices.join(', ')}.`, name)
  return chosen
}

export function readWhole(fields: Fields, name: string, low: number, high: number): number | undefined {
  const value = fields[name]
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'number' || !Number.isInteger(value) || value < low || value > high) {
    throw invalid('NUMBER_INVALID', `${name} must be a whole number from ${low} to ${high}.`, name)
  }
  return value
}

/** A moment to come, in Unix seconds; undefined where there is none. */
export function readMoment(fields: Fields, name: string, now: number): number | undefined {
  const value = fields[name]
  if (value === undefined || value === null) return undefined
  const seconds = typeof value === 'string' ? secondsOf(value) : undefined
  if (seconds === undefined) throw invalid('MOMENT_INVALID', `${name} must be like 2026-02-28T20:00:00-03:30.`, name)
  if (seconds <= now) throw invalid('MOMENT_PAST', `${name} must be in the future.`, name)
  return seconds
}
