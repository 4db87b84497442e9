import type { DatabaseSync } from 'node:sqlite'
import { all, count, number, text } from '../platform/rows.ts'
import { Refusal, type Account } from '../platform/types.ts'
import { among } from './ads.ts'
import { deals, type Deal, type Wanted } from './entities.ts'
import type { PageWish } from './paging.ts'

/** Newest first; agencies only. */
export function listWanted(
  db: DatabaseSync,
  { account, kind }: Account,
  wish: PageWish<number>,
  chosen: readonly Deal[],
): { wanted: Wanted[]; total: number } {
  if (kind !== 'agency') throw new Refusal(403, 'AGENCY_ONLY', 'What people look for is shown to agencies only.')
  const where = `wanted WHERE account = ? AND deal IN (${chosen.map(() => '?').join(', ')})`
  const sql = `SELECT * FROM ${where} AND id < ? ORDER BY id DESC LIMIT ? OFFSET ?`
  const before = wish.before ?? Number.MAX_SAFE_INTEGER
  const wanted = all(db, sql, account, ...chosen, before, wish.size + 1, wish.offset).map((row) => ({
    id: number(row, 'id'),
    thread: number(row, 'thread'),
    deal: among(deals, text(row, 'deal')),
    area: text(row, 'area'),
    cents: number(row, 'cents'),
    currency: text(row, 'currency'),
    rooms: number(row, 'rooms'),
  }))
  return { wanted, total: count(db, where, account, ...chosen) }
}
