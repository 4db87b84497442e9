import type { DatabaseSync } from 'node:sqlite'
import { count, number, one, run, text } from '../platform/rows.ts'
import { Refusal, type Reply, type SignedIn } from '../platform/types.ts'
import { dayIn } from './clock.ts'

/** Numbers of a shop: from its account's ordinal times this, and one more. */
export const block = 100_000

export interface Shop {
  account: string
  /** The last number that was given out. */
  last: number
  /** IANA zone in which the shop counts its days. */
  zone: string
}

/** A request of somebody who sells. */
export interface AtDesk extends SignedIn {
  shop: Shop
}

export function findShop(db: DatabaseSync, account: string): Shop {
  const row = one(db, 'SELECT * FROM shops WHERE account = ?', account)
  if (!row) throw new Error(`${account} has no shop.`)
  return { account, last: number(row, 'last'), zone: text(row, 'zone') }
}

/** Buyers have no shop: to them its desk is closed. */
export const atDesk =
  (handle: (request: AtDesk) => Reply) =>
  (request: SignedIn): Reply => {
    const { account, kind } = request.viewer.account
    if (kind === 'buyer') throw new Refusal(403, 'SELLERS_ONLY', 'This needs a seller account.')
    return handle({ ...request, shop: findShop(request.db, account) })
  }

export const today = ({ shop, now }: AtDesk): string => dayIn(shop.zone, now)

/** So many numbers in a row; answers the first. */
export function takeNos(db: DatabaseSync, account: string, many: number): number {
  const row = one(db, 'UPDATE shops SET last = last + ? WHERE account = ? RETURNING last', many, account)
  return number(row ?? {}, 'last') - many + 1
}

export const nextNo = (db: DatabaseSync, account: string): number => takeNos(db, account, 1)

export function insertShop(db: DatabaseSync, { account, last, zone }: Shop): void {
  run(db, 'INSERT INTO shops VALUES (?, ?, ?)', account, last, zone)
}

/** A number as addresses and forms give it; undefined for anything else. */
export const readNo = (given: string): number | undefined => (/^[1-9]\d{0,14}$/.test(given) ? Number(given) : undefined)

export const followerCount = (db: DatabaseSync, account: string): number =>
  count(db, 'followers WHERE account = ?', account)
