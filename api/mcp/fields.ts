import { Type } from 'typebox'
import { isFields } from '../../connectors/kit/wire.ts'
import type { Detail } from '../../connectors/registry.ts'

const paths = { minItems: 1, maxItems: 50 }

/** Which fields of an output to return: dotted paths, which skip lists. */
export const fields = Type.Optional(
  Type.Array(Type.String(), { ...paths, description: 'Only these of the output, e.g. ["items.name","next_cursor"].' }),
)
/** The same, where another tool describes it. */
export const moreFields = Type.Optional(Type.Array(Type.String(), paths))

/** Allowed for every output: a client that always requests it takes its absence for the end. */
const nextCursor = 'next_cursor'

/** A field wanted whole, or some of its inner fields. */
type Wanted = true | ReadonlyMap<string, Wanted>

/** The output with the chosen fields alone, in its own order. */
export function chosenOf<T>(output: T, paths: readonly string[] | undefined): T {
  return paths === undefined ? output : (chosen(output, treeOf(paths)) as T)
}

function treeOf(paths: readonly string[]): Wanted {
  const names = Map.groupBy(paths, (path) => path.split('.', 1)[0] ?? '')
  const below = (name: string, of: readonly string[]): Wanted =>
    of.includes(name) ? true : treeOf(of.map((path) => path.slice(name.length + 1)))
  return new Map([...names].map(([name, of]) => [name, below(name, of)]))
}

function chosen(value: unknown, wanted: Wanted): unknown {
  if (wanted === true) return value
  if (Array.isArray(value)) return value.map((item) => chosen(item, wanted))
  if (!isFields(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, item]) => {
      const inner = wanted.get(name)
      return inner === undefined ? [] : [[name, chosen(item, inner)]]
    }),
  )
}

/** Problems of the choice for an output of this schema: an impossible name is a mistake. */
export function wrongFields(schema: unknown, paths: readonly string[] = []): readonly Detail[] {
  return paths.flatMap((path, place) => {
    const there = path === nextCursor ? undefined : unknownIn([schema], path.split('.'))
    if (there === undefined) return []
    const names = there.length === 0 ? 'that has no fields' : `there: ${there.join(', ')}`
    return [{ path: `fields.${place}`, message: `names no field of the output (${names})` }]
  })
}

/** The names available in place of the path's first unknown one. Undefined: it may all exist. */
function unknownIn(schemas: readonly unknown[], [name, ...rest]: readonly string[]): readonly string[] | undefined {
  const nodes = schemas.flatMap(expanded)
  if (name === undefined || nodes.some(isOpen)) return undefined
  const next = nodes.flatMap(({ properties }) =>
    isFields(properties) && Object.hasOwn(properties, name) ? [properties[name]] : [],
  )
  if (next.length > 0) return unknownIn(next, rest)
  return [...new Set(nodes.flatMap(({ properties }) => Object.keys(Object(properties) as object)))]
}

type Schema = Readonly<Record<string, unknown>>

/** Without the lists around it, as each of its forms. */
function expanded(schema: unknown): Schema[] {
  if (!isFields(schema)) return []
  const { anyOf, oneOf, allOf, items, properties } = schema
  const forms = [anyOf, oneOf, allOf, [items]].flatMap((list) => (Array.isArray(list) ? list.filter(isFields) : []))
  return [...(forms.length === 0 || properties !== undefined ? [schema] : []), ...forms.flatMap(expanded)]
}

/** It may have fields that it does not name. */
function isOpen({ type, properties, additionalProperties, patternProperties, $ref }: Schema): boolean {
  if ($ref !== undefined || patternProperties !== undefined || isFields(additionalProperties)) return true
  if (additionalProperties === true) return true
  return properties === undefined && (type === undefined || type === 'object')
}
