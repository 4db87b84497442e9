import type { DatabaseSync } from 'node:sqlite'
import { maybeText, number, one, text } from '../platform/rows.ts'
import { currencyOf, type Currency } from './money.ts'

interface Member {
  ordinal: number
  mail: string
  /** What they are shown prices in. */
  currency: Currency
  /** The card that is charged; null: none, and nothing can be booked. */
  card: string | null
}

export function memberOf(db: DatabaseSync, account: string): Member {
  const row = one(db, 'SELECT * FROM members WHERE account = ?', account) ?? {}
  return {
    ordinal: number(row, 'ordinal'),
    mail: text(row, 'mail'),
    currency: currencyOf(text(row, 'currency')),
    card: maybeText(row, 'card') ?? null,
  }
}

/** Each account has its own range, so that no two ever share a number. */
export function nextSerial(db: DatabaseSync, table: 'bookings' | 'letters', account: string): number {
  const last = one(db, `SELECT max(serial) AS last FROM ${table} WHERE account = ?`, account)?.['last']
  return (typeof last === 'number' ? last : memberOf(db, account).ordinal * 100_000) + 1
}
