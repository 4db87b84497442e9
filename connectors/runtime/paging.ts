import { isDeepStrictEqual } from 'node:util'
import type { TObject } from 'typebox'
import { openCursor } from './cursor.ts'
import type { ParsedInput } from './app.ts'
import { isFields } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'

type Check = (value: unknown, keys: { readonly cursorKey: Buffer }) => ParsedInput

/** The inputs that identify a list, whatever the page: those that its cursor holds. */
export function listInput(input: Fields): Fields {
  return Object.fromEntries(Object.entries(input).filter(([name]) => name !== 'cursor' && name !== 'limit'))
}

/** Validates later pages, too: omitted inputs come from the cursor, given ones must match it. */
export function withPaging(endpoint: { readonly id: string; readonly schema: TObject }, check: Check): Check {
  if (!('cursor' in endpoint.schema.properties)) return check
  return (value, keys) => {
    const given = isFields(value) ? value : {}
    const cursor = given['cursor']
    const place = typeof cursor === 'string' ? openCursor(keys.cursorKey, endpoint.id, cursor) : null
    if (place === null) return check(value, keys)
    const parsed = check({ ...place.input, ...given }, keys)
    if (!parsed.ok) return parsed
    const others = Object.keys(listInput(given)).filter(
      (name) => !isDeepStrictEqual(parsed.input[name], place.input[name]),
    )
    const message = "is not what the cursor's first page was asked with; leave it out or repeat it"
    return others.length > 0 ? { ok: false, details: others.map((path) => ({ path, message })) } : parsed
  }
}
