import { isFields } from '../kit/wire.ts'

/**
 * A copy of a schema in which fields with a default are optional: clients that validate arguments
 * themselves would refuse what is accepted here.
 */
export function withOptionalDefaults(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withOptionalDefaults)
  if (!isFields(schema)) return schema
  const copy = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, isData.has(name) ? value : withOptionalDefaults(value)]),
  )
  const { properties, required } = copy
  if (!isFields(properties) || !Array.isArray(required)) return copy
  const { required: _, ...rest } = copy
  const needed = required.filter((name) => !hasDefault(properties[String(name)]))
  return needed.length === 0 ? rest : { ...rest, required: needed }
}

/** Keywords that hold values, not schemas. */
const isData: ReadonlySet<string> = new Set(['default', 'const', 'enum', 'examples', 'required'])

function hasDefault(property: unknown): boolean {
  return isFields(property) && 'default' in property
}
