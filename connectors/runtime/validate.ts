import type { TObject } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Validator } from 'typebox/compile'
import { openCursor } from './cursor.ts'
import './formats.ts'
import { below, explain, hasFields, maxDetails, tooLarge, within } from './explain.ts'
import { isUnsafeSegment } from '../kit/request-line.ts'
import type { Line } from '../kit/request-line.ts'
import type { Detail, ParsedInput } from './app.ts'
import { isFields } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'

/** Compiles a schema on first use: compiling 300 endpoints would slow every start. */
export function lazy(schema: TObject): () => Validator {
  let compiled: Validator | undefined
  return () => (compiled ??= Compile(schema))
}

/** A copy of the value with defaults filled in, and what is wrong with it. */
export function fillIn(validator: Validator, schema: TObject, value: unknown): { input: unknown; details: Detail[] } {
  const at: Fields = { ...schema }
  const large = tooLarge(at, value).slice(0, maxDetails)
  if (large.length > 0) return { input: value, details: large }
  const input: unknown = validator.Default(copy(at, value))
  return { input, details: validator.Check(input) ? [] : explain(schema, validator.Errors(input), input) }
}

/** Copies only what the schema describes: defaults go nowhere else, and clients may send more. */
function copy(at: Fields, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => copy(within(at, ''), item))
  if (!isFields(value) || !hasFields(at)) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, copy(within(at, name), item)]))
}

export function inputParser(options: { readonly id: string; readonly schema: TObject; readonly line: Line }) {
  const validator = lazy(options.schema)
  const paged = 'cursor' in options.schema.properties
  return (value: unknown, keys: { readonly cursorKey: Buffer }): ParsedInput => {
    const { input, details } = fillIn(validator(), options.schema, value)
    if (details.length > 0 || !isFields(input)) return { ok: false, details }
    details.push(...badTexts(input, ''))
    const { names, optional } = options.line
    for (const name of names)
      if (isUnsafeSegment(input[name]) && !(optional.includes(name) && input[name] === undefined))
        details.push({
          path: name,
          message: 'is no identifier: it must not be dots only or contain / \\ % or line breaks',
        })
    const cursor = input['cursor']
    if (paged && typeof cursor === 'string' && openCursor(keys.cursorKey, options.id, cursor) === null)
      details.push({
        path: 'cursor',
        message:
          'is not a cursor of this endpoint: pass next_cursor of an earlier answer back as it is, or leave it out',
      })
    return details.length > 0 ? { ok: false, details } : { ok: true, input: { ...input } }
  }
}

/** Texts that cannot be hashed, stored or sent faithfully. */
export function badTexts(value: unknown, path: string): Detail[] {
  if (typeof value === 'string') {
    if (!value.isWellFormed()) return [{ path, message: 'must be well-formed Unicode: it has half a surrogate pair' }]
    return value.includes('\0') ? [{ path, message: 'must not contain the character U+0000' }] : []
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]) => badTexts(item, below(path, key)))
}
