import type { TSchema } from 'typebox'

/** Where a field says what a person reads beside it: a noun in plain words, `Phone number`. The description is for agents. */
export const labelKey = 'x-callgate-label'
/** Where a number, or a decimal text such as `1250.50`, says that it is money: `Money`. */
export const moneyKey = 'x-callgate-money'
/** Where a field says that each of its entries is somebody whom the call reaches. */
export const recipientsKey = 'x-callgate-recipients'

/** What an amount counts, and of which currency. */
export interface Money {
  /** `minor`: the currency's smallest part, such as cents; `major`: whole units with decimals. */
  readonly unit: 'minor' | 'major'
  /** ISO 4217, or the field beside the amount that says it; null: the account's own, which nothing beside it says. */
  readonly currency: string | { readonly field: string } | null
}

/** What a write does to what the account has: adds something, changes something (what it was before is gone), or removes something. */
export type Effect = 'adds' | 'changes' | 'removes'

/** A read that shows afterwards whether a write happened. */
export interface ShownBy {
  /** A read of the same app. */
  readonly read: string
  /** Each of the read's inputs that is taken from the write: read's input → write's input. Default: none. */
  readonly from?: Readonly<Record<string, string>>
  /** Inputs of the read that are the same each time. Default: none. */
  readonly set?: Readonly<Record<string, unknown>>
}

/** A kind of thing of an app, by the word that its ids carry (`x-callgate-kind`), and what a person knows such a thing by. */
export interface Thing {
  /** A noun in plain words, as in "the client". */
  readonly label: string
  /** Which reads tell about it: first the one that tells about one thing alone, where there is one. Empty: none does. */
  readonly toldBy: readonly ToldBy[]
  /** Names of the fields, where it is told, that a person knows it by: the first that says something is its name. */
  readonly title: readonly string[]
  /** Further fields that help to recognise it, the most telling first. */
  readonly facts: readonly string[]
}

export interface ToldBy {
  readonly read: string
  /** The read's input that takes the thing's id; absent for a list. */
  readonly by?: string
  /** The output field whose object, or whose list's objects, are such things, also within lists: `clients`, `booking.guest`, `sections.lessons`; absent: the whole output is one. */
  readonly at?: string
  /** The field of such an object with its id. */
  readonly id: string
}

/** The schema, with what a person reads beside it. */
export function labelled<T extends TSchema>(label: string, schema: T): T {
  return annotated(schema, { [labelKey]: label })
}

/** An amount of money, a number or a decimal text; `schema` has its bounds. */
export function money<T extends TSchema>(of: Money, schema: T): T {
  return annotated(schema, { [moneyKey]: of })
}

/** Somebody, or a list of those, whom the call reaches: by name, address or id. */
export function recipients<T extends TSchema>(schema: T): T {
  return annotated(schema, { [recipientsKey]: true })
}

/** Keeps what TypeBox itself notes on a schema, such as that it is optional. */
function annotated<T extends TSchema>(schema: T, notes: Readonly<Record<string, unknown>>): T {
  const copy: T = Object.defineProperties({} as T, Object.getOwnPropertyDescriptors(schema))
  return Object.assign(copy, notes)
}
