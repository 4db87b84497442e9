import type { DatabaseSync } from 'node:sqlite'
import type { Random } from '../platform/random.ts'
import type { NewOrder } from './orders.ts'

/** What all parts of a seed are made from. */
export interface Ground {
  db: DatabaseSync
  random: Random
  account: string
  /** The first serial of every table is one more. */
  base: number
  /** Midnight UTC of the day of the reset, Unix seconds. */
  midnight: number
  /** The day of the reset, UTC. */
  today: string
}

export interface SeededVariant {
  serial: number
  activity: number
  starts: string[]
  weekdays: string
  capacity: number
  adults: number
  children: number
}

export type SeededOrder = NewOrder & { offset: number }
