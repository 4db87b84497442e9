import type { DatabaseSync } from 'node:sqlite'
import { hash32 } from '../platform/random.ts'
import { all, number, one, text } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { dayIn } from './clock.ts'

export interface Firm {
  account: string
  zone: string
  currency: string
  tick: number
}

export function firmOf(db: DatabaseSync, account: string): Firm {
  const row = one(db, 'SELECT * FROM firms WHERE account = ?', account)
  if (!row) throw new Error(`${account} has no firm.`)
  return { account, zone: text(row, 'zone'), currency: text(row, 'currency'), tick: number(row, 'tick') }
}

export const ownFirm = ({ db, viewer }: SignedIn): Firm => firmOf(db, viewer.account.account)

export const isAdmin = ({ viewer }: SignedIn): boolean => viewer.account.kind === 'admin'

export function needAdmin(request: SignedIn): void {
  if (!isAdmin(request)) throw new Refusal(403, 'ADMIN_ONLY', 'Bills and payments are for admins only.')
}

/** One more change of what lists show; answers its number. */
export function nextTick(db: DatabaseSync, account: string): number {
  const row = one(db, 'UPDATE firms SET tick = tick + 1 WHERE account = ? RETURNING tick', account)
  return number(row ?? {}, 'tick')
}

const bases = { clients: 10_000, orders: 200_000, bills: 500_000, services: 0, crew: 0, people: 0 } as const
const others = { lines: 0, visits: 0, hours: 0, payments: 0, mails: 0 } as const
export type Table = keyof typeof bases | keyof typeof others

/** Numbers of two accounts never meet. */
export const idOf = (table: Table, ordinal: number, n: number): number =>
  ordinal * 1_000_000 + { ...bases, ...others }[table] + n

export function nextId({ db, viewer }: SignedIn, table: Table): number {
  const { account, ordinal } = viewer.account
  const row = one(db, `SELECT max(id) + 1 AS id FROM ${table} WHERE account = ?`, account)
  return row?.['id'] == null ? idOf(table, ordinal, 1) : number(row, 'id')
}

/** The number in a path or field, such as `1010007`. */
export const parseId = (value: string): number => (/^[1-9]\d{0,14}$/.test(value) ? Number(value) : 0)

/** A list as it stood after change `tick`, on the day `today`: what comes later neither enters it nor moves it. */
export interface At {
  tick: number
  today: number
}

export const atNow = (firm: Firm, now: number): At => ({ tick: firm.tick, today: dayIn(now, firm.zone) })

const seal = (account: string, { tick, today }: At): string =>
  hash32(`dispato ${account} ${tick} ${today}`).toString(36)

export const stampText = (account: string, at: At): string => `${at.tick}.${at.today}.${seal(account, at)}`

/** Undefined where this firm never gave out such a stamp (or was set back since). */
export function parseStamp(firm: Firm, stamp: string): At | undefined {
  const [tick, today, mark] = stamp.split('.')
  const at = { tick: Number(tick), today: Number(today) }
  return mark === seal(firm.account, at) && at.tick <= firm.tick ? at : undefined
}

export interface Named {
  id: number
  name: string
}

export interface CrewMember extends Named {
  active: boolean
}

export function servicesOf(db: DatabaseSync, account: string): Named[] {
  const rows = all(db, 'SELECT * FROM services WHERE account = ? ORDER BY id', account)
  return rows.map((row) => ({ id: number(row, 'id'), name: text(row, 'label') }))
}

export function crewOf(db: DatabaseSync, account: string): CrewMember[] {
  const rows = all(db, 'SELECT * FROM crew WHERE account = ? ORDER BY id', account)
  return rows.map((row) => ({ id: number(row, 'id'), name: text(row, 'name'), active: number(row, 'active') === 1 }))
}

/** By number, or by name with capitals alike. */
export function pick<T extends Named>(items: readonly T[], wanted: string, field: string, code: string): T {
  const found = items.find(({ id, name }) => String(id) === wanted || name.toLowerCase() === wanted.toLowerCase())
  if (found) return found
  const names = items.map(({ name }) => name).join(', ')
  throw new Refusal(422, code, `${field} must be one of: ${names}.`, field)
}
