import { isRecord } from '../platform/body.ts'
import { Refusal } from '../platform/types.ts'
import { isDay } from './clock.ts'

export const invalid = (code: string, message: string, field: string): Refusal => new Refusal(422, code, message, field)

const unreadable = (message: string): Refusal => new Refusal(400, 'BODY_INVALID', message)

/** The attributes and related ids of `{ "data": { "type", "attributes", "relationships" } }`. */
export interface Sent {
  attributes: Record<string, unknown>
  related: Record<string, string>
}

function readRelated(value: unknown): Record<string, string> {
  const related: Record<string, string> = {}
  if (value === undefined) return related
  if (!isRecord(value)) throw unreadable('relationships must be an object.')
  for (const [name, relation] of Object.entries(value)) {
    const target = isRecord(relation) ? relation['data'] : undefined
    const id = isRecord(target) ? target['id'] : undefined
    if (typeof id !== 'string') throw unreadable(`relationships.${name} must be { "data": { "type", "id" } }.`)
    related[name] = id
  }
  return related
}

/** One resource of that type with none but those attributes and relationships. */
export function readSent(resource: unknown, type: string, attributes: string[], relations: string[] = []): Sent {
  if (!isRecord(resource) || resource['type'] !== type) throw unreadable(`data must be a resource of type ${type}.`)
  const given = resource['attributes'] ?? {}
  if (!isRecord(given)) throw unreadable('attributes must be an object.')
  const related = readRelated(resource['relationships'])
  for (const name of Object.keys(given)) {
    if (!attributes.includes(name)) throw invalid('FIELD_UNKNOWN', `${type} have no attribute ${name} to set.`, name)
  }
  for (const name of Object.keys(related)) {
    if (!relations.includes(name)) throw invalid('FIELD_UNKNOWN', `${type} have no relationship ${name} to set.`, name)
  }
  return { attributes: given, related }
}

export function dataOf(json: unknown): unknown {
  if (!isRecord(json)) throw unreadable('The body must be a JSON object with data.')
  return json['data']
}

/** A text of 1 to `limit` characters, without blanks around it. */
export function readLine(value: unknown, field: string, limit: number): string {
  const text = typeof value === 'string' ? value.trim() : ''
  if (text === '') throw invalid('FIELD_REQUIRED', `${field} is required.`, field)
  if (Array.from(text).length > limit) {
    throw invalid('TEXT_TOO_LONG', `${field} may have ${limit} characters at most.`, field)
  }
  return text
}

/** A text as sent, but for line ends as forms send them; '' where there is none. */
export function readWords(value: unknown, field: string, limit: number): string {
  if (value === undefined || value === null) return ''
  if (typeof value !== 'string') throw invalid('TEXT_INVALID', `${field} must be a text.`, field)
  const text = value.replaceAll('\r\n', '\n')
  if (Array.from(text).length > limit) {
    throw invalid('TEXT_TOO_LONG', `${field} may have ${limit} characters at most.`, field)
  }
  return text
}

export function readDayField(value: unknown, field: string): string | null {
  if (value === undefined || value === null) return null
  if (typeof value !== 'string' || !isDay(value)) {
    throw invalid('DAY_INVALID', `${field} must be a day such as 20260228.`, field)
  }
  return value
}

export function readMail(value: unknown, field: string): string {
  const mail = readLine(value, field, 254)
  if (!/^[^@\s,;<>]+@[^@\s,;<>.]+(\.[^@\s,;<>.]+)+$/.test(mail)) {
    throw invalid('ADDRESS_INVALID', `${mail} is no e-mail address.`, field)
  }
  return mail
}
