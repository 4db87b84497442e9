import type { TObject } from 'typebox'
import { InputRejected } from './failures.ts'
import { kindKey } from './inputs.ts'
import { isFields } from './wire.ts'
import type { Fields } from './wire.ts'

/**
 * For apps that number each kind of entity separately, so that one number is a trip, a step and a
 * comment. Public ids carry their kind, `trip_1000040`, and are only accepted for that kind. By
 * kind: the app's error for an unknown number.
 */
export type NumberedIds = Readonly<Record<string, { readonly code: string; readonly message: string }>>

/**
 * The input with the app's own numbers. Throws `InputRejected` for an id without a kind or of
 * another one: the app has no such entity.
 */
export function withNumbers(schema: TObject, input: Fields, kinds: NumberedIds): Fields {
  const numbers = replaced(schema, input, (kind, id) => {
    const [mark, number] = [id.slice(0, kind.length + 1), id.slice(kind.length + 1)]
    if (mark === `${kind}_` && /^[1-9]\d*$/.test(number)) return number
    const { code, message } = kinds[kind] ?? { code: 'NOT_FOUND', message: `There is no such ${kind}.` }
    throw new InputRejected(code, message)
  })
  return isFields(numbers) ? numbers : input
}

/** The output with ids that carry their kind. */
export function withKinds(schema: TObject, output: unknown): unknown {
  return replaced(schema, output, (kind, id) => `${kind}_${id}`)
}

/** The value with each id replaced. */
function replaced(schema: unknown, value: unknown, change: (kind: string, id: string) => string): unknown {
  if (!isFields(schema)) return value
  const { [kindKey]: kind, anyOf, properties, items } = schema
  if (Array.isArray(anyOf) && !isFields(properties))
    return anyOf.reduce((changed: unknown, one) => replaced(one, changed, change), value)
  if (typeof value === 'string') return typeof kind === 'string' ? change(kind, value) : value
  if (Array.isArray(value)) return value.map((item) => replaced(items, item, change))
  if (!isFields(value) || !isFields(properties)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, replaced(properties[name], item, change)]),
  )
}
