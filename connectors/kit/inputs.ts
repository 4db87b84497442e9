import { Type } from 'typebox'
import { labelKey } from './declared.ts'
import type { Static, TInteger, TOptional, TSchema, TString } from 'typebox'

/** An optional input with the value it has when it is left out. */
export function defaulted<T extends TSchema>(schema: T, value: Static<T>): TOptional<T> & { default: Static<T> } {
  return Type.Optional({ ...schema, default: value }) as TOptional<T> & { default: Static<T> }
}

/** One of these words. */
export function oneOf<const W extends string[]>(words: [...W], description: string) {
  return Type.Enum(words, { type: 'string', description })
}

/** Where a schema says what kind of thing an id names: the same word wherever ids of that kind are given out or taken. */
export const kindKey = 'x-callgate-kind'

/** An identifier of a thing of the app, such as a `booking`; `description` says where it comes from. */
export function id(kind: string, description: string): TString {
  return Type.String({ minLength: 1, maxLength: 200, description, [kindKey]: kind })
}

/** Output: an identifier of a thing; `description` says what takes it. */
export function refTo(kind: string, description?: string): TString {
  return Type.String({ ...(description !== undefined && { description }), [kindKey]: kind })
}

export function day(description: string): TString {
  return Type.String({ format: 'date', description: `${description} Written YYYY-MM-DD.` })
}

/** The page size, 1 to `max`. */
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

/** Makes the list paged: `context.anchor` holds what the answer before gave to `context.cursor`. */
export const cursor: TOptional<TString> = Type.Optional(
  Type.String({
    description:
      'next_cursor of the answer before, to get the next page; the other inputs may be left out then. Leave it out for the first page.',
    [labelKey]: 'Continue from',
  }),
)

/** Output: the way to the next page. */
export const nextCursor = Type.Union([Type.String(), Type.Null()], {
  description: 'Pass it back as cursor to get the next page; null when there is no more.',
})

/** Output: a moment with its offset or Z. */
export const moment = Type.String({ format: 'date-time' })

/** Output: a text, or null where the app has none. */
export const NullableText = Type.Union([Type.String(), Type.Null()])

/** Output: a day, or null where the app has none. */
export const NullableDay = Type.Union([Type.String({ format: 'date' }), Type.Null()])

/** A shared schema with what it means at this place. */
export function described<T extends TSchema>(schema: T, description: string): T {
  return { ...schema, description }
}

/** Output or nested input that knows exactly these fields. */
export function closed<P extends Record<string, TSchema>>(properties: P) {
  return Type.Object(properties, { additionalProperties: false })
}
