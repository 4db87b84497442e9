import { isFields } from './wire.ts'
import type { Fields } from './wire.ts'

/**
 * One way to satisfy a group: an input, several inputs together, or an input with one of these
 * values, optionally `with` others.
 */
export type Alternative<Name extends string = string> =
  | Name
  | readonly Name[]
  | { readonly is: Partial<Readonly<Record<Name, readonly (string | boolean)[]>>>; readonly with?: readonly Name[] }

/** Requirements beyond required fields. `exactlyOne` also rejects a second alternative. */
export interface Groups<Name extends string = string> {
  readonly atLeastOne?: readonly Alternative<Name>[]
  readonly exactlyOne?: readonly Alternative<Name>[]
}

/** The same as JSON Schema keywords, for an object with these properties. */
export function groupKeywords({ atLeastOne, exactlyOne }: Groups, properties: Fields): Fields {
  const branches = (group: readonly Alternative[]): Fields[] => group.map((one) => branchOf(one, properties))
  return {
    ...(atLeastOne && { anyOf: branches(atLeastOne) }),
    ...(exactlyOne && { oneOf: branches(exactlyOne) }),
  }
}

function branchOf(one: Alternative, properties: Fields): Fields {
  if (typeof one === 'string') return { required: [one] }
  if (!isValued(one)) return { required: [...one] }
  const entries = Object.entries(one.is as Readonly<Record<string, readonly (string | boolean)[]>>)
  /** A field whose default is an allowed value may be left out. */
  const given = entries.filter(([name, values]) => !values.some((value) => value === defaultOf(properties[name])))
  const required = [...given.map(([name]) => name), ...(one.with ?? [])]
  return {
    properties: Object.fromEntries(entries.map(([name, values]) => [name, { enum: [...values] }])),
    ...(required.length > 0 && { required }),
  }
}

const isValued = (one: Alternative): one is Extract<Alternative, { is: unknown }> =>
  typeof one === 'object' && 'is' in one

const defaultOf = (schema: unknown): unknown => (isFields(schema) ? schema['default'] : undefined)

/** Whether the schema's `anyOf` or `oneOf` groups fields rather than choosing between values. */
export function hasGroups(schema: Fields): boolean {
  return 'properties' in schema && ('anyOf' in schema || 'oneOf' in schema)
}

/** The schema without its groups. */
export function withoutGroups(schema: Fields): Fields {
  if (!('properties' in schema)) return schema
  const { anyOf: _any, oneOf: _one, ...rest } = schema
  return rest
}

/** The groups as text: `at least one of title, tags`. */
export function groupWords(schema: Fields): readonly string[] {
  const said = (word: string, branches: unknown): string[] =>
    'properties' in schema && Array.isArray(branches)
      ? [`${word} ${branches.filter(isFields).map(branchWords).join(', ')}`]
      : []
  return [...said('at least one of', schema['anyOf']), ...said('exactly one of', schema['oneOf'])]
}

function branchWords({ required, properties }: Fields): string {
  const valued = Object.entries(isFields(properties) ? properties : {}).map(([name, schema]) => {
    const values: unknown = isFields(schema) ? schema['enum'] : undefined
    return `${name}: ${Array.isArray(values) ? values.join(' or ') : 'set'}`
  })
  const names = (Array.isArray(required) ? required.map(String) : []).filter(
    (name) => !(isFields(properties) && Object.hasOwn(properties, name)),
  )
  return [...valued, ...names].join(' with ')
}
