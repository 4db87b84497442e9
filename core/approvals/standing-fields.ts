import type { Endpoint, JsonSchema } from '../../connectors/registry.ts'
import { isFields } from '../../connectors/kit/wire.ts'

/** An input field that an approval rule can restrict to a list: a text, or a list of texts. */
export interface StandingField {
  readonly name: string
  readonly isList: boolean
  readonly description: string | undefined
}

export function standingFields({ inputSchema }: Endpoint): readonly StandingField[] {
  return Object.entries(objectIn(inputSchema, 'properties') ?? {}).flatMap(([name, schema]) => {
    if (!isFields(schema)) return []
    const isList = schema['type'] === 'array'
    const text = isList ? objectIn(schema, 'items') : schema
    if (text?.['type'] !== 'string') return []
    const description = schema['description']
    return [{ name, isList, description: typeof description === 'string' ? description : undefined }]
  })
}

/** The other inputs, which an approval rule on this field does not restrict. */
export function openFields({ inputSchema }: Endpoint, field: string | null): readonly string[] {
  return Object.keys(objectIn(inputSchema, 'properties') ?? {}).filter((name) => name !== field)
}

/** Why a call's field can never have this value; undefined: it can. */
export function problemOfValue(
  endpoint: Endpoint,
  field: StandingField,
  value: string,
  cursorKey: Buffer,
): string | undefined {
  const parsed = endpoint.parseInput({ [field.name]: field.isList ? [value] : value }, { cursorKey })
  if (parsed.ok) return undefined
  const path = field.isList ? `${field.name}.0` : field.name
  return parsed.details.find((detail) => detail.path === path)?.message
}

function objectIn(schema: JsonSchema, name: string): JsonSchema | undefined {
  const value = schema[name]
  return isFields(value) ? value : undefined
}
