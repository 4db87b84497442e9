import { createHash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { hash32 } from '../platform/random.ts'
import { number, one, run, text } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'

export const rights = ['diary', 'guests', 'takings', 'wallet'] as const
export type Right = (typeof rights)[number]

const rightsOfKind: Record<string, readonly Right[]> = {
  owner: rights,
  manager: rights,
  cash_owner: rights,
  front_desk: ['diary', 'guests'],
  stylist: ['diary'],
}

export const kinds = Object.keys(rightsOfKind)

export const rightsOf = (kind: string): readonly Right[] => rightsOfKind[kind] ?? []

export function need({ viewer }: SignedIn, right: Right): void {
  if (rightsOf(viewer.account.kind).includes(right)) return
  throw new Refusal(403, 'RIGHT_MISSING', `Your role has no access to this: it needs the right "${right}".`)
}

export interface Salon {
  account: string
  title: string
  currency: string
  /** Digits of the minor unit: 2 for EUR, 0 for JPY, 3 for TND. */
  exponent: number
  payments: boolean
  balance: number
  tick: number
}

export function salonOf({ db, viewer }: SignedIn): Salon {
  const row = one(db, 'SELECT * FROM salons WHERE account = ?', viewer.account.account)
  if (!row) throw new Error(`${viewer.account.account} has no salon.`)
  return {
    account: text(row, 'account'),
    title: text(row, 'title'),
    currency: text(row, 'currency'),
    exponent: number(row, 'exponent'),
    payments: number(row, 'payments') === 1,
    balance: number(row, 'balance'),
    tick: number(row, 'tick'),
  }
}

/** One more change of what lists show; answers its number. */
export function nextTick(db: DatabaseSync, account: string): number {
  const row = one(db, 'UPDATE salons SET tick = tick + 1 WHERE account = ? RETURNING tick', account)
  return number(row ?? {}, 'tick')
}

/** Looks like a UUID, and is the same after every reset. `n` counts the account's rows of that kind. */
export function idOf(account: string, kind: string, n: number): string {
  const hex = createHash('sha256').update(`lustra ${account} ${kind} ${n}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** A list as it stood after change `tick`, at `time`: what comes later neither enters it nor moves it. */
export interface AsOf {
  tick: number
  time: number
}

const seal = (account: string, { tick, time }: AsOf): string => hash32(`${account} ${tick} ${time}`).toString(36)

export const asOfText = (account: string, asOf: AsOf): string =>
  [asOf.tick.toString(36), asOf.time.toString(36), seal(account, asOf)].join('-')

/** The token's moment, or undefined where this salon never gave out such a token (or was set back since). */
export function parseAsOf(salon: Salon, token: string): AsOf | undefined {
  const [tick = '', time = '', mark] = token.split('-')
  const asOf = { tick: Number.parseInt(tick, 36), time: Number.parseInt(time, 36) }
  return mark === seal(salon.account, asOf) && asOf.tick <= salon.tick ? asOf : undefined
}

export function setBalance(db: DatabaseSync, account: string, balance: number): void {
  run(db, 'UPDATE salons SET balance = ? WHERE account = ?', balance, account)
}
