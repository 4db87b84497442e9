import type { SQLInputValue } from 'node:sqlite'
import { hash32 } from '../platform/random.ts'
import { all, count, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { readParams, text, whole, type Fields } from './input.ts'
import { ownDesk } from './tables.ts'

/** A list as columns: their names, and the values of each row in that order. */
export const grid = <T extends object>(cols: readonly (keyof T & string)[], rows: readonly T[]) => ({
  cols,
  vals: rows.map((row) => cols.map((col) => row[col])),
})

export interface Page<T> {
  items: T[]
  list: { page: number; rows: number; of: number; more: boolean; stamp: string }
}

const seal = (account: string, name: string, serial: number): string =>
  `${serial.toString(36)}.${hash32(`${account} ${name} ${serial}`).toString(36)}`

/** Where the account's counter stood when page 1 was read. */
function readStamp({ viewer }: SignedIn, name: string, given: string | undefined, now: number): number {
  if (given === undefined) return now
  const serial = Number.parseInt(given, 36)
  if (!Number.isSafeInteger(serial) || seal(viewer.account.account, name, serial) !== given) {
    throw new Refusal(422, 'STAMP_UNKNOWN', 'This stamp is not one of this list.', 'stamp')
  }
  return serial
}

interface Found {
  /** `table WHERE …`, with ?1 the account and ?2 the stamp. */
  from: string
  values?: SQLInputValue[]
}

/** One page, newest first, of what a list was like at its stamp: what comes or goes later moves nothing. */
export function readPage<T>(
  request: SignedIn,
  name: string,
  filters: readonly string[],
  find: (fields: Fields) => Found,
  show: (row: Row) => T,
): Page<T> {
  const { db, viewer, query } = request
  const { account } = viewer.account
  const fields = readParams(query, { texts: [...filters, 'stamp'], wholes: ['page', 'rows'] })
  const page = whole(fields, 'page', 1, 100_000) ?? 1
  const rows = whole(fields, 'rows', 1, 100) ?? 25
  const given = text(fields, 'stamp', 60)
  if (page > 1 && given === undefined) {
    throw new Refusal(422, 'STAMP_NEEDED', 'Give the stamp of page 1, too.', 'stamp')
  }
  const list = [name, ...filters.map((filter) => query.get(filter) ?? '')].join('\n')
  const stamp = readStamp(request, list, given, ownDesk(request).serial)
  const { from, values = [] } = find(fields)
  const of = count(db, from, account, stamp, ...values)
  const sql = `SELECT * FROM ${from} ORDER BY serial DESC LIMIT ${rows} OFFSET ${(page - 1) * rows}`
  const items = all(db, sql, account, stamp, ...values).map(show)
  return { items, list: { page, rows, of, more: page * rows < of, stamp: seal(account, list, stamp) } }
}
