import { heldCalls } from './held-calls.ts'
import { heldPerson } from './held-person.ts'
import type { Opener } from './opened.ts'

/** A table with rows that are a person's, and what of them goes into the file of all that is theirs. */
export interface Held {
  readonly table: string
  /** The rows `t` of the person $1, with a condition; `a` is the account whose data key seals them. */
  readonly from: string
  /** What tells the rows apart, with its type, in the order of an index. */
  readonly key: readonly (readonly [expression: string, type: string])[]
  /** Of whose id, owner and account the place is that columns are sealed for: the row or its call. */
  readonly place?: 't' | 'c'
  /** As they stand, by name, with a space between. */
  readonly columns: string
  /** Opened, in this order. */
  readonly sealed?: Readonly<Record<string, Opener>>
  /** Columns, one or several, and why they are not in the file. */
  readonly leftOut: Readonly<Record<string, string>>
  /** So many rows are in memory; 200 unless they may be large. */
  readonly atOnce?: number
}

export const columnsOf = ({ columns }: Held): readonly string[] => columns.split(' ')

/** Everything that is kept of a person, in the order of the file. */
export const held: readonly Held[] = [...heldPerson, ...heldCalls]

/** Tables that hold a person's rows and are not in the file, and why. */
export const notInFile: Readonly<Record<string, string>> = {
  answers_due: 'which of the calls an answer is due for; the calls are there',
  mails: 'on their way to the person, for minutes, with secrets',
  oauth_codes: 'good for minutes, and a secret',
  oauth_tokens: 'hashes of secrets; the programs are there as grants',
  password_resets: 'good for half an hour, and a secret',
}
