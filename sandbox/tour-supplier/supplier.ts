import type { DatabaseSync } from 'node:sqlite'
import { number, one, text } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import type { Supplier, Table } from './entities.ts'

export function findSupplier(db: DatabaseSync, account: string): Supplier {
  const row = one(db, 'SELECT * FROM suppliers WHERE account = ?', account)
  if (!row) throw new Error(`Supplier ${account} has no data.`)
  return { account, zone: text(row, 'zone'), cur: text(row, 'cur'), digits: number(row, 'digits') }
}

export const ownSupplier = ({ db, viewer }: SignedIn): Supplier => findSupplier(db, viewer.account.account)

/** Serials rise within an account and never meet those of another one. */
export function nextSerial(db: DatabaseSync, table: Table, account: string): number {
  const sql = `SELECT coalesce((SELECT max(serial) FROM ${table} WHERE account = ?1), ordinal * 100000) + 1 AS serial
    FROM suppliers WHERE account = ?1`
  return number(one(db, sql, account) ?? {}, 'serial')
}

type Right = 'seats' | 'tariff' | 'guests' | 'insights'

/** What roles may do besides looking at orders, activities and seats. */
export const rightsOf: Readonly<Record<string, readonly Right[]>> = {
  manager: ['seats', 'tariff', 'guests', 'insights'],
  dispatcher: ['seats', 'guests'],
  guide: [],
}

export const may = ({ viewer }: SignedIn, right: Right): boolean =>
  rightsOf[viewer.account.kind]?.includes(right) ?? false

export function need(request: SignedIn, right: Right): void {
  if (may(request, right)) return
  throw new Refusal(403, 'RIGHT_MISSING', `Your role, ${request.viewer.account.kind}, lacks the right “${right}”.`)
}
