import type { DatabaseSync } from 'node:sqlite'
import { number, one, run, text } from '../platform/rows.ts'
import { Refusal, type Account, type SignedIn } from '../platform/types.ts'
import { clockIn, dayOf } from './clock.ts'

/** Edition and role are the two halves of a kind: the pet edition knows pets, the other one only people. */
export const kinds = ['pet_owner', 'pet_desk', 'pet_groomer', 'hair_owner'] as const

export interface Salon {
  account: string
  ordinal: number
  label: string
  person: string
  zone: string
  cur: string
  edition: 'PET' | 'HAIR'
  role: string
  rev: number
  /** What its clocks show: `2026-12-31 18:30`. */
  now: string
  today: string
}

export const opens = 8 * 60
export const closes = 19 * 60

type Right = 'book' | 'void' | 'pets'

const rights: Readonly<Record<string, readonly Right[]>> = {
  owner: ['book', 'void', 'pets'],
  desk: ['book', 'pets'],
  groomer: ['pets'],
}

export const rightsOf = ({ role, edition }: Pick<Salon, 'role' | 'edition'>): Right[] =>
  (rights[role] ?? []).filter((right) => right !== 'pets' || edition === 'PET')

export const editionOf = ({ kind }: Account): Salon['edition'] => (kind.startsWith('pet_') ? 'PET' : 'HAIR')

export function salonOf({ db, viewer, now }: SignedIn): Salon {
  const { account, ordinal, label, person, kind } = viewer.account
  const row = one(db, 'SELECT * FROM salons WHERE account = ?', account)
  if (!row) throw new Error(`Salon ${account} has no data.`)
  const zone = text(row, 'zone')
  const clock = clockIn(zone, now)
  return {
    account,
    ordinal,
    label,
    person,
    zone,
    cur: text(row, 'cur'),
    edition: editionOf(viewer.account),
    role: kind.slice(kind.indexOf('_') + 1),
    rev: number(row, 'rev'),
    now: clock,
    today: dayOf(clock),
  }
}

export function needPets(salon: Salon): void {
  if (salon.edition === 'PET') return
  throw new Refusal(403, 'PET_EDITION_ONLY', 'There are no pets in the hair edition.')
}

export function need(salon: Salon, right: Right): void {
  if (right === 'pets') needPets(salon)
  if (rightsOf(salon).includes(right)) return
  throw new Refusal(403, 'ROLE_NOT_ALLOWED', `Your role ${salon.role} may not do this (${right}).`)
}

/** A write's own number: what it changes is good from here on. */
export function nextRev(db: DatabaseSync, { account, rev }: Salon): number {
  run(db, 'UPDATE salons SET rev = ? WHERE account = ?', rev + 1, account)
  return rev + 1
}

/** Serials rise within an account and never meet those of another one. */
export function nextSerial(
  db: DatabaseSync,
  table: 'tickets' | 'ticket_log' | 'messages' | 'shots',
  { account, ordinal }: Salon,
): number {
  const sql = `SELECT coalesce(max(serial), ?) + 1 AS serial FROM ${table} WHERE account = ?`
  return number(one(db, sql, ordinal * 100_000, account) ?? {}, 'serial')
}

const letters = { ticket: 'T', client: 'C', pet: 'P', emp: 'E', svc: 'S', wait: 'W', msg: 'M', shot: 'V' } as const
export type Thing = keyof typeof letters

export const idOf = (thing: Thing, serial: number): string => `${letters[thing]}${serial}`

/** The serial in an id such as `T100001`; 0, which nothing has, for anything else. */
export function serialOf(thing: Thing, id: string): number {
  const serial = Number(id.slice(1))
  return Number.isSafeInteger(serial) && idOf(thing, serial) === id ? serial : 0
}
