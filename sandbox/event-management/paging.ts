import type { SQLInputValue } from 'node:sqlite'
import { hash32 } from '../platform/random.ts'
import { all, number, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'

export const pageNames = ['page_size', 'continuation'] as const

export interface Page<T> {
  items: T[]
  pagination: { page_size: number; has_more: boolean; continuation: string | null }
}

/** What a token belongs to: the account, the list and its filters. */
function sealOf({ viewer, query }: SignedIn, list: string): string {
  const filters = [...query]
    .filter(([name]) => !pageNames.some((own) => own === name))
    .map((pair) => pair.join('='))
    .toSorted()
  return hash32(JSON.stringify([viewer.account.account, list, filters])).toString(36)
}

function readSize(given: string): number {
  const size = Number(given)
  if (!/^\d{1,3}$/.test(given) || size < 1 || size > 500) {
    throw new Refusal(400, 'PARAMETER_INVALID', 'page_size must be a whole number from 1 to 500.', 'page_size')
  }
  return size
}

function readAfter(token: string | null, seal: string): number {
  if (token === null) return Number.MAX_SAFE_INTEGER
  const [, serial, of] = /^(\d{1,15})\.([0-9a-z]+)$/.exec(Buffer.from(token, 'base64url').toString()) ?? []
  if (serial === undefined || of !== seal) {
    throw new Refusal(400, 'CONTINUATION_UNKNOWN', 'This continuation belongs to no page of this list.', 'continuation')
  }
  return Number(serial)
}

interface Found {
  /** `SELECT … WHERE …`; the page's bound, order and size are added. */
  sql: string
  values: readonly SQLInputValue[]
  /** The column that the list is ordered by, latest first. */
  serial: string
}

/** One page, newest first: what comes while somebody reads on is not in it and moves nothing. */
export function readPage<T>(request: SignedIn, list: string, found: Found, show: (row: Row) => T): Page<T> {
  const seal = sealOf(request, list)
  const size = readSize(request.query.get('page_size') ?? '50')
  const after = readAfter(request.query.get('continuation'), seal)
  const sql = `${found.sql} AND ${found.serial} < ? ORDER BY ${found.serial} DESC LIMIT ?`
  const rows = all(request.db, sql, ...found.values, after, size + 1)
  const last = rows[size - 1]
  const more = rows.length > size && last !== undefined
  const continuation = more ? Buffer.from(`${number(last, 'serial')}.${seal}`).toString('base64url') : null
  return { items: rows.slice(0, size).map(show), pagination: { page_size: size, has_more: more, continuation } }
}
