import type { TObject } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Validator } from 'typebox/compile'
import { openCursor } from './cursor.ts'
import { explain } from './explain.ts'
import { isUnsafeSegment } from './line.ts'
import type { Line } from './line.ts'
import type { Detail, ParsedInput } from './registry.ts'
import { isFields } from './wire.ts'

/** Compiles a schema when it is first used: 300 endpoints would make every start slow. */
export function lazy(schema: TObject): () => Validator {
  let compiled: Validator | undefined
  return () => (compiled ??= Compile(schema))
}

export function inputParser(options: { readonly id: string; readonly schema: TObject; readonly line: Line }) {
  const validator = lazy(options.schema)
  const paged = 'cursor' in options.schema.properties
  return (value: unknown, keys: { readonly cursorKey: Buffer }): ParsedInput => {
    const input: unknown = validator().Default(structuredClone(value))
    if (!validator().Check(input) || !isFields(input))
      return { ok: false, details: explain(options.schema, validator().Errors(input), input) }
    const details = badTexts(input, '')
    for (const name of options.line.names)
      if (isUnsafeSegment(input[name]))
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

/** Texts that cannot be hashed or sent faithfully. */
function badTexts(value: unknown, path: string): Detail[] {
  if (typeof value === 'string') {
    if (!value.isWellFormed()) return [{ path, message: 'must be well-formed Unicode: it has half a surrogate pair' }]
    return value.includes('\0') ? [{ path, message: 'must not contain the character U+0000' }] : []
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]) => badTexts(item, path === '' ? key : `${path}.${key}`))
}
