/**
 * What the schema of a tool's arguments may not have, as one host or another refuses, ignores or crashes on it: google-genai and Gemini
 * (types and enums, empty objects, formats, additionalProperties), the strict mode of OpenAI's SDKs (combinators at the top), langchain
 * (lists without items, references).
 */
const keywords: ReadonlySet<string> = new Set([
  ...['type', 'description', 'properties', 'required', 'items', 'enum', 'format', 'anyOf', 'default'],
  ...['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'pattern', 'title', 'nullable'],
])
const atTop: ReadonlySet<string> = new Set(['type', 'properties', 'required', 'description'])
const types: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])

type Schema = Readonly<Record<string, unknown>>

export function faultsOf(schema: object): string[] {
  const top = Object.keys(schema).filter((name) => !atTop.has(name) && name !== 'additionalProperties')
  return [...top.map((name) => `${name} at the top`), ...faultsAt(schema as Schema, '')]
}

function faultsAt(schema: Schema, path: string): string[] {
  const { type, enum: words, format, properties, items, anyOf } = schema
  const told = (fault: string | false): string[] => (fault === false ? [] : [`${path || 'top'}: ${fault}`])
  return [
    ...Object.keys(schema).flatMap((name) => told(!keywords.has(name) && `has ${name}`)),
    ...told(anyOf === undefined && !types.has(type) && 'has no single type'),
    ...told(Array.isArray(words) && words.includes('') && 'has an empty word'),
    ...told(format !== undefined && format !== 'date-time' && `has the format ${JSON.stringify(format)}`),
    ...told(type === 'array' && items === undefined && 'has no items'),
    ...told(properties !== undefined && Object.keys(Object(properties) as object).length === 0 && 'has no properties'),
    ...Object.entries(Object(properties) as Record<string, Schema>).flatMap(([name, at]) =>
      faultsAt(at, `${path}.${name}`),
    ),
    ...(items === undefined ? [] : faultsAt(items as Schema, `${path}[]`)),
    ...(Array.isArray(anyOf) ? anyOf.flatMap((at: Schema) => faultsAt(at, `${path}|`)) : []),
  ]
}
