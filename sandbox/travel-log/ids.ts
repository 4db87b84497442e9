import { number, one } from '../platform/rows.ts'
import type { SignedIn } from '../platform/types.ts'

/** Each account has a million numbers of its own in every table. */
export const firstId = (ordinal: number): number => ordinal * 1_000_000

type Numbered = 'journeys' | 'entries' | 'answers' | 'notices'

/** The next number of the account; nothing is ever taken away, so that none comes back. */
export function nextId({ db, viewer }: SignedIn, table: Numbered): number {
  const { account, ordinal } = viewer.account
  const sql = `SELECT coalesce(max(id), ?) + 1 AS id FROM ${table} WHERE account = ?`
  return number(one(db, sql, firstId(ordinal), account) ?? {}, 'id')
}
