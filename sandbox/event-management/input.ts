import { isRecord } from '../platform/body.ts'
import { Refusal } from '../platform/types.ts'
import { readCompact } from './clock.ts'

export const invalid = (code: string, message: string, field: string): Refusal => new Refusal(422, code, message, field)

export type Fields = Readonly<Record<string, unknown>>

/** How labels, names and addresses are compared. */
export const fold = (words: string): string => words.trim().toLowerCase()

/** The parameters of an address; those that the list does not have are refused, so that a misspelt filter is never ignored. */
export function readQuery(query: URLSearchParams, names: readonly string[]): Readonly<Record<string, string>> {
  for (const name of query.keys()) {
    if (!names.includes(name)) throw new Refusal(400, 'PARAMETER_UNKNOWN', `There is no parameter ${name}.`, name)
    if (query.getAll(name).length > 1) throw new Refusal(400, 'PARAMETER_INVALID', `Give ${name} once.`, name)
  }
  return Object.fromEntries(query)
}

/** A JSON object with none but these fields. */
export function readBody(json: unknown, names: readonly string[]): Fields {
  if (!isRecord(json)) throw new Refusal(400, 'BODY_INVALID', 'A JSON object is needed here.')
  refuseOthers(Object.keys(json), names)
  return json
}

function refuseOthers(given: Iterable<string>, names: readonly string[]): void {
  for (const name of given) {
    if (!names.includes(name)) throw invalid('FIELD_UNKNOWN', `There is no field ${name} here.`, name)
  }
}

/** The fields of a form; empty ones count as left out. */
export function readForm(form: URLSearchParams, single: readonly string[], many: readonly string[] = []): Fields {
  const fields: Record<string, unknown> = {}
  refuseOthers(form.keys(), ['stamp', ...single, ...many])
  for (const name of single) {
    const given = form.getAll(name)
    if (given.length > 1) throw invalid('FIELD_INVALID', `Give ${name} once.`, name)
    if (given[0]) fields[name] = given[0]
  }
  for (const name of many) fields[name] = form.getAll(name)
  return fields
}

/** A text as sent, but for line ends as forms send them; undefined where there is none. */
export function readText(fields: Fields, name: string, limit: number): string | undefined {
  const value = fields[name]
  if (value === undefined) return undefined
  if (typeof value !== 'string') throw invalid('FIELD_INVALID', `${name} must be a text.`, name)
  const words = value.replaceAll('\r\n', '\n')
  if (Array.from(words).length > limit) throw invalid('TEXT_TOO_LONG', `${name} has ${limit} characters at most.`, name)
  return words
}

/** A text that says something. */
export function needText(fields: Fields, name: string, limit: number): string {
  const words = readText(fields, name, limit)
  if (words === undefined || words.trim() === '') throw invalid('FIELD_MISSING', `${name} is needed.`, name)
  return words
}

export function needMail(fields: Fields): string {
  const mail = needText(fields, 'mail', 254)
  if (!/^[^@\s,;<>"]+@[^@\s,;<>".]+(\.[^@\s,;<>".]+)+$/.test(mail)) {
    throw invalid('MAIL_INVALID', 'mail must be an e-mail address.', 'mail')
  }
  return mail
}

/** Labels or names, each once; undefined where the field is left out. */
export function readNames(fields: Fields, name: string, most: number): string[] | undefined {
  const value = fields[name]
  if (value === undefined) return undefined
  if (!Array.isArray(value)) throw invalid('FIELD_INVALID', `${name} must be a list of texts.`, name)
  if (value.length > most) throw invalid('LIST_TOO_LONG', `${name} has ${most} entries at most.`, name)
  const names = value.map((one: unknown) => needText({ [name]: one }, name, 120))
  if (new Set(names.map(fold)).size < names.length) throw invalid('NAME_TWICE', `Give each of ${name} once.`, name)
  return names
}

/** A moment out of `{ "utc": "20261231T093000Z" }`; undefined where the field is left out. */
export function readMoment(fields: Fields, name: string): number | undefined {
  const value = fields[name]
  if (value === undefined) return undefined
  const utc = isRecord(value) && Object.keys(value).length === 1 ? value['utc'] : undefined
  const at = typeof utc === 'string' ? readCompact(utc) : undefined
  if (at === undefined) throw invalid('MOMENT_INVALID', `${name} must be { "utc": "20261231T093000Z" }.`, name)
  return at
}
