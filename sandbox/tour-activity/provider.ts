import type { DatabaseSync } from 'node:sqlite'
import { number, one, text } from '../platform/rows.ts'
import { Refusal, type Account, type SignedIn } from '../platform/types.ts'
import { dayIn } from './clock.ts'

interface Provider {
  zone: string
  cur: string
  feePct: number
}

type Right = 'calendar' | 'money' | 'personal'

export const kinds = ['provider', 'guide'] as const

/** Guides see who comes and write to them, but change no sales, see no money and no whole addresses. */
export const rightsOf = ({ kind }: Account): Right[] => (kind === 'provider' ? ['calendar', 'money', 'personal'] : [])

export function need({ viewer }: SignedIn, right: Right): void {
  if (rightsOf(viewer.account).includes(right)) return
  throw new Refusal(403, 'RIGHT_MISSING', `Your role ${viewer.account.kind} has no right to this: ${right}.`)
}

export function findProvider(db: DatabaseSync, account: string): Provider {
  const row = one(db, 'SELECT * FROM providers WHERE account = ?', account)
  if (!row) throw new Error(`Provider ${account} has no data.`)
  return { zone: text(row, 'zone'), cur: text(row, 'cur'), feePct: number(row, 'fee_pct') }
}

export const ownProvider = ({ db, viewer }: SignedIn): Provider => findProvider(db, viewer.account.account)

export const todayHere = (request: SignedIn): string => dayIn(ownProvider(request).zone, request.now)

/** Serials rise within an account and never meet those of another one. */
export function nextSerial(db: DatabaseSync, table: 'bookings' | 'notes', account: string): number {
  const sql = `SELECT coalesce((SELECT max(serial) FROM ${table} WHERE account = ?1), ordinal * 100000) + 1 AS serial
    FROM providers WHERE account = ?1`
  return number(one(db, sql, account) ?? {}, 'serial')
}
