import type { DatabaseSync } from 'node:sqlite'
import { number, one } from '../platform/rows.ts'

/** What a good costs on a day. */
export function costNow(db: DatabaseSync, good: { no: number; account: string; cost: number }, day: string): number {
  const sql = `SELECT percent FROM markdowns m WHERE account = ?1 AND first <= ?2 AND last >= ?2
    AND (goods IS NULL OR EXISTS (SELECT 1 FROM json_each(m.goods) WHERE value = ?3))`
  const row = one(db, sql, good.account, day, good.no)
  return row ? Math.round((good.cost * (100 - number(row, 'percent'))) / 100) : good.cost
}
