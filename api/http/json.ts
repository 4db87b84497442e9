import { isFields } from '../../connectors/kit/wire.ts'
import { CallgateError } from '../../schemas/errors.ts'

const maxDepth = 32
const forbidden: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The JSON object in the bytes; none at all is `{}`. Throws invalid_json. */
export function parseObject(bytes: Buffer): Record<string, unknown> {
  if (bytes.length === 0) return {}
  const value = parseJson(bytes)
  if (!isFields(value)) throw invalid('The body is not a JSON object.')
  checkJson(value)
  return value
}

/** Throws invalid_json for what no endpoint takes and nothing further on should have to think of. */
export function checkJson(value: unknown, depth = 1): void {
  if (typeof value === 'string' && !value.isWellFormed()) throw invalid('A text has half a surrogate pair.')
  if (typeof value === 'number' && !Number.isFinite(value)) throw invalid('A number is too large.')
  if (typeof value !== 'object' || value === null) return
  if (depth > maxDepth) throw invalid(`The body is nested deeper than ${maxDepth}.`)
  if (Array.isArray(value)) return value.forEach((item) => checkJson(item, depth + 1))
  for (const [key, item] of Object.entries(value)) {
    if (forbidden.has(key)) throw invalid(`The key "${key}" is not allowed.`)
    if (!key.isWellFormed()) throw invalid('A key has half a surrogate pair.')
    checkJson(item, depth + 1)
  }
}

/** Throws invalid_json. */
export function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch (error) {
    throw invalid(error instanceof SyntaxError ? 'The body is not JSON.' : 'The body is not UTF-8.', error)
  }
}

function invalid(problem: string, cause?: unknown): CallgateError {
  return new CallgateError('invalid_json', {
    message: `${problem} Send one JSON object in UTF-8, nested at most ${maxDepth} deep, without the keys __proto__, constructor or prototype.`,
    cause,
  })
}
