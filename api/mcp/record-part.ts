import type { CallRecord } from '../../core/calls/record.ts'
import { invalidInput } from '../../core/calls/invalid-input.ts'
import { ceiling, cutFrom, cutTo, leftOut } from './ceiling.ts'
import type { Cut } from './ceiling.ts'
import { chosenOf, wrongFields } from './fields.ts'
import { countOf, sizeOf, valueAt } from './fit.ts'
import { readOnOf } from './results.ts'

interface Choice {
  readonly fields?: readonly string[]
  readonly at?: string
  readonly from: number
}

/** Minimum size left for an output beside its record. */
const leastRoom = 4_000

/** Size of the field names beside the record, and of the note on a part. */
const around = 400

/**
 * A call's record with as much of its output as was requested and fits: as `output`, or a part
 * of it as `part`. Throws invalid_input if there is no such part, or no such field in the schema.
 */
export function recordPart(record: CallRecord, { fields, at = '', from }: Choice, schema: unknown): object {
  const { output: whole, ...rest } = record
  const readOn = readOnOf(record.call_id, fields)
  const room = Math.max(leastRoom, ceiling - sizeOf(rest) - around - sizeOf(at))
  if (at !== '' || from > 0) {
    const output = chosenOf(whole, checked(schema, fields))
    const place = { at, from, of: partSize(record, output, at, from) }
    const { value, note } = cutFrom(valueAt(output, at), room, place, readOn)
    return withNote(rest, { part: { ...place, value } }, note)
  }
  if (whole === undefined) return record
  const { value, note } = cutTo(chosenOf(whole, checked(schema, fields)), room, readOn)
  return withNote(rest, { output: value ?? {} }, note)
}

function checked(schema: unknown, fields: readonly string[] | undefined): readonly string[] | undefined {
  const wrong = schema === undefined ? [] : wrongFields(schema, fields)
  if (wrong.length > 0) throw invalidInput(wrong)
  return fields
}

/** How many items, fields or characters there are. */
function partSize({ status }: CallRecord, output: unknown, at: string, from: number): number {
  if (output === undefined)
    throw invalidInput([{ path: 'at', message: `names a part of an output, and this call, ${status}, has none` }])
  const part = valueAt(output, at)
  if (part === undefined) {
    const names = Object.keys(Object(output) as object).join(', ')
    throw invalidInput([{ path: 'at', message: `names no part of the output; it has ${names}` }])
  }
  const of = countOf(part)
  if (from >= of && from > 0) throw invalidInput([{ path: 'from', message: `must be below ${of}, all that is there` }])
  return of
}

function withNote(record: object, shown: object, note: Cut['note']): object {
  return { ...(note && { [leftOut]: note }), ...record, ...shown }
}
