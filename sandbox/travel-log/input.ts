import { isRecord } from '../platform/body.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { spotNamed, spotNear, type Geo } from './atlas.ts'
import { dashed, isZone } from './clock.ts'

export const invalid = (code: string, message: string, field: string): Refusal => new Refusal(422, code, message, field)

export type Fields = Record<string, unknown>

/** Who has not confirmed their address reads only. */
export function needConfirmed({ viewer }: SignedIn): void {
  if (viewer.account.kind === 'unconfirmed') {
    throw new Refusal(403, 'MAIL_UNCONFIRMED', 'Please confirm your e-mail address before you write.')
  }
}

/** A JSON object with none but these fields. */
export function readFields(value: unknown, known: readonly string[], within = ''): Fields {
  if (!isRecord(value)) {
    if (within === '') throw new Refusal(400, 'BODY_INVALID', 'A JSON object is needed here.')
    throw invalid('OBJECT_INVALID', `${within} must be an object.`, within)
  }
  for (const name of Object.keys(value)) {
    if (!known.includes(name)) throw invalid('FIELD_UNKNOWN', `There is no field ${name} here.`, name)
  }
  return value
}

/** A form's fields, each once; those left empty are left out. */
export function readForm(form: URLSearchParams, known: readonly string[]): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const [name, value] of form) {
    if (name === 'wend') continue
    if (!known.includes(name)) throw invalid('FIELD_UNKNOWN', `There is no field ${name} here.`, name)
    if (form.getAll(name).length > 1) throw invalid('FIELD_REPEATED', `Give ${name} once.`, name)
    if (value !== '') fields[name] = value.replaceAll('\r\n', '\n')
  }
  return fields
}

/** A text as sent; undefined where there is none. */
export function readText(fields: Fields, name: string, limit: number): string | undefined {
  const value = fields[name]
  if (value === undefined) return undefined
  if (typeof value !== 'string') throw invalid('TEXT_INVALID', `${name} must be a text.`, name)
  if (Array.from(value).length > limit) throw invalid('TEXT_TOO_LONG', `${name} has ${limit} characters at most.`, name)
  return value
}

/** A text that says something, if it is there. */
export function readLine(fields: Fields, name: string, limit: number): string | undefined {
  const text = readText(fields, name, limit)
  if (text?.trim() === '') throw invalid('FIELD_REQUIRED', `${name} must not be blank.`, name)
  return text
}

export function need<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw invalid('FIELD_REQUIRED', `${name} is required.`, name)
  return value
}

function readWhole(value: unknown, name: string, low: number, high: number): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < low || value > high) {
    throw invalid('NUMBER_INVALID', `${name} must be a whole number from ${low} to ${high}.`, name)
  }
  return value
}

/** A day from 1900 to 2100. */
export function readDay(fields: Fields, name: string): number | undefined {
  const value = fields[name]
  if (value === undefined || value === null) return undefined
  const isDay = typeof value === 'number' && value >= 19_000_101 && value <= 21_001_231 && dashed(value) !== undefined
  if (!isDay) throw invalid('DAY_INVALID', `${name} must be a day such as 20260228, from 1900 to 2100.`, name)
  return value
}

export function readChoice<T extends string>(fields: Fields, name: string, choices: readonly T[]): T | undefined {
  const value = fields[name]
  const chosen = choices.find((choice) => choice === value)
  if (value !== undefined && chosen === undefined) {
    throw invalid('CHOICE_INVALID', `${name} must be one of ${choices.join(', ')}.`, name)
  }
  return chosen
}

/** Unix seconds from 1900 to 2100. */
export function readMoment(fields: Fields, name: string): number | undefined {
  return fields[name] === undefined ? undefined : readWhole(fields[name], name, -2_208_988_800, 4_133_980_799)
}

export function readZone(fields: Fields): string | undefined {
  const zone = readText(fields, 'zone', 64)
  if (zone === undefined || isZone(zone)) return zone
  throw invalid('ZONE_UNKNOWN', 'zone must be an IANA zone or an offset such as +05:45.', 'zone')
}

/** Where an entry is: as the traveller calls it, and as far as the atlas knows it. */
export interface Spot {
  label: string
  land: string | null
  geo: Geo | null
  zone: string | undefined
}

/** `{ "named" }` or `{ "geo": { lat6, lng6 } }`. */
export function readSpot(fields: Fields): Spot | undefined {
  if (fields['spot'] === undefined) return undefined
  const spot = readFields(fields['spot'], ['named', 'geo'], 'spot')
  if (Object.keys(spot).length !== 1) throw invalid('SPOT_INVALID', 'spot holds either named or geo.', 'spot')
  if (spot['geo'] === undefined) {
    const label = need(readLine(spot, 'named', 200), 'named')
    const known = spotNamed(label)
    return { label, land: known?.land ?? null, geo: known?.geo ?? null, zone: known?.zone }
  }
  const given = readFields(spot['geo'], ['lat6', 'lng6'], 'geo')
  const lat6 = readWhole(given['lat6'], 'lat6', -90_000_000, 90_000_000)
  const lng6 = readWhole(given['lng6'], 'lng6', -180_000_000, 180_000_000)
  const near = spotNear({ lat6, lng6 })
  const label = near?.label ?? `${(lat6 / 1e6).toFixed(6)}, ${(lng6 / 1e6).toFixed(6)}`
  return { label, land: near?.land ?? null, geo: { lat6, lng6 }, zone: near?.zone }
}

/** Web addresses of pictures and films; one with `missing` in its path cannot be fetched. */
export function readMedia(fields: Fields, low: number): string[] {
  const value = fields['gallery'] ?? []
  if (!Array.isArray(value) || value.length < low || value.length > 50) {
    throw invalid('LIST_INVALID', `gallery must be a list of ${low} to 50 addresses.`, 'gallery')
  }
  return value.map((entry: unknown) => {
    const address = typeof entry === 'string' && entry.length <= 2000 && URL.canParse(entry) ? entry : ''
    if (!/^https?:\/\/[^\s]+$/i.test(address)) {
      throw invalid('MEDIA_INVALID', 'Each of gallery must be a web address.', 'gallery')
    }
    if (new URL(address).pathname.includes('missing')) {
      throw invalid('MEDIA_UNREACHABLE', `There is nothing at ${address}.`, 'gallery')
    }
    return address
  })
}
