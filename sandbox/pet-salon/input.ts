import { isRecord } from '../platform/body.ts'
import { hash32 } from '../platform/random.ts'
import { json } from '../platform/replies.ts'
import { Refusal, type Reply, type SignedIn } from '../platform/types.ts'
import { clockIn, readHour, readSlashed } from './clock.ts'
import type { Salon } from './salon.ts'

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
  const day = readSlashed(text)
  if (day === undefined) throw wrong(`${name} must be a day such as 31/12/2026.`, name)
  return day
}

export function queryFlag(query: URLSearchParams, name: string): boolean {
  const text = query.get(name) ?? '0'
  if (text !== '0' && text !== '1') throw wrong(`${name} must be 0 or 1.`, name)
  return text === '1'
}

function queryWhole(query: URLSearchParams, name: string, usual: number, low: number, high: number): number {
  const text = query.get(name) ?? String(usual)
  const value = Number(text)
  if (!/^\d{1,7}$/.test(text) || value < low || value > high) throw wrong(`${name} is from ${low} to ${high}.`, name)
  return value
}

/** Which part of a list, and as of when: `rev` counts the salon's writes, `now` is what its clocks showed. */
export interface Slice {
  off: number
  lim: number
  rev: number
  now: string
  asOf: string
}

export const paging = ['off', 'lim', 'as_of'] as const

/** `most`: how many rows one part may hold. */
export function readSlice({ query, now }: SignedIn, salon: Salon, most: number): Slice {
  const off = queryWhole(query, 'off', 0, 0, 1_000_000)
  const lim = queryWhole(query, 'lim', 50, 1, most)
  const seal = (rev: number, at: number): string => hash32(`${salon.account} ${rev} ${at}`).toString(36)
  const given = query.get('as_of')
  if (given === null) {
    return { off, lim, rev: salon.rev, now: salon.now, asOf: `${salon.rev}.${now}.${seal(salon.rev, now)}` }
  }
  const [, rev = '', at = '', sealed] = /^(\d{1,9})\.(\d{1,11})\.([0-9a-z]+)$/.exec(given) ?? []
  if (sealed !== seal(Number(rev), Number(at)) || Number(rev) > salon.rev) {
    throw new Refusal(400, 'AS_OF_UNKNOWN', 'No list of yours was read as of that.', 'as_of')
  }
  return { off, lim, rev: Number(rev), now: clockIn(salon.zone, Number(at)), asOf: given }
}

/** One part of a list as the app answers it. */
export const listed = ({ zone, cur }: Salon, { off, lim, asOf }: Slice, tot: number, rows: readonly unknown[]): Reply =>
  json({ tz: zone, cur, tot, off, lim, as_of: asOf, rows })

function onlyKnown(names: Iterable<string>, allowed: readonly string[]): void {
  for (const name of names) {
    if (!allowed.includes(name)) throw invalid('FIELD_UNKNOWN', `There is no field ${name} here.`, name)
  }
}

export function jsonFields(json: unknown, ...allowed: string[]): Readonly<Record<string, unknown>> {
  if (!isRecord(json)) throw new Refusal(400, 'BODY_INVALID', 'The body must be a JSON object.')
  onlyKnown(Object.keys(json), allowed)
  return json
}

/** The fields of a form as texts; only `svc` may come more than once. */
export function formFields(form: URLSearchParams, ...allowed: string[]): Readonly<Record<string, string>> {
  onlyKnown(form.keys(), ['chk', ...allowed])
  const fields: Record<string, string> = {}
  for (const name of allowed) {
    const values = form.getAll(name)
    if (values.length > 1 && name !== 'svc') throw invalid('FIELD_TWICE', `Give ${name} once.`, name)
    // Browsers send line breaks as CR LF.
    if (values[0] !== undefined) fields[name] = values[0].replaceAll('\r\n', '\n')
  }
  return fields
}

/** A text as sent, of up to `limit` characters. */
export function readText(value: unknown, field: string, limit: number): string {
  if (typeof value !== 'string') throw invalid('TEXT_INVALID', `${field} must be a text.`, field)
  if (Array.from(value).length > limit) throw invalid('TEXT_TOO_LONG', `${field}: ${limit} characters at most.`, field)
  return value
}

export function required(value: unknown, field: string): unknown {
  const empty = value === undefined || (typeof value === 'string' && value.trim() === '')
  if (empty) throw invalid('FIELD_REQUIRED', `${field} is required.`, field)
  return value
}

export function readDay(value: unknown, field: string): string {
  const day = readSlashed(readText(required(value, field), field, 100))
  if (day === undefined) throw invalid('DAY_INVALID', `${field} must be a day such as 31/12/2026.`, field)
  return day
}

/** Minutes since midnight. */
export function readTime(value: unknown, field: string): number {
  const minute = readHour(readText(required(value, field), field, 100))
  if (minute === undefined) throw invalid('TIME_INVALID', `${field} must be a time such as 18:30.`, field)
  return minute
}

export function readWhole(text: string, field: string, low: number, high: number): number {
  const value = Number(text)
  if (!/^\d{1,9}$/.test(text) || value < low || value > high) {
    throw invalid('NUMBER_INVALID', `${field} must be a whole number from ${low} to ${high}.`, field)
  }
  return value
}
