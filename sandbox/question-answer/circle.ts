import type { DatabaseSync } from 'node:sqlite'
import { number, one, run } from '../platform/rows.ts'

/** Numbers of an account: from its ordinal times this, and one more. */
export const block = 100_000

/** The last number that was given out in an account. */
export function lastNo(db: DatabaseSync, account: string): number {
  return number(one(db, 'SELECT last FROM circles WHERE account = ?', account) ?? {}, 'last')
}

export function nextNo(db: DatabaseSync, account: string): number {
  return number(one(db, 'UPDATE circles SET last = last + 1 WHERE account = ? RETURNING last', account) ?? {}, 'last')
}

export function startCircle(db: DatabaseSync, account: string, last: number): void {
  run(db, 'INSERT INTO circles VALUES (?, ?)', account, last)
}

/** A number as addresses and forms give it; undefined for anything else. */
export function readNo(text: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined
}
