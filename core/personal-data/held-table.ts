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
