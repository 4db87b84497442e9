import getRawBody from 'raw-body'
import { OAuthRefusal } from './refusal.ts'
import type { Http } from '../http/api.ts'

const limit = 64 * 1024

export type Fields = ReadonlyMap<string, string>

/** The non-empty fields of a form body. Throws invalid_request, also for a field sent twice. */
export async function readFields(http: Http): Promise<Fields> {
  if (!http.is('application/x-www-form-urlencoded')) throw refuse('Send a form: application/x-www-form-urlencoded.')
  const length = http.request.length ?? null
  const text = await getRawBody(http.req, { limit, length, encoding: 'utf8' }).catch((error: unknown) => {
    if (error instanceof Error && 'type' in error) throw refuse('The body is too large, or did not arrive in full.')
    throw error
  })
  return fieldsOf(new URLSearchParams(text))
}

/** Throws invalid_request for a field that was sent twice. */
export function fieldsOf(sent: URLSearchParams): Fields {
  const fields = new Map<string, string>()
  for (const [name, value] of sent) {
    if (fields.has(name)) throw refuse(`${name.slice(0, 40)} was sent twice.`)
    if (value.includes('\0')) throw refuse(`${name.slice(0, 40)} has a character that there is not.`)
    if (value !== '') fields.set(name, value)
  }
  return fields
}

/** Throws invalid_request. */
export function required(fields: Fields, name: string): string {
  const value = fields.get(name)
  if (value === undefined) throw refuse(`${name} is missing.`)
  return value
}

function refuse(message: string): OAuthRefusal {
  return new OAuthRefusal('invalid_request', message)
}
