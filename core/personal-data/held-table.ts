import type { Opener } from './opened.ts'

/** A table with rows of a user, and which columns go into their data export. */
export interface Held {
  readonly table: string
  /** FROM and WHERE of the rows `t` of user $1; `a` is the account whose data key seals them. */
  readonly from: string
  /** Unique key with its types, in the order of an index. */
  readonly key: readonly (readonly [expression: string, type: string])[]
  /** Which alias has the id, owner and account that columns are sealed for: the row or its call. */
  readonly place?: 't' | 'c'
  /** Columns exported as stored, separated by spaces. */
  readonly columns: string
  /** Columns exported opened, in this order. */
  readonly sealed?: Readonly<Record<string, Opener>>
  /** Columns, separated by spaces, with the reason why they are not exported. */
  readonly leftOut: Readonly<Record<string, string>>
  /** Rows per query; 200 unless they may be large. */
  readonly atOnce?: number
}

export const columnsOf = ({ columns }: Held): readonly string[] => columns.split(' ')
