import type { Tool } from '@modelcontextprotocol/server'
import { withoutGroups } from '../../connectors/kit/groups.ts'
import { isFields } from '../../connectors/kit/wire.ts'
import { listed, objectSchema } from './tool.ts'

/** How much of an input's schema a list of tools shows; get_action shows all of it. */
export type Shortening = (typeof shortenings)[number]

/**
 * Each is shorter than the one before. All keep names, types, enums and what is required.
 * - `limits`: without lengths; a value that is too long is refused with the limit.
 * - `sentence`: descriptions up to the end of the first sentence or semicolon.
 * - `outer`: descriptions of the inputs themselves only, not of nested fields.
 * - `clause`: those up to the first comma, colon or bracket, unless that drops where an id is from.
 * - `bare`: no descriptions.
 */
export const shortenings = ['limits', 'sentence', 'outer', 'clause', 'bare'] as const

const limits: ReadonlySet<string> = new Set(['minLength', 'maxLength', 'minItems', 'maxItems', 'uniqueItems'])

export function listedSchema(schema: unknown, shortening: Shortening): Tool['inputSchema'] {
  const { properties, ...rest } = listed(withoutGroups(objectSchema(schema)) as Tool['inputSchema'])
  const inputs = Object.entries(properties ?? {}).map(([name, input]) => [name, shortened(input, shortening, true)])
  return { ...rest, properties: Object.fromEntries(inputs) as NonNullable<Tool['inputSchema']['properties']> }
}

function shortened(schema: unknown, shortening: Shortening, isInput: boolean): unknown {
  if (Array.isArray(schema)) return schema.map((one) => shortened(one, shortening, false))
  if (!isFields(schema)) return schema
  const kept = Object.entries(withoutGroups(schema)).flatMap(([name, value]) => {
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
