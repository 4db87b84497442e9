import { isFields } from '../kit/wire.ts'
import { hasGroups } from '../kit/groups.ts'
import { kindKey } from '../kit/inputs.ts'

/** A JSON Schema, or a part of one. */
export type Schema = Readonly<Record<string, unknown>>

/** A field of an object's schema. */
export interface Field {
  /** `guests[].phone` */
  readonly path: string
  readonly schema: Schema
  /** All fields of its object. */
  readonly beside: Readonly<Record<string, Schema>>
}

/** All fields of an object's schema, nested ones included. */
export function fieldsIn(schema: unknown, at = ''): Field[] {
  if (!isFields(schema)) return []
  const own = propertiesOf(schema)
  return [
    ...Object.entries(own).flatMap(([name, one]) => [
      { path: `${at}${name}`, schema: one, beside: own },
      ...fieldsIn(one, `${at}${name}.`),
    ]),
    ...fieldsIn(schema['items'], at.replace(/\.$/, '[].')),
    ...choicesOf(schema).flatMap((one) => fieldsIn(one, at)),
  ]
}

/** The field at a path, such as `client.name`, in an object's schema. */
export function fieldAt(schema: unknown, path: string): Schema | undefined {
  let at: Schema | undefined = isFields(schema) ? schema : undefined
  for (const name of path.split('.')) at = at && propertiesOf(objectIn(at) ?? {})[name]
  return at
}

/** The object at `sections.lessons`, through objects and lists (of a list: its items). */
export function objectAt(schema: Schema | undefined, path: readonly string[]): Schema | undefined {
  const here = schema && (objectIn(schema) ?? objectIn(itemsIn(schema)))
  const [name, ...rest] = path
  return here === undefined || name === undefined ? here : objectAt(propertiesOf(here)[name], rest)
}

export function objectIn(schema: unknown): Schema | undefined {
  if (!isFields(schema)) return undefined
  return isFields(schema['properties'])
    ? schema
    : choicesOf(schema)
        .map(objectIn)
        .find((one) => one !== undefined)
}

export function itemsIn(schema: Schema): unknown {
  return (
    schema['items'] ??
    choicesOf(schema)
      .map(itemsIn)
      .find((one) => one !== undefined)
  )
}

export function kindsIn(schema: unknown): string[] {
  if (!isFields(schema)) return []
  const { [kindKey]: kind, items } = schema
  return [...(typeof kind === 'string' ? [kind] : []), ...kindsIn(items), ...choicesOf(schema).flatMap(kindsIn)]
}

export function propertiesOf(schema: Schema): Readonly<Record<string, Schema>> {
  return isFields(schema['properties']) ? (schema['properties'] as Record<string, Schema>) : {}
}

export function requiredOf(schema: Schema): readonly string[] {
  return Array.isArray(schema['required']) ? schema['required'].map(String) : []
}

/** The alternatives of a choice. Groups have none: their branches describe no whole value. */
export function choicesOf(schema: Schema): readonly Schema[] {
  if (hasGroups(schema)) return []
  return ['anyOf', 'oneOf', 'allOf'].flatMap((choice) => {
    const parts = schema[choice]
    return Array.isArray(parts) ? parts.filter(isFields) : []
  })
}
