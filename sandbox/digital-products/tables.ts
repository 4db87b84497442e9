import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { number, one, text, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'

const things = {
  sales: ['S', 'SALE'],
  wares: ['W', 'WARE'],
  members: ['M', 'MEMBER'],
  vouchers: ['V', 'VOUCHER'],
  shelves: ['F', 'SHELF'],
  remarks: ['N', 'REMARK'],
  letters: ['L', 'LETTER'],
} as const
type Table = keyof typeof things

export const idOf = (table: Table, serial: number): string => `${things[table][0]}-${serial}`

/** The serial in an id; 0, which nothing has, for anything else. */
export function serialOf(table: Table, id: unknown): number {
  const digits = typeof id === 'string' ? /^([A-Z])-([1-9]\d{0,14})$/.exec(id) : null
  return digits?.[1] === things[table][0] ? Number(digits[2]) : 0
}

/** The row with this id among the shop's own; whatever else there is does not exist. */
export function ownRow({ db, viewer }: SignedIn, table: Table, id: unknown, field?: string): Row {
  const sql = `SELECT * FROM ${table} WHERE serial = ? AND account = ?`
  const found = one(db, sql, serialOf(table, id), viewer.account.account)
  const name = things[table][1]
  if (!found) throw new Refusal(404, `${name}_NOT_FOUND`, `Your shop has no such ${name.toLowerCase()}.`, field)
  return found
}

/** Rows with the same columns. */
export function insertAll(db: DatabaseSync, into: string, rows: readonly Record<string, SQLInputValue>[]): void {
  const [first] = rows
  if (!first) return
  const columns = Object.keys(first)
  const insert = db.prepare(
    `INSERT INTO ${into} (${columns.join(', ')}) VALUES (${columns.map((column) => `:${column}`).join(', ')})`,
  )
  for (const row of rows) insert.run(row)
}

/** Rises with everything that is added in the shop, and never meets that of another one. */
export function nextSerial(db: DatabaseSync, account: string): number {
  return number(one(db, 'UPDATE shops SET last = last + 1 WHERE account = ? RETURNING last', account) ?? {}, 'last')
}

export function shopOf(db: DatabaseSync, account: string): { cur: string; fetchLimit: number } {
  const row = one(db, 'SELECT * FROM shops WHERE account = ?', account) ?? {}
  return { cur: text(row, 'cur'), fetchLimit: number(row, 'fetch_limit') }
}

/** Helpers look after buyers' questions: they read, but neither change anything nor see the shop's figures. */
export function ownerOnly({ viewer }: SignedIn): void {
  if (viewer.account.kind !== 'owner') throw new Refusal(403, 'OWNER_ONLY', 'Only the owner of the shop may do this.')
}
