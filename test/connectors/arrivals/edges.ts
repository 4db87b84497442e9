import { withoutGroups } from '../../../connectors/kit/groups.ts'
import { isFields } from '../../../connectors/kit/wire.ts'
import type { Fields } from '../../../connectors/kit/wire.ts'

/** One value of an input, where it stands (`items.0.price`), and what the schema says of it. */
export interface Leaf {
  readonly path: string
  readonly value: unknown
  readonly schema: Fields
}

/** Values at these paths instead. */
export type Edge = readonly (readonly [path: string, value: unknown])[]

/** The leaves of a value, with the schema of each. An empty list is a leaf. */
export function leavesOf(schema: unknown, value: unknown, path = ''): readonly Leaf[] {
  const known = isFields(schema) ? fitting(schema, value) : {}
  const at = (name: string | number): string => (path === '' ? String(name) : `${path}.${name}`)
  if (Array.isArray(value) && value.length > 0)
    return value.flatMap((item, index) => leavesOf(known['items'], item, at(index)))
  if (!isFields(value)) return [{ path, value, schema: known }]
  const properties = isFields(known['properties']) ? known['properties'] : {}
  const patterns = isFields(known['patternProperties']) ? Object.values(known['patternProperties']) : []
  return Object.entries(value).flatMap(([name, item]) => leavesOf(properties[name] ?? patterns[0], item, at(name)))
}

/** Of alternatives, the one that the value is meant by. */
function fitting(schema: Fields, value: unknown): Fields {
  const { anyOf } = withoutGroups(schema)
  const options = Array.isArray(anyOf) ? anyOf.filter(isFields) : [schema]
  const named = (option: Fields): boolean =>
    !isFields(value) ||
    Object.keys(value).every((name) => isFields(option['properties']) && name in option['properties'])
  const known = options.length === 1 ? options[0] : options.find((one) => one['type'] !== 'null' && named(one))
  return { ...known, nullable: options.some((one) => one['type'] === 'null') }
}

/** The value with another one at a path; undefined takes it away. */
export function put(value: unknown, path: string, by: unknown): unknown {
  const [first = '', ...rest] = path.split('.')
  const inner = (old: unknown): unknown => (rest.length === 0 ? by : put(old, rest.join('.'), by))
  if (Array.isArray(value)) return value.map((item: unknown, index) => (String(index) === first ? inner(item) : item))
  const fields = isFields(value) ? value : {}
  const { [first]: old, ...others } = fields
  const made = inner(old)
  return made === undefined ? others : { ...fields, [first]: made }
}

export const edged = (input: unknown, edge: Edge): unknown =>
  edge.reduce((made, [path, value]) => put(made, path, value), input)

/** So many characters that forms, JSON and HTML each write in another way, and that no other leaf has. */
function longest(path: string, max: number): string {
  const lines = max >= 500 ? '\n' : ' '
  const unit = `${path} é“ß’'"<b>&amp;%41+;\\漢${lines}ﬁ `
  return `${unit.repeat(Math.ceil(max / unit.length)).slice(0, max - 1)}ž`
}

const isFree = ({ schema, path }: Leaf): boolean =>
  schema['type'] === 'string' &&
  ['x-callgate-kind', 'format', 'enum', 'const'].every((key) => schema[key] === undefined) &&
  [undefined, '\\S', '[?？؟]\\s{0,249}$'].includes(schema['pattern'] as string | undefined) &&
  !/url|email|phone/.test(path)

/** Each text as long as it may be, then as short as it may be, all at once. */
export function textEdges(leaves: readonly Leaf[]): readonly Edge[] {
  const free = leaves.filter(isFree)
  if (free.length === 0) return []
  const asked = ({ schema }: Leaf): string => (String(schema['pattern']).startsWith('[?') ? '?' : '')
  const long = free.map((leaf): [string, unknown] => {
    const max = Number(leaf.schema['maxLength'] ?? 500) - asked(leaf).length
    return [leaf.path, longest(leaf.path, max) + asked(leaf)]
  })
  const least = ({ schema }: Leaf): number => Number(schema['minLength'] ?? (schema['pattern'] === undefined ? 0 : 1))
  const short = free.map((leaf): [string, unknown] => [
    leaf.path,
    least(leaf) === 0 ? '' : 'ß'.repeat(least(leaf)) + asked(leaf),
  ])
  return [long, short]
}

