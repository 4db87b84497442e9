import { isRecord } from '../platform/body.ts'
import { Refusal } from '../platform/types.ts'
import { parseAsOf, type AsOf, type Salon } from './salon.ts'
import { isZone, momentOf, parseDay, parseWall } from './zones.ts'

export const invalid = (field: string, detail: string, code = 'PARAM_INVALID'): Refusal =>
  new Refusal(422, code, detail, field)

function whole(query: URLSearchParams, name: string, preset: number, low: number, high: number): number {
  const text = query.get(name)
  if (text === null) return preset
  const value = Number(text)
  if (!/^\d{1,9}$/.test(text) || value < low || value > high) {
    throw invalid(name, `${name} must be a whole number from ${low} to ${high}.`)
  }
  return value
}

export interface Slice {
  offset: number
  limit: number
  asOf: AsOf
}

export function readSlice(query: URLSearchParams, salon: Salon, now: number, most = 200): Slice {
  const token = query.get('as_of')
  const asOf = token === null ? { tick: salon.tick, time: now } : parseAsOf(salon, token)
  if (!asOf) throw invalid('as_of', 'as_of is not a token of this salon. Begin the list again.', 'AS_OF_INVALID')
  return {
    offset: whole(query, 'offset', 0, 0, 999_999_999),
    limit: whole(query, 'limit', Math.min(50, most), 1, most),
    asOf,
  }
}

export function readDay(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  const day = parseDay(text)
  if (day === undefined) throw invalid(name, `${name} must be a day such as 2026/12/31.`)
  return day
}

export interface Days {
  first: number
  last: number
}

/** `first_day` and `last_day`, both included; without a preset `first_day` is required and `last_day` the same. */
export function readDays(query: URLSearchParams, preset?: Days): Days {
  const first = readDay(query, 'first_day') ?? preset?.first
  if (first === undefined) throw invalid('first_day', 'first_day is required, such as 2026/12/31.')
  const last = readDay(query, 'last_day') ?? preset?.last ?? first
  if (last < first) throw invalid('last_day', 'last_day lies before first_day.')
  return { first, last }
}

/** A JSON object with no other fields than these. */
export function readBody(json: unknown, fields: readonly string[]): Record<string, unknown> {
  if (!isRecord(json)) throw new Refusal(400, 'BODY_INVALID', 'The body must be a JSON object.')
  const unknown = Object.keys(json).find((name) => !fields.includes(name))
  if (unknown !== undefined) throw invalid(unknown, `There is no field "${unknown}".`, 'FIELD_UNKNOWN')
  return json
}

/** Text of 1 to `most` characters, as sent but for line ends; undefined where it is left out, null or empty. */
export function maybeWords(body: Record<string, unknown>, name: string, most: number): string | undefined {
  const value = body[name]
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value !== 'string' || value.trim() === '') throw invalid(name, `${name} must be text.`, 'TEXT_INVALID')
  const words = value.replaceAll('\r\n', '\n')
  if (Array.from(words).length > most) throw invalid(name, `${name} may have ${most} characters.`, 'TEXT_TOO_LONG')
  return words
}

export function words(body: Record<string, unknown>, name: string, most: number): string {
  const value = maybeWords(body, name, most)
  if (value === undefined) throw invalid(name, `${name} is required.`, 'TEXT_REQUIRED')
  return value
}

export function flag(body: Record<string, unknown>, name: string, preset: boolean): boolean {
  const value = body[name] ?? preset
  if (typeof value !== 'boolean') throw invalid(name, `${name} must be true or false.`, 'FLAG_INVALID')
  return value
}

export function textList(body: Record<string, unknown>, name: string, most: number): string[] {
  const value = body[name] ?? []
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string' && item.trim() !== '')) {
    throw invalid(name, `${name} must be a list of texts.`, 'LIST_INVALID')
  }
  if (value.length > most) throw invalid(name, `${name} may have ${most} entries.`, 'LIST_TOO_LONG')
  return value.map(String)
}

/** The moment that a field with a local time and the field `tz` name together. */
export function moment(body: Record<string, unknown>, name: string): number {
  const [local, zone] = [body[name], body['tz']]
  if (typeof zone !== 'string' || !isZone(zone)) {
    throw invalid('tz', 'tz must be an IANA zone such as Europe/Lisbon.', 'ZONE_UNKNOWN')
  }
  const wall = typeof local === 'string' ? parseWall(local) : undefined
  if (!wall) throw invalid(name, `${name} must be a local time such as 2026/12/31 09:30.`, 'TIME_INVALID')
  const seconds = momentOf(wall, zone)
  if (seconds === undefined) throw invalid(name, `The clocks in ${zone} skip this time.`, 'TIME_SKIPPED')
  return seconds
}
