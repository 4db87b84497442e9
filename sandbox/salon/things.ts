import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { number, one, text, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'

export const root = '/salon'

const kinds = {
  branches: ['b', 'BRANCH'],
  treatments: ['t', 'TREATMENT'],
  crew: ['c', 'CREW'],
  guests: ['g', 'GUEST'],
  visits: ['v', 'VISIT'],
  waiting: ['w', 'ENTRY'],
  talks: ['k', 'TALK'],
  lines: ['l', 'LINE'],
  reviews: ['r', 'REVIEW'],
  notices: ['n', 'NOTICE'],
} as const
export type Kind = keyof typeof kinds

export interface Resource {
  type: Kind
  id: string
  attributes: Record<string, unknown>
  links: Record<string, string | null>
}

/** What `until` holds in the row of a visit's present state. */
export const present = Number.MAX_SAFE_INTEGER

export const idOf = (kind: Kind, serial: number): string => `${kinds[kind][0]}${serial}`

export const linkTo = (kind: Kind, serial: number): string => `${root}/business/api/${kind}/${idOf(kind, serial)}`

export const resource = (
  type: Kind,
  serial: number,
  attributes: Resource['attributes'],
  links: Resource['links'] = {},
): Resource => ({ type, id: idOf(type, serial), attributes, links: { self: linkTo(type, serial), ...links } })

/** The serial in an id of the viewer's own; whatever else there is does not exist. */
export function ownSerial({ db, viewer }: SignedIn, kind: Kind, id: unknown, field?: string): number {
  const [prefix, name] = kinds[kind]
  const serial = typeof id === 'string' && new RegExp(`^${prefix}[1-9]\\d{0,14}$`).test(id) ? Number(id.slice(1)) : 0
  if (!one(db, `SELECT 1 FROM ${kind} WHERE serial = ? AND account = ?`, serial, viewer.account.account)) {
    throw new Refusal(404, `${name}_NOT_FOUND`, `Your business has no such ${name.toLowerCase()}.`, field)
  }
  return serial
}

/** The row with this id among the viewer's own. */
export function ownRow(request: SignedIn, kind: Exclude<Kind, 'visits'>, id: unknown, field?: string): Row {
  const serial = ownSerial(request, kind, id, field)
  return one(request.db, `SELECT * FROM ${kind} WHERE serial = ?`, serial) ?? {}
}

/** The branch with this id; the main one, which is the first, where none is named. */
export function ownBranch(request: SignedIn, id: string | null): Row {
  if (id !== null) return ownRow(request, 'branches', id, 'branch')
  const sql = 'SELECT * FROM branches WHERE account = ? ORDER BY serial LIMIT 1'
  return one(request.db, sql, request.viewer.account.account) ?? {}
}

/** Talks and notices have the main branch's clock. */
export const mainZone = (request: SignedIn): string => text(ownBranch(request, null), 'zone')

/** Rises with everything that happens in the account, and never meets that of another one. */
export function nextSerial({ db, viewer }: SignedIn): number {
  const sql = 'UPDATE businesses SET serial = serial + 1 WHERE account = ? RETURNING serial'
  return number(one(db, sql, viewer.account.account) ?? {}, 'serial')
}

/** A list of texts or numbers that a column holds as JSON. */
export const parsed = <T extends string | number>(row: Row, name: string): T[] => JSON.parse(text(row, name)) as T[]

export function insertAll(db: DatabaseSync, into: Kind, rows: readonly Record<string, SQLInputValue>[]): void {
  const columns = Object.keys(rows[0] ?? {})
  const values = columns.map((column) => `:${column}`).join(', ')
  const insert = db.prepare(`INSERT INTO ${into} (${columns.join(', ')}) VALUES (${values})`)
  for (const row of rows) insert.run(row)
}

/** People who rent a chair see the diary, not the business. */
export function needBusiness({ viewer }: SignedIn): void {
  if (viewer.account.kind !== 'business') {
    throw new Refusal(403, 'BUSINESS_LOGIN_NEEDED', 'Only the business login may do this.')
  }
}
