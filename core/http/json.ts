import { maxDetails } from '../../connectors/runtime/explain.ts'
import { isFields } from '../../connectors/kit/wire.ts'
import { parseExactly } from '../../connectors/runtime/exact-json.ts'
import { CallgateError } from '../../schemas/errors.ts'

const maxDepth = 32
const forbidden: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Parses the bytes as a JSON object; no bytes are `{}`. Throws invalid_json. */
export function parseObject(bytes: Buffer): Record<string, unknown> {
  if (bytes.length === 0) return {}
  const { value, inexact } = parseJson(bytes)
  if (!isFields(value)) throw invalid('The body is not a JSON object.')
  checkJson(value)
  refuseInexact(inexact)
  return value
}

/** Throws invalid_json for values that no endpoint accepts; later code need not handle them. */
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

/** The value, and the paths of numbers that a double cannot represent. Throws invalid_json. */
export function parseJson(bytes: Buffer): ReturnType<typeof parseExactly> {
  try {
    return parseExactly(utf8.decode(bytes))
  } catch (error) {
    throw invalid(error instanceof SyntaxError ? 'The body is not JSON.' : 'The body is not UTF-8.', error)
  }
}

/** Throws invalid_json if numbers would be sent altered. `paths`: of these numbers. */
export function refuseInexact(paths: readonly string[]): void {
  if (paths.length === 0) return
  const details = paths.slice(0, maxDetails).map((path) => ({ path, message: changes }))
  const named = details.map(({ path }) => JSON.stringify(path)).join(', ')
  throw new CallgateError('invalid_json', {
    message: `At ${named}: ${changes}. Send fewer digits, or a text where the schema takes one.`,
    fields: { details },
  })
}

const changes = 'the number has more digits than a double holds, so another number would be sent'

function invalid(problem: string, cause?: unknown): CallgateError {
  return new CallgateError('invalid_json', {
    message: `${problem} Send one JSON object in UTF-8, nested at most ${maxDepth} deep, without the keys __proto__, constructor or prototype.`,
    cause,
  })
}
