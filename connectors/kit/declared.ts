import type { TSchema } from 'typebox'

/** Schema keyword: a field's label for users, such as `Phone number`. Agents read descriptions. */
export const labelKey = 'x-callgate-label'
/** Schema keyword: this number or decimal text (`1250.50`) is money; the value is a `Money`. */
export const moneyKey = 'x-callgate-money'
/** Schema keyword: each entry of this field is a recipient whom the call reaches. */
export const recipientsKey = 'x-callgate-recipients'

/** Unit and currency of an amount. */
export interface Money {
  /** `minor`: the currency's smallest unit, such as cents; `major`: whole units with decimals. */
  readonly unit: 'minor' | 'major'
  /** ISO 4217 code, or the sibling field with it; null: the account's own, not given beside it. */
  readonly currency: string | { readonly field: string } | null
}

/** What a write does to the account's data. `changes` loses the old value. */
export type Effect = 'adds' | 'changes' | 'removes'

/** A read that shows afterwards whether a write happened. */
export interface ShownBy {
  /** A read endpoint of the same app. */
  readonly read: string
  /** Read inputs taken from the write: read's input → write's input. Default: none. */
  readonly from?: Readonly<Record<string, string>>
  /** Read inputs with a constant value. Default: none. */
  readonly set?: Readonly<Record<string, unknown>>
}

/**
 * The read that fetches an entity named by an input, so that the approver sees the app's own data
 * before approving. Dotted paths lead through objects: `client.name`.
 */
export interface Preview {
  /** Input with the entity's id or ids: `invoice_id`, `to.course_id`, `lines.product_id`. */
  readonly of: string
  /** A read endpoint of the same app that returns the entity. */
  readonly read: string
  /** The read's input that takes the id; absent: the entity is found in a list by its `id`. */
  readonly by?: string
  /** Further read inputs taken from the write: read's input → write's input. Default: none. */
  readonly from?: Readonly<Record<string, string>>
  /** Read inputs with a constant value. Default: none. */
  readonly set?: Readonly<Record<string, unknown>>
  /** Output field with the entity or a list of them; absent: the whole output is the entity. */
  readonly at?: string
  /** The entity's id field; absent: the answer is about the requested entity. */
  readonly id?: string
  /**
   * Fields that the approver sees, most telling first; the first one is the entity's name. Include
   * recipients or their number, amount, date, state.
   */
  readonly shows: readonly string[]
  /**
   * Those of `shows` that the decision rests on: a change after the approval asks the approver
   * again. Amount, recipients, text, state.
   */
  readonly matters: readonly string[]
  /** A not-found ends the call. Only if the app would surely refuse the write too. */
  readonly conclusive?: true
  /** Preconditions of the write: entity's field → allowed values. Only with `conclusive`. */
  readonly needs?: Readonly<Record<string, readonly (string | number | boolean | null)[]>>
  /** Preconditions that `needs` cannot express. Only with `conclusive`. */
  readonly rules?: readonly Rule[]
  /**
   * Further previews of entities that this one references, such as an invoice's client. Their `of`
   * is the field of this entity that holds the id.
   */
  readonly goesOnTo?: readonly ChainedPreview[]
}

/** A precondition on an entity's field: fixed values, or the value of one of the write's inputs. */
export interface Rule {
  readonly field: string
  readonly in?: readonly unknown[]
  readonly not?: readonly unknown[]
  /** Input whose value the field must equal. */
  readonly is?: string
  /** Input whose value the field must not equal yet. */
  readonly isNot?: string
  /** Apply the rule only if this input is set: not absent, null, 0 or false. */
  readonly where?: string
}

/** A preview of a referenced entity. It is fetched by id alone and never ends the call. */
export type ChainedPreview = Pick<Preview, 'of' | 'read' | 'set' | 'at' | 'shows' | 'matters'> & { readonly by: string }

/**
 * How to verify whether a write happened when its answer was lost. Only a match counts: a missing
 * one may be on another page or still on its way. Dotted paths lead through objects: `client.name`.
 */
export interface Verify {
  /** A read endpoint of the same app. */
  readonly read: string
  /** Read inputs taken from the write: read's input → write's input. Default: none. */
  readonly from?: Readonly<Record<string, string>>
  /** Read inputs with a constant value. Default: none. */
  readonly set?: Readonly<Record<string, unknown>>
  /** Output field with the written entities, also in lists; absent: the whole output is one. */
  readonly at?: string
  /** The entity's id field, which is shown; absent: the read returns no id. */
  readonly id?: string
  /**
   * Fields that must match the write: entity's field → write's input. A list field must contain
   * every given value; a single field must equal one of a list input. Inputs that were left out
   * match anything.
   */
  readonly same: Readonly<Record<string, string>>
  /** Further conditions: entity's field → allowed values. */
  readonly is?: Readonly<Record<string, readonly (string | number | boolean | null)[]>>
  /** Field with the date or time of the write. Null, or a time before the send, is no match. */
  readonly since?: string
  /** When a match surely belongs to this call, which then ends as executed. Default: never. */
  readonly proof?: Proof
}

/**
 * An equal write by someone else leaves the same result. So a match proves the call only if the
 * entity carries the call's own words, its preview showed it in another state before, and no other
 * call did the same to the account around that time.
 */
export interface Proof {
  /** Input with the call's own words, one of `same`. Texts under 20 characters prove nothing. */
  readonly words: string
  /** The state before the write: a field in a preview's `matters` → its values then. */
  readonly before: Readonly<Record<string, readonly (string | number | boolean | null)[]>>
  /** How to build the write's output from the entity: output field → entity's field. */
  readonly output: Readonly<Record<string, string>>
}

/** A kind of entity, keyed by the `x-callgate-kind` of its ids, and how users recognise one. */
export interface Thing {
  /** A plain noun, as in "the client". */
  readonly label: string
  /** Reads that return such an entity, the one for a single entity first. Empty: there is none. */
  readonly toldBy: readonly ToldBy[]
  /** Fields that name the entity; the first non-empty one is its name. */
  readonly title: readonly string[]
  /** Further fields that help to recognise it, most telling first. */
  readonly facts: readonly string[]
}

export interface ToldBy {
  readonly read: string
  /** The read's input that takes the entity's id; absent for a list. */
  readonly by?: string
  /**
   * Output field with the entities, also inside lists: `clients`, `booking.guest`,
   * `sections.lessons`; absent: the whole output is one entity.
   */
  readonly at?: string
  /** The entity's id field. */
  readonly id: string
}

/** Adds a label for users to the schema. */
export function labelled<T extends TSchema>(label: string, schema: T): T {
  return annotated(schema, { [labelKey]: label })
}

/** Marks a number or decimal text as money; `schema` holds its bounds. */
export function money<T extends TSchema>(of: Money, schema: T): T {
  return annotated(schema, { [moneyKey]: of })
}

/** Marks one recipient, or a list of them, whom the call reaches: by name, address or id. */
export function recipients<T extends TSchema>(schema: T): T {
  return annotated(schema, { [recipientsKey]: true })
}

/** Copies property descriptors, so that TypeBox's own marks, such as optional, survive. */
function annotated<T extends TSchema>(schema: T, notes: Readonly<Record<string, unknown>>): T {
  const copy: T = Object.defineProperties({} as T, Object.getOwnPropertyDescriptors(schema))
  return Object.assign(copy, notes)
}
