import { isFields } from '../../connectors/kit/wire.ts'
import type { JsonSchema } from '../../connectors/registry.ts'
import { kindsOf, labelOf } from './declared.ts'
import { itemsOf, objectFor, propertiesOf } from './schema.ts'

/** An entity id in an input. */
export interface IdIn {
  /** Its path, such as `project.project_id`; the same for all entries of a list. */
  readonly path: string
  readonly label: string | undefined
  readonly kinds: readonly string[]
  readonly id: string
}

/** Entity ids in an input, in order. */
export function idsIn(value: unknown, schema: JsonSchema | undefined, path = '', label?: string): readonly IdIn[] {
  if (schema === undefined) return []
  const own = labelOf(schema) ?? label
  if (Array.isArray(value)) return value.flatMap((one) => idsIn(one, itemsOf(schema), path, own))
  if (isFields(value)) {
    const schemas = propertiesOf(objectFor(schema, value))
    return Object.entries(value).flatMap(([name, one]) =>
      idsIn(one, schemas[name], path === '' ? name : `${path}.${name}`),
    )
  }
  const kinds = kindsOf(schema)
  return typeof value === 'string' && kinds.length > 0 ? [{ path, label: own, kinds, id: value }] : []
}
