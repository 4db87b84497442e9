import type { JsonSchema } from '../../connectors/registry.ts'
import { hasGroups } from '../../connectors/kit/groups.ts'
import { isFields } from '../../connectors/kit/wire.ts'

type Schema = JsonSchema | undefined

export function propertiesOf(schema: Schema): Readonly<Record<string, JsonSchema>> {
  const properties = schema?.['properties']
  if (!isFields(properties)) return {}
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, inner]) => (isFields(inner) ? [[name, inner]] : [])),
  )
}

/** Schema of a list's items, also in a union with other types. */
export function itemsOf(schema: Schema): Schema {
  if (schema === undefined) return undefined
  const items = schema['items']
  return isFields(items)
    ? items
    : alternativesOf(schema)
        .map(itemsOf)
        .find((one) => one !== undefined)
}

/** The alternatives of anyOf, oneOf or allOf. */
export function alternativesOf(schema: JsonSchema): readonly JsonSchema[] {
  if (hasGroups(schema)) return []
  return ['anyOf', 'oneOf', 'allOf'].flatMap((choice) => {
    const parts = schema[choice]
    return Array.isArray(parts) ? parts.filter(isFields) : []
  })
}

/** Of a union of objects, the one that the value matches. */
export function objectFor(schema: Schema, value: object): Schema {
  if (schema === undefined || isFields(schema['properties'])) return schema
  const fits = (one: Schema): boolean => Object.keys(value).every((name) => Object.hasOwn(propertiesOf(one), name))
  return alternativesOf(schema)
    .map((one) => objectFor(one, value))
    .find(fits)
}

/** Schema at a path such as `client.name`. */
export function schemaAt(schema: Schema, path: string): Schema {
  let at = schema
  for (const name of path.split('.')) {
    const own: Schema[] = objectsIn(at)
      .map(propertiesOf)
      .map((properties) => properties[name])
    at = own.find((one) => one !== undefined)
  }
  return at
}

export function requiredOf(schema: Schema): readonly unknown[] {
  const required = schema?.['required']
  return Array.isArray(required) ? required : []
}

/** Object schemas with known properties that a value is, may be, or is a list of. */
export function objectsIn(schema: Schema): readonly JsonSchema[] {
  if (schema === undefined) return []
  if (isFields(schema['properties'])) return [schema]
  const { anyOf } = schema
  const choices: readonly unknown[] = Array.isArray(anyOf) ? anyOf : [itemsOf(schema)]
  return choices.filter(isFields).flatMap(objectsIn)
}

/** A type as text: `text`, `number, 1 to 100`, `one of sale, rent`, `list of texts`. */
export function typeOf(schema: Schema): string {
  if (schema === undefined) return 'any'
  const choices = choicesOf(schema)
  if (choices.length > 0) return `one of ${choices.join(', ')}`
  const alternatives = schema['anyOf']
  if (Array.isArray(alternatives) && !hasGroups(schema))
    return alternatives.map((one) => typeOf(isFields(one) ? one : undefined)).join(' or ')
  switch (schema['type']) {
    case 'string':
      return schema['format'] === 'date'
        ? 'date'
        : schema['format'] === 'date-time'
          ? 'date and time'
          : `text${rangeOf(schema, 'Length')}`
    case 'integer':
      return `whole number${rangeOf(schema, 'imum')}`
    case 'number':
      return `number${rangeOf(schema, 'imum')}`
    case 'boolean':
      return 'true or false'
    case 'array':
      return `list of ${typeOf(itemsOf(schema))}${rangeOf(schema, 'Items')}`
    case 'null':
      return 'null'
    default:
      return 'object'
  }
}

export function choicesOf(schema: JsonSchema): readonly string[] {
  if ('const' in schema) return [String(schema['const'])]
  const { enum: values, anyOf } = schema as { enum?: unknown; anyOf?: unknown }
  if (Array.isArray(values)) return values.map(String)
  if (!Array.isArray(anyOf)) return []
  const all = anyOf.map((one: unknown) => (isFields(one) ? choicesOf(one) : []))
  return all.every((one) => one.length > 0) ? all.flat() : []
}

function rangeOf(schema: JsonSchema, suffix: 'Length' | 'Items' | 'imum'): string {
  const min = schema[`min${suffix}`]
  const max = schema[`max${suffix}`]
  const unit = suffix === 'Length' ? ' characters' : ''
  if (typeof min === 'number' && typeof max === 'number') return `, ${min} to ${max}${unit}`
  if (typeof max === 'number') return `, at most ${max}${unit}`
  return typeof min === 'number' && min > 0 && suffix !== 'Length' ? `, at least ${min}` : ''
}
