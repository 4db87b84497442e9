import type { Tool } from '@modelcontextprotocol/server'
import { isFields } from '../../connectors/kit/wire.ts'
import { objectSchema } from './tool.ts'

/** How much of an input's schema a list of tools has: get_action has all of it. */
export type Shortening = (typeof shortenings)[number]

/**
 * Each says less than the one before. None leaves out a name, a type, an enum or what is required.
 * - `limits`: without lengths; what is too long is refused with the limit.
 * - `sentence`: of descriptions what comes first, to the end of the sentence or a semicolon.
 * - `outer`: of the inputs themselves only, not of what is in them.
 * - `clause`: of their descriptions what comes before the first comma or bracket, but never without saying where an id comes from.
 * - `bare`: no descriptions.
 */
export const shortenings = ['limits', 'sentence', 'outer', 'clause', 'bare'] as const

const limits: ReadonlySet<string> = new Set(['minLength', 'maxLength', 'minItems', 'maxItems', 'uniqueItems'])

export function listedSchema(schema: unknown, shortening: Shortening): Tool['inputSchema'] {
  const { properties, ...rest } = objectSchema(schema)
  const inputs = Object.entries(properties ?? {}).map(([name, input]) => [name, shortened(input, shortening, true)])
  return { ...rest, properties: Object.fromEntries(inputs) as NonNullable<Tool['inputSchema']['properties']> }
}

function shortened(schema: unknown, shortening: Shortening, isInput: boolean): unknown {
  if (Array.isArray(schema)) return schema.map((one) => shortened(one, shortening, false))
  if (!isFields(schema)) return schema
  const kept = Object.entries(schema).flatMap(([name, value]) => {
    if (limits.has(name)) return []
    if (name === 'description') return described(String(value), shortening, isInput)
    if (name === 'properties') return [[name, ofEach(value, shortening)]]
    return [[name, isData.has(name) ? value : shortened(value, shortening, false)]]
  })
  return Object.fromEntries(kept)
}

function ofEach(properties: unknown, shortening: Shortening): object {
  const inner = Object.entries(Object(properties) as object)
  return Object.fromEntries(inner.map(([name, schema]) => [name, shortened(schema, shortening, false)]))
}

function described(text: string, shortening: Shortening, isInput: boolean): [string, string][] {
  if (shortening === 'limits') return [['description', text]]
  if (shortening === 'bare' || ((shortening === 'outer' || shortening === 'clause') && !isInput)) return []
  const [sentence = text] = /^.+?(?:\.(?= [\p{Lu}\d])|(?=;))/u.exec(text) ?? []
  return [['description', shortening === 'clause' ? clauseOf(sentence) : sentence]]
}

function clauseOf(sentence: string): string {
  const clause = /^.+?(?= ?[,:(])/u.exec(sentence)?.[0] ?? sentence
  return sentence.includes(idFrom) && !clause.includes(idFrom) ? sentence : clause
}

const idFrom = '_id from '

/** Values, not schemas. */
const isData: ReadonlySet<string> = new Set(['default', 'const', 'enum', 'examples', 'required'])
