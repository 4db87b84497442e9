import { kindKey } from '../../connectors/kit/inputs.ts'
import type { JsonSchema } from '../../connectors/registry.ts'
import { isFields } from '../../connectors/kit/wire.ts'

/** A text in an input or output: where it stands (`bookings.*.site_id`), and of what kind of thing it is the id, if of any. */
export interface Place {
  readonly path: readonly string[]
  readonly kind: string | undefined
}

/** Where a schema has texts; `*` is any item of a list. */
export function textPlaces(schema: unknown, path: readonly string[] = []): readonly Place[] {
  if (!isFields(schema)) return []
  const { type, anyOf, properties, items, [kindKey]: kind } = schema
  if (type === 'string') return [{ path, kind: typeof kind === 'string' ? kind : undefined }]
  return [
    ...(Array.isArray(anyOf) ? anyOf.flatMap((one) => textPlaces(one, path)) : []),
    ...(isFields(properties)
      ? Object.entries(properties).flatMap(([name, one]) => textPlaces(one, [...path, name]))
      : []),
    ...(items === undefined ? [] : textPlaces(items, [...path, '*'])),
  ]
}

/** The ids of an input's schema: where they stand, and what they name. */
export function idPlaces(schema: JsonSchema): readonly (Place & { readonly kind: string })[] {
  return textPlaces(schema).flatMap(({ path, kind }) => (kind === undefined ? [] : [{ path, kind }]))
}

/** All texts of a value that stand at a place. */
export function textsAt(value: unknown, [first, ...rest]: readonly string[]): readonly string[] {
  if (first === undefined) return typeof value === 'string' ? [value] : []
  if (first === '*') return Array.isArray(value) ? value.flatMap((one) => textsAt(one, rest)) : []
  return isFields(value) && Object.hasOwn(value, first) ? textsAt(value[first], rest) : []
}

/** The value with this text at the place, the first one where it is in a list; what is not there is made. */
export function withText(value: unknown, [first, ...rest]: readonly string[], text: string): unknown {
  if (first === undefined) return text
  if (first === '*') {
    const [head, ...others]: unknown[] = Array.isArray(value) ? value : []
    return [withText(head, rest, text), ...others]
  }
  const fields = isFields(value) ? value : {}
  return { ...fields, [first]: withText(fields[first], rest, text) }
}
