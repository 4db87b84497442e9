import { Type } from 'typebox'
import { labelKey } from './declared.ts'
import type { Static, TInteger, TOptional, TSchema, TString } from 'typebox'

/** An optional input with a default. */
export function defaulted<T extends TSchema>(schema: T, value: Static<T>): TOptional<T> & { default: Static<T> } {
  return Type.Optional({ ...schema, default: value }) as TOptional<T> & { default: Static<T> }
}

/** One of these words. */
export function oneOf<const W extends string[]>(words: [...W], description: string) {
  return Type.Enum(words, { type: 'string', description })
}

/** Schema keyword: the kind of entity that an id names, the same word in inputs and outputs. */
export const kindKey = 'x-callgate-kind'

/** Input: an entity's id, of a kind such as `booking`; `description` says where to get it. */
export function id(kind: string, description: string): TString {
  return Type.String({ minLength: 1, maxLength: 200, description, [kindKey]: kind })
}

/** Output: an entity's id; `description` says which input takes it. */
export function refTo(kind: string, description?: string): TString {
  return Type.String({ ...(description !== undefined && { description }), [kindKey]: kind })
}

export function day(description: string): TString {
  return Type.String({ format: 'date', description: `${description} Written YYYY-MM-DD.` })
}

/** Input: the page size, 1 to `max`. */
export function limit(fallback = 25, max = 100): TOptional<TInteger> & { default: number } {
  return defaulted(
    Type.Integer({
      minimum: 1,
      maximum: max,
      description: `How many to return at most, 1 to ${max}.`,
      [labelKey]: 'At most',
    }),
    fallback,
  )
}

/** Paginates a list: `context.anchor` holds what the last answer passed to `context.cursor`. */
export const cursor: TOptional<TString> = Type.Optional(
  Type.String({
    minLength: 1,
    description:
      'next_cursor of the answer before, to get the next page; the other inputs may be left out then. Leave it out for the first page.',
    [labelKey]: 'Continue from',
  }),
)

/** Output: the cursor of the next page. */
export const nextCursor = Type.Union([Type.String(), Type.Null()], {
  description: 'Pass it back as cursor to get the next page; null when there is no more.',
})

/** Output: a timestamp with Z or an offset. */
export const moment = Type.String({ format: 'date-time' })

/** Output: a text, or null if the app has none. */
export const NullableText = Type.Union([Type.String(), Type.Null()])

/** Output: a date, or null if the app has none. */
export const NullableDay = Type.Union([Type.String({ format: 'date' }), Type.Null()])

/** A shared schema with a description for this use. */
export function described<T extends TSchema>(schema: T, description: string): T {
  return { ...schema, description }
}

/** An object with exactly these fields, for outputs and nested inputs. */
export function closed<P extends Record<string, TSchema>>(properties: P) {
  return Type.Object(properties, { additionalProperties: false })
}
