import type { DatabaseSync } from 'node:sqlite'
import { hash32, type Random } from '../platform/random.ts'
import type { Account } from '../platform/types.ts'
import type { Person } from './entities.ts'

/** What all parts of a seed are made from. */
export interface Ground {
  db: DatabaseSync
  random: Random
  account: Account
  /** The first serial of every table is one more. */
  base: number
  /** Midnight UTC of the day of the reset, in milliseconds. */
  day: number
  /** The day of the reset, `YYYYMMDD`, UTC. */
  today: string
  zone: string
  money: string
  people: Person[]
}

/** What looks random in an address, the same after every reset. */
export const secretOf = (text: string): string => hash32(text).toString(16).padStart(8, '0')