/** Numbers at their bounds, sums of every form, each of the words, both answers, and null. */
export function valueEdges(leaves: readonly Leaf[]): readonly Edge[] {
  return leaves.flatMap(({ path, schema, value }) => {
    const { type, minimum, maximum, pattern, nullable } = schema
    const others: unknown[] = []
    if (Array.isArray(schema['enum'])) others.push(...(schema['enum'] as unknown[]))
    if (type === 'boolean' && schema['const'] === undefined) others.push(true, false)
    if (type === 'number' || type === 'integer') others.push(...[minimum, maximum].filter((one) => one !== undefined))
    if (type === 'number') others.push(1.25, 12.5)
    if (typeof pattern === 'string' && pattern.includes('%')) others.push('100%', '25%', '12.5%', '7', '15.05')
    else if (typeof pattern === 'string' && /^\^(-\?)?\\d\{1/.test(pattern)) others.push('0.01', '7', '40.5', '9999.99')
    if (nullable === true) others.push(null)
    return others.filter((one) => one !== value).map((one): Edge => [[path, one]])
  })
}

/** Lists of texts filled to the brim, and emptied where they may be. */
export function listEdges(schema: unknown, value: unknown, path = ''): readonly Edge[] {
  const known = isFields(schema) ? fitting(schema, value) : {}
  if (Array.isArray(value)) {
    const { items, maxItems, minItems = 0 } = known
    const text = isFields(items) && isFree({ path, value: '', schema: items })
    const max = Math.min(Number(maxItems), 20)
    const size = isFields(items) ? Number(items['maxLength'] ?? 100) : 0
    const filled = Array.from({ length: max }, (_, index) => longest(`${index}`, Math.min(size, 60)))
    return [...(text && max > 0 ? [[[path, filled]] as Edge] : []), ...(minItems === 0 ? [[[path, []]] as Edge] : [])]
  }
  if (!isFields(value) || !isFields(known['properties'])) return []
  const { properties } = known
  return Object.entries(value).flatMap(([name, item]) =>
    listEdges(properties[name], item, path === '' ? name : `${path}.${name}`),
  )
}

/** The paths of what may be left out of a value, and is in it. */
export function optionalPaths(schema: unknown, value: unknown, path = ''): readonly string[] {
  const known = isFields(schema) ? fitting(schema, value) : {}
  const at = (name: string | number): string => (path === '' ? String(name) : `${path}.${name}`)
  if (Array.isArray(value)) return value.slice(0, 1).flatMap((item) => optionalPaths(known['items'], item, at(0)))
  if (!isFields(value) || !isFields(known['properties'])) return []
  const { properties } = known
  const required: unknown[] = Array.isArray(known['required']) ? known['required'] : []
  return Object.entries(value).flatMap(([name, item]) => [
    ...(required.includes(name) ? [] : [at(name)]),
    ...optionalPaths(properties[name], item, at(name)),
  ])
}

/** Every place of an input's schema where a value can stand, lists as `*`. */
export function schemaPaths(schema: unknown, path = ''): readonly string[] {
  if (!isFields(schema)) return []
  const { anyOf, properties, patternProperties, items } = withoutGroups(schema)
  const at = (name: string): string => (path === '' ? name : `${path}.${name}`)
  if (Array.isArray(anyOf)) return [...new Set(anyOf.flatMap((one) => schemaPaths(one, path)))]
  if (isFields(properties)) return Object.entries(properties).flatMap(([name, one]) => schemaPaths(one, at(name)))
  if (isFields(patternProperties)) return [at('*')]
  return items === undefined ? [path] : schemaPaths(items, at('*'))
}
