import { isFields } from '../../connectors/kit/wire.ts'
import type { Fields } from '../../connectors/kit/wire.ts'

/** Some host refuses or crashes on each of these. The tool itself refuses what they rule out. */
const dropped: ReadonlySet<string> = new Set([
  ...['additionalProperties', 'patternProperties', 'propertyNames', 'minProperties', 'maxProperties'],
  ...[
    'exclusiveMinimum',
    'exclusiveMaximum',
    'multipleOf',
    'uniqueItems',
    'minLength',
    '$schema',
    '$id',
    'if',
    'then',
    'else',
    'not',
  ],
])

/** A schema of arguments that every host accepts: test/mcp/schema-lint.ts has their rules. */
export function portable(schema: Fields, top = true): Record<string, unknown> {
  const kept = Object.entries(schema).flatMap(([name, value]): [string, unknown][] => {
    if (dropped.has(name) || (top && choices.has(name))) return []
    if (name === 'const') return typeof value === 'string' ? [['enum', [value]]] : []
    if (name === 'enum') return wordsOf(value)
    if (name === 'format') return value === 'date-time' ? [[name, value]] : []
    if (name === 'properties') return isFields(value) ? propertiesOf(value) : []
    if (choices.has(name) && Array.isArray(value))
      return [['anyOf', value.map((one: unknown) => (isFields(one) ? portable(one, false) : one))]]
    return [[name, name === 'items' && isFields(value) ? portable(value, false) : value]]
  })
  const type = schema['type'] ?? typeOf(schema)
  return { ...(type !== undefined && { type }), ...Object.fromEntries(kept) }
}

const choices: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'allOf'])

function propertiesOf(properties: Fields): [string, unknown][] {
  const each = Object.entries(properties).map(([name, at]) => [name, isFields(at) ? portable(at, false) : at])
  return each.length === 0 ? [] : [['properties', Object.fromEntries(each)]]
}

/** "" is not listed, but still accepted: it means the same as leaving the input out. */
function wordsOf(words: unknown): [string, unknown][] {
  const kept = Array.isArray(words) ? words.filter((word) => typeof word === 'string' && word !== '') : []
  return kept.length === 0 ? [] : [['enum', kept]]
}

function typeOf(schema: Fields): string | undefined {
  const words = 'const' in schema ? [schema['const']] : schema['enum']
  return Array.isArray(words) && words.length > 0 ? typeof words[0] : undefined
}
