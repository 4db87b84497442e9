import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { number, one, type Row } from '../platform/rows.ts'
import { Refusal, type Reply, type SignedIn } from '../platform/types.ts'

const things = {
  areas: ['a', 'AREA'],
  homes: ['h', 'HOME'],
  presets: ['p', 'PRESET'],
  alerts: ['w', 'ALERT'],
  files: ['f', 'FILE'],
  mails: ['m', 'MAIL'],
} as const
type Table = keyof typeof things

export const idOf = (table: Table, serial: number): string => `${things[table][0]}-${serial.toString(36)}`

/** The row with this id among the viewer's own; whatever else there is does not exist. */
export function ownRow({ db, viewer }: SignedIn, table: Table, id: unknown, at?: string): Row {
  const serial = typeof id === 'string' ? Number.parseInt(id.slice(2), 36) : Number.NaN
  const found =
    Number.isSafeInteger(serial) && idOf(table, serial) === id
      ? one(db, `SELECT * FROM ${table} WHERE serial = ? AND account = ?`, serial, viewer.account.account)
      : undefined
  const name = things[table][1]
  if (!found) throw new Refusal(404, `${name}_NOT_FOUND`, `Your desk has no such ${name.toLowerCase()}.`, at)
  return found
}

/** Rows with the same columns. */
export function insertAll(db: DatabaseSync, into: string, rows: readonly Record<string, SQLInputValue>[]): void {
  const columns = Object.keys(rows[0] ?? {})
  if (columns.length === 0) return
  const places = columns.map((column) => `:${column}`)
  const insert = db.prepare(`INSERT INTO ${into} (${columns.join(', ')}) VALUES (${places.join(', ')})`)
  for (const row of rows) insert.run(row)
}

/** Rises with everything that is added or taken away in the account, and never meets that of another one. */
export function nextSerial({ db, viewer }: SignedIn): number {
  const sql = 'UPDATE desks SET serial = serial + 1 WHERE account = ? RETURNING serial'
  return number(one(db, sql, viewer.account.account) ?? {}, 'serial')
}

/** `feedDay`: days that the listing feed has run since the start; `anchor`: when a month of the plan began. */
export function ownDesk({ db, viewer }: SignedIn): { serial: number; feedDay: number; anchor: number } {
  const row = one(db, 'SELECT * FROM desks WHERE account = ?', viewer.account.account) ?? {}
  return { serial: number(row, 'serial'), feedDay: number(row, 'feed_day'), anchor: number(row, 'anchor') }
}

type Handle = (request: SignedIn) => Reply

/** For investors, not for guests. */
export const investors =
  (handle: Handle): Handle =>
  (request) => {
    if (request.viewer.account.kind !== 'guest') return handle(request)
    throw new Refusal(403, 'INVESTORS_ONLY', 'Guests may look at the market only.')
  }
