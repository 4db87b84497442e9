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

/**
 * A thing that an input names, looked up in the app before the person is asked: the page shows it as the app tells it. Paths lead through objects:
 * `client.name`.
 */
export interface Preview {
  /** The input that has its id, or a list of such: `invoice_id`, `to.course_id`, `lines.product_id`. */
  readonly of: string
  /** A read of the same app that tells about it. */
  readonly read: string
  /** The read's input that takes the id; absent: the thing is looked for in a list, by its `id`. */
  readonly by?: string
  /** Further inputs of the read that are taken from the write: read's input → write's input. Default: none. */
  readonly from?: Readonly<Record<string, string>>
  /** Inputs of the read that are the same each time. Default: none. */
  readonly set?: Readonly<Record<string, unknown>>
  /** The output field whose object, or whose list's objects, are such things; absent: the whole output is one. */
  readonly at?: string
  /** The field of such an object with its id; absent: the answer is about the one that was asked for. */
  readonly id?: string
  /** What the page shows of it, the most telling first: the first names it. Recipients or how many, amount, date, state. */
  readonly shows: readonly string[]
  /** Those of `shows` that matter: where one of them has changed since the approval, the person is asked again. Amount, recipients, text, state. */
  readonly matters: readonly string[]
  /** The read's "no such thing" is the end of the call. Only where it surely means that the write would be refused, too. */
  readonly conclusive?: true
  /** What must be so, or the app would refuse the write: the field of such an object → the values that it may have. Only with `conclusive`. */
  readonly needs?: Readonly<Record<string, readonly (string | number | boolean | null)[]>>
  /** Things that such an object names, looked up in turn, such as whose an invoice is: `of` is then its field with their id. */
  readonly goesOnTo?: readonly ChainedPreview[]
}

/** Found by its id alone, and never the end of a call. */
export type ChainedPreview = Pick<Preview, 'of' | 'read' | 'set' | 'at' | 'shows' | 'matters'> & { readonly by: string }

/**
 * A read that shows, where the answer to a write was lost, whether it happened. Only what is found counts: what is not may stand elsewhere, or be
 * on its way. Paths lead through objects: `client.name`.
 */
export interface Verify {
  /** A read of the same app. */
  readonly read: string
  /** Inputs of the read that are taken from the write: read's input → write's input. Default: none. */
  readonly from?: Readonly<Record<string, string>>
  /** Inputs of the read that are the same each time. Default: none. */
  readonly set?: Readonly<Record<string, unknown>>
  /** The output field whose object, or whose list's objects, are such things as the write leaves, also within lists; absent: the whole output is one. */
  readonly at?: string
  /** The field of such an object with its own id: it is shown. Absent: the app tells none there. */
  readonly id?: string
  /** What such an object has from the write: its field → the write's input. Of a list, one entry is enough; inputs that were left out fit all. */
  readonly same: Readonly<Record<string, string>>
  /** What else must be so: its field → the values that it may have. */
  readonly is?: Readonly<Record<string, readonly (string | number | boolean | null)[]>>
  /** The field with the moment or the day at which the write happened to it: none, or an earlier one, is not of this write. */
  readonly since?: string
  /** Where what is found is surely of the very call that looks: then it ends as executed. Default: nothing found decides. */
  readonly proof?: Proof
}

/**
 * An equal write of somebody else looks the same afterwards, so three things must come together: the thing carries the call's own words, it showed
 * the person something else before, and nobody else was at it.
 */
export interface Proof {
  /** The input with the call's own words, one of `same`. Short ones prove nothing. */
  readonly words: string
  /** How the thing was while it had not happened: a field that a preview shows, and that matters there → the values that it then has. */
  readonly before: Readonly<Record<string, readonly (string | number | boolean | null)[]>>
  /** The write's output, as the thing tells it: each of its fields → the thing's. */
  readonly output: Readonly<Record<string, string>>
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
