import { isFields } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { BadBundle } from './failed.ts'
import { patternProblem } from './safe-pattern.ts'

const branches = ['if', 'then', 'else']

/** Checks of allowed schema keywords; others are refused, as validators are compiled from them. */
const keywords: Readonly<Record<string, (value: unknown) => boolean>> = {
  type: (value) => [value].flat().every((one) => types.has(one)),
  title: isText,
  description: isText,
  default: isData,
  examples: isData,
  const: isWord,
  enum: (value) => Array.isArray(value) && value.length > 0 && value.length <= 1000 && value.every(isWord),
  format: (value) => formats.has(value),
  pattern: isText,
  minLength: isCount,
  maxLength: isCount,
  minItems: isCount,
  maxItems: isCount,
  minProperties: isCount,
  maxProperties: isCount,
  minimum: isNumber,
  maximum: isNumber,
  exclusiveMinimum: isNumber,
  exclusiveMaximum: isNumber,
  multipleOf: (value) => isNumber(value) && Number(value) > 0,
  uniqueItems: (value) => typeof value === 'boolean',
  deprecated: (value) => typeof value === 'boolean',
  required: (value) => Array.isArray(value) && value.every((name) => typeof name === 'string' && fieldName.test(name)),
  additionalProperties: (value) => typeof value === 'boolean' || isFields(value),
  properties: isFields,
  patternProperties: isFields,
  items: isFields,
  anyOf: isChoice,
  oneOf: isChoice,
  allOf: isChoice,
  ...Object.fromEntries(branches.map((one) => [one, isFields])),
}

const types: ReadonlySet<unknown> = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'])
const formats: ReadonlySet<unknown> = new Set(['date', 'date-time', 'time', 'email', 'uri', 'uuid'])
/** Callgate's own annotations, such as labels: read by name, never by a validator. */
const note = /^x-callgate-[a-z-]{1,40}$/
/** Names become part of a validator's code. */
const fieldName = /^[\p{L}\p{N}_$@:.[\] -]{1,100}$/u
const mostSchemas = 3000
const deepest = 20

/** A schema from an isolate, checked and marked for TypeBox's defaults. Throws `BadBundle`. */
export function hostSchema(value: unknown, at: string): Fields {
  let left = mostSchemas
  const made = (schema: unknown, path: string, depth: number): Fields => {
    const fail = (problem: string): never => {
      throw new BadBundle(`${path} ${problem}`)
    }
    if (!isFields(schema)) return fail('is no schema')
    if (--left < 0 || depth > deepest) fail('is one schema too many')
    for (const [word, said] of Object.entries(schema)) {
      if (!(note.test(word) || (Object.hasOwn(keywords, word) && keywords[word]?.(said))))
        fail(`has "${word}", which is not taken here, or not with this value`)
    }
    const { pattern, properties, patternProperties, items, additionalProperties } = schema
    if (typeof pattern === 'string') checkPattern(pattern, path)
    for (const one of Object.keys(isFields(patternProperties) ? patternProperties : {})) checkPattern(one, path)
    for (const name of Object.keys(isFields(properties) ? properties : {}))
      if (!fieldName.test(name)) fail('has a field whose name is not taken here')
    const each = (named: unknown): Fields =>
      Object.fromEntries(
        Object.entries(isFields(named) ? named : {}).map(([name, one]) => [
          name,
          made(one, `${path}.${name}`, depth + 1),
        ]),
      )
    const copy: Record<string, unknown> = {
      ...schema,
      ...(properties !== undefined && { properties: each(properties) }),
      ...(patternProperties !== undefined && { patternProperties: each(patternProperties) }),
      ...(items !== undefined && { items: made(items, `${path}[]`, depth + 1) }),
      ...(isFields(additionalProperties) && {
        additionalProperties: made(additionalProperties, `${path}.*`, depth + 1),
      }),
    }
    for (const choice of ['anyOf', 'oneOf', 'allOf']) {
      const parts = schema[choice]
      if (Array.isArray(parts)) copy[choice] = parts.map((part) => made(part, path, depth + 1))
    }
    for (const branch of branches)
      if (schema[branch] !== undefined) copy[branch] = made(schema[branch], path, depth + 1)
    return marked(copy)
  }
  return made(value, at, 0)
}

function checkPattern(pattern: string, at: string): void {
  const problem = patternProblem(pattern)
  if (problem !== undefined) throw new BadBundle(`${at}: the pattern ${problem}`)
}

/** The marker of TypeBox's own schemas; not enumerable, so copies and output omit it. */
function marked(schema: Record<string, unknown>): Fields {
  const kind = 'properties' in schema ? 'Object' : 'anyOf' in schema ? 'Union' : 'items' in schema ? 'Array' : undefined
  return kind === undefined ? schema : Object.defineProperty(schema, '~kind', { value: kind })
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.length <= 5000
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number'
}

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 0
}

function isWord(value: unknown): boolean {
  return value === null || isText(value) || isNumber(value) || typeof value === 'boolean'
}

/** Any JSON value: the schema arrived as JSON. */
function isData(): boolean {
  return true
}

function isChoice(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isFields)
}
