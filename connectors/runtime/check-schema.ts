import { hasGroups } from '../kit/groups.ts'
import { isFields } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'

const types: ReadonlySet<unknown> = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'])
const bounds = [
  ['minimum', 'maximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
] as const

/**
 * Throws what is wrong with a schema and where. It visits each part once, because compiling all
 * schemas takes longer than the rest of a start; only those in use are compiled.
 */
export function checkSchema(schema: unknown, at: string): void {
  if (!isFields(schema)) throw new Error(`${at} is no schema`)
  const fail = (problem: string): never => {
    throw new Error(`${at} ${problem}`)
  }
  const { type, pattern, enum: words } = schema
  if (type !== undefined && ![type].flat().every((one) => types.has(one)))
    fail('has a type that JSON Schema does not know')
  if (pattern !== undefined && !isPattern(pattern)) fail('has a pattern that is no regular expression')
  if (words !== undefined && (!Array.isArray(words) || words.length === 0)) fail('has an empty list of words')
  for (const [low, high] of bounds)
    if (!isRange(schema[low], schema[high])) fail(`has bounds that nothing meets: ${low}, ${high}`)
  checkParts(schema, at)
}

function checkParts(schema: Fields, at: string): void {
  const { properties, required, items, patternProperties, additionalProperties } = schema
  if (schema['type'] === 'array' || items !== undefined) checkSchema(items, `${at}[]`)
  for (const [name, one] of Object.entries(named(properties, at))) checkSchema(one, `${at}.${name}`)
  for (const [name, one] of Object.entries(named(patternProperties, at))) checkSchema(one, `${at}.*${name}`)
  if (isFields(additionalProperties)) checkSchema(additionalProperties, `${at}.*`)
  for (const name of Array.isArray(required) ? required : [])
    if (!Object.hasOwn(named(properties, at), String(name)))
      throw new Error(`${at} asks for ${String(name)}, which it does not have`)
  for (const choice of ['anyOf', 'oneOf', 'allOf']) {
    const parts = schema[choice]
    if (parts === undefined) continue
    if (!Array.isArray(parts) || parts.length === 0) throw new Error(`${at} has no ${choice}`)
    if (hasGroups(schema)) for (const part of parts) checkBranch(part, named(properties, at), at)
    else for (const part of parts) checkSchema(part, at)
  }
}

/** A branch of a group names fields of its enclosing object. */
function checkBranch(branch: unknown, properties: Fields, at: string): void {
  if (!isFields(branch)) throw new Error(`${at} is no schema`)
  const { required = [], properties: valued } = branch
  const names = [...(Array.isArray(required) ? required.map(String) : []), ...Object.keys(named(valued, at))]
  if (names.length === 0) throw new Error(`${at} has a group that anything satisfies`)
  for (const name of names)
    if (!Object.hasOwn(properties, name)) throw new Error(`${at} asks for ${name}, which it does not have`)
  for (const [name, one] of Object.entries(named(valued, at))) checkSchema(one, `${at}.${name}`)
}

function named(value: unknown, at: string): Fields {
  if (value === undefined) return {}
  if (!isFields(value)) throw new Error(`${at} has fields that are none`)
  return value
}

function isRange(low: unknown, high: unknown): boolean {
  const are = [low, high].every((one) => one === undefined || (typeof one === 'number' && Number.isFinite(one)))
  return are && (low === undefined || high === undefined || Number(low) <= Number(high))
}

function isPattern(pattern: unknown): boolean {
  try {
    return typeof pattern === 'string' && new RegExp(pattern, 'u') instanceof RegExp
  } catch {
    return false
  }
}
