import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { number, one, text, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'

const things = {
  clips: ['v', 'CLIP'],
  series: ['k', 'SERIES'],
  shows: ['e', 'SHOW'],
  shelves: ['h', 'SHELF'],
  rooms: ['r', 'ROOM'],
  posts: ['p', 'POST'],
  coupons: ['c', 'COUPON'],
  mails: ['m', 'MAIL'],
} as const
type Table = keyof typeof things

export const idOf = (table: Table, serial: number): string => `${things[table][0]}${serial}`

/** The row with this id among the viewer's own; whatever else there is does not exist. */
export function ownRow({ db, viewer }: SignedIn, table: Table, id: unknown, field?: string): Row {
  const [prefix, name] = things[table]
  const found =
    typeof id === 'string' && new RegExp(`^${prefix}[1-9]\\d{0,14}$`).test(id)
      ? one(db, `SELECT * FROM ${table} WHERE serial = ? AND account = ?`, Number(id.slice(1)), viewer.account.account)
      : undefined
  if (!found) throw new Refusal(404, `${name}_NOT_FOUND`, `Your studio has no such ${name.toLowerCase()}.`, field)
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

/** The texts in a column that holds a JSON list. */
export const listed = (row: Row, name: string): string[] => JSON.parse(text(row, name)) as string[]

/** Rises with everything that is added or put on air in the account, and never meets that of another one. */
export function nextSerial({ db, viewer }: SignedIn): number {
  const sql = 'UPDATE studios SET serial = serial + 1 WHERE account = ? RETURNING serial'
  return number(one(db, sql, viewer.account.account) ?? {}, 'serial')
}

interface Studio {
  zone: string
  currency: string
  serial: number
}

export function ownStudio({ db, viewer }: SignedIn): Studio {
  const row = one(db, 'SELECT * FROM studios WHERE account = ?', viewer.account.account) ?? {}
  return { zone: text(row, 'zone'), currency: text(row, 'currency'), serial: number(row, 'serial') }
}

export function needAdmin({ viewer }: SignedIn): void {
  if (viewer.account.kind !== 'admin') {
    throw new Refusal(403, 'ADMIN_ONLY', 'Only admins of the studio may do this.')
  }
}
