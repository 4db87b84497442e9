import type { DatabaseSync } from 'node:sqlite'
import { number, one, text } from '../platform/rows.ts'
import { Refusal, type Account, type SignedIn } from '../platform/types.ts'
import { dayIn } from './clock.ts'

interface Host {
  zone: string
  /** The day that paydays are counted from. */
  anchor: number
}

type Right = 'asks' | 'nights' | 'reviews' | 'money'

export const kinds = ['host', 'helper'] as const

/** Helpers look after the place and write with campers; they decide nothing and see no paydays. */
export const rightsOf = ({ kind }: Account): Right[] => (kind === 'host' ? ['asks', 'nights', 'reviews', 'money'] : [])

export function need({ viewer }: SignedIn, right: Right): void {
  if (rightsOf(viewer.account).includes(right)) return
  throw new Refusal(403, 'HOSTS_ONLY', `A ${viewer.account.kind} may not do this: ${right}.`)
}

export function ownHost({ db, viewer }: SignedIn): Host {
  const { account } = viewer.account
  const row = one(db, 'SELECT * FROM hosts WHERE account = ?', account)
  if (!row) throw new Error(`Host ${account} has no data.`)
  return { zone: text(row, 'zone'), anchor: number(row, 'anchor') }
}

export const todayHere = (request: SignedIn): number => dayIn(ownHost(request).zone, request.now)

/** Serials rise within an account and never meet those of another one. */
export function nextSerial(db: DatabaseSync, table: 'chats' | 'notes' | 'mails', account: string): number {
  const sql = `SELECT coalesce((SELECT max(serial) FROM ${table} WHERE account = ?1), ordinal * 100000) + 1 AS serial
    FROM hosts WHERE account = ?1`
  return number(one(db, sql, account) ?? {}, 'serial')
}

/** The serial in an id such as `S100012`; 0, which nothing has, where it is none. */
export const serialIn = (letter: string, id: string | undefined): number =>
  id !== undefined && id.startsWith(letter) && /^\d{1,12}$/.test(id.slice(1)) ? Number(id.slice(1)) : 0
