/** A piece of the OpenAPI document. */
export type Json = Readonly<Record<string, unknown>>

export const text: Json = { type: 'string' }
export const integer: Json = { type: 'integer' }
export const url: Json = { type: 'string', format: 'uri' }
export const moment: Json = { type: 'string', format: 'date-time' }

/** The schema with a description. */
export function described(schema: Json, description: string): Json {
  return { ...schema, description }
}

export function orNull({ type, ...schema }: Json): Json {
  return { ...schema, type: [type, 'null'] }
}

export function listOf(items: Json): Json {
  return { type: 'array', items }
}

/** An object whose properties are required, except the optional ones. */
export function object(properties: Json, optional: readonly string[] = []): Json {
  return {
    type: 'object',
    required: Object.keys(properties).filter((name) => !optional.includes(name)),
    properties,
  }
}

export function schemaRef(name: string): Json {
  return { $ref: `#/components/schemas/${name}` }
}

export function refs(kind: 'headers' | 'parameters', names: readonly string[]): readonly Json[] {
  return names.map((name) => ({ $ref: `#/components/${kind}/${name}` }))
}

/** Headers of a response, as references to their components. */
export function headers(...names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

export function json(schema: Json, examples: Json = {}): Json {
  return { 'application/json': { schema, ...examples } }
}
