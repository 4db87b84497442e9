import type { DatabaseSync } from 'node:sqlite'
import { number, one, text } from '../platform/rows.ts'
import type { SignedIn } from '../platform/types.ts'
import { dayIn } from './clock.ts'
import type { Studio, Table } from './entities.ts'

export function findStudio(db: DatabaseSync, account: string): Studio {
  const sql = `SELECT *, (SELECT coalesce(sum(kb), 0) FROM frames WHERE account = s.account) AS used FROM studios s
    WHERE account = ?`
  const row = one(db, sql, account)
  if (!row) throw new Error(`Studio ${account} has no data.`)
  return {
    account,
    zone: text(row, 'zone'),
    money: text(row, 'money'),
    quotaKb: number(row, 'quota_kb'),
    usedKb: number(row, 'used'),
  }
}

export const ownStudio = ({ db, viewer }: SignedIn): Studio => findStudio(db, viewer.account.account)

export const todayOf = (studio: Studio, now: number): string => dayIn(studio.zone, now * 1000)

/** Serials rise within an account and never meet those of another one. */
export function nextSerial(db: DatabaseSync, table: Table, account: string): number {
  const sql = `SELECT coalesce((SELECT max(serial) FROM ${table} WHERE account = ?1), ordinal * 100000) + 1 AS serial
    FROM studios WHERE account = ?1`
  return number(one(db, sql, account) ?? {}, 'serial')
}
