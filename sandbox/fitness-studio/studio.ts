import { number, one, text } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { dayIn } from './clock.ts'

interface Studio {
  zone: string
  ccy: string
  rev: number
  /** The day that it is on the studio's clocks. */
  today: string
}

export const kinds = ['admin', 'staff'] as const

export function ownStudio({ db, viewer, now }: SignedIn): Studio {
  const row = one(db, 'SELECT * FROM studios WHERE account = ?', viewer.account.account)
  if (!row) throw new Error(`Studio ${viewer.account.account} has no data.`)
  const zone = text(row, 'zone')
  return { zone, ccy: text(row, 'ccy'), rev: number(row, 'rev'), today: dayIn(zone, now) }
}

/** Staff runs the classes; passes and who missed what are for admins. */
export function needAdmin({ viewer }: SignedIn): void {
  if (viewer.account.kind !== 'admin') throw new Refusal(403, 'ADMIN_ONLY', 'Only admins of the studio may do this.')
}

/** The number that the next change of clients or passes goes by. */
export function nextRev({ db, viewer }: SignedIn): number {
  const row = one(db, 'UPDATE studios SET rev = rev + 1 WHERE account = ? RETURNING rev', viewer.account.account)
  return number(row ?? {}, 'rev')
}

type Table = 'clients' | 'passes' | 'entries' | 'notices'

/** Serials never meet those of another studio. */
export function nextSerial({ db, viewer }: SignedIn, table: Table): number {
  const sql = `SELECT coalesce((SELECT max(serial) FROM ${table} WHERE account = ?1), ordinal * 100000) + 1 AS serial
    FROM studios WHERE account = ?1`
  return number(one(db, sql, viewer.account.account) ?? {}, 'serial')
}

/** The serial in an id such as `C100001`; -1 where it is no such id, which nothing has. */
export function serialIn(letter: string, id: unknown): number {
  const [, digits] = typeof id === 'string' ? (/^([A-Z]\d{1,12})$/.exec(id) ?? []) : []
  return digits?.startsWith(letter) ? Number(digits.slice(1)) : -1
}

export const conflict = (code: string, message: string, field?: string): Refusal =>
  new Refusal(409, code, message, field)
