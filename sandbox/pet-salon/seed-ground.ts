import type { DatabaseSync } from 'node:sqlite'
import type { Random } from '../platform/random.ts'
import type { Account } from '../platform/types.ts'
import type { Employee, Service } from './catalog.ts'
import type { Client, Pet } from './clients.ts'

/** From this place on, clients come only around the day of the reset: what the others have ahead looks the same all day. */
export const nearFrom = 70
/** The place of one who is here today and has no mobile number. */
export const mute = 74

/** What all parts of a seed are made from. */
export interface Ground {
  db: DatabaseSync
  random: Random
  account: Account
  /** The first serial of every table is one more. */
  base: number
  /** The day of the reset, UTC. */
  today: string
  services: Service[]
  staff: Employee[]
  clients: Client[]
  pets: Pet[]
}

/** The item at that place, from the front again after the last one. */
export const at = <T>(items: readonly T[], index: number): T => {
  const item = items[index % items.length]
  if (item === undefined) throw new RangeError('Nothing to take from.')
  return item
}
