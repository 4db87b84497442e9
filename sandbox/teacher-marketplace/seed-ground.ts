import type { DatabaseSync } from 'node:sqlite'
import type { Random } from '../platform/random.ts'
import type { Account } from '../platform/types.ts'

/** What all parts of a seed are made from. */
export interface Ground {
  db: DatabaseSync
  random: Random
  account: Account
  zone: string
  /** Midnight UTC of the day of the reset, Unix seconds. */
  day: number
  /** The same day, `YYYY-MM-DD`. */
  today: string
  next: () => number
}
