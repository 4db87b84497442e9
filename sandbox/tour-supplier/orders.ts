import type { DatabaseSync } from 'node:sqlite'
import { all, number, one, text, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { serialOf, type Order } from './entities.ts'
import type { Span } from './input.ts'
import type { Wish } from './paging.ts'

const joined = `SELECT o.*, a.headline, a.zone, v.label FROM orders o JOIN activities a ON a.serial = o.activity
  JOIN variants v ON v.serial = o.variant`

const toOrder = (row: Row): Order => ({
  serial: number(row, 'serial'),
  account: text(row, 'account'),
  activity: number(row, 'activity'),
  variant: number(row, 'variant'),
  headline: text(row, 'headline'),
  variantLabel: text(row, 'label'),
  zone: text(row, 'zone'),
  day: text(row, 'day'),
  start: text(row, 'start'),
  state: text(row, 'state'),
  adults: number(row, 'adults'),
  children: number(row, 'children'),
  minor: number(row, 'minor'),
  guest: text(row, 'guest'),
  lang: text(row, 'lang'),
  mail: text(row, 'mail'),
  key: text(row, 'key'),
  placed: number(row, 'placed'),
})

const notFound = (): Refusal => new Refusal(404, 'ORDER_NOT_FOUND', 'There is no such order.')

/** The order that the path names. */
export function ownOrder({ db, viewer, params }: SignedIn): Order {
  const serial = serialOf('orders', params['id'] ?? '')
  const sql = `${joined} WHERE o.serial = ? AND o.account = ?`
  const row = serial === undefined ? undefined : one(db, sql, serial, viewer.account.account)
  if (!row) throw notFound()
  return toOrder(row)
}

/** The order whose guest has this link. */
export function orderByKey(db: DatabaseSync, key: string): Order {
  const row = one(db, `${joined} WHERE o.key = ?`, key)
  if (!row) throw notFound()
  return toOrder(row)
}

interface OrderFilter extends Span {
  activity: number | undefined
  /** LIVE, VOID or ANY. */
  state: string
}

export const orderKey = ({ day, start, serial }: Order): [string, string, number] => [day, start, serial]

/** By day and start; one row more than asked for shows that there is a next page. */
export function listOrders(db: DatabaseSync, account: string, filter: OrderFilter, { size, key }: Wish): Order[] {
  const { first, last, activity = null, state } = filter
  const [day = '', start = '', serial = '0'] = key ?? []
  const sql = `${joined} WHERE o.account = ?1 AND o.day BETWEEN ?2 AND ?3 AND (?4 IS NULL OR o.activity = ?4)
    AND (?5 = 'ANY' OR o.state = ?5) AND (o.day, o.start, o.serial) > (?6, ?7, ?8) ORDER BY o.day, o.start, o.serial LIMIT ?9`
  return all(db, sql, account, first, last, activity, state, day, start, Number(serial), size + 1).map(toOrder)
}

export type NewOrder = Omit<Order, 'headline' | 'variantLabel' | 'zone'>

export function insertOrders(db: DatabaseSync, orders: readonly NewOrder[]): void {
  const insert = db.prepare(`INSERT INTO orders VALUES (${Array(15).fill('?').join(', ')})`)
  for (const o of orders) {
    const whom = [o.adults, o.children, o.minor, o.guest, o.lang, o.mail, o.key, o.placed]
    insert.run(o.serial, o.account, o.activity, o.variant, o.day, o.start, o.state, ...whom)
  }
}
