import type { SQLInputValue } from 'node:sqlite'
import { hash32 } from '../platform/random.ts'
import { number, one, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { known, queryWhole } from './input.ts'
import type { Resource } from './things.ts'

export interface Page {
  data: Resource[]
  paging: { from_row: number; rows: number; of: number; next_row: number | null; list: string }
}

const paging = ['from_row', 'rows', 'list']

/** What a list token belongs to: the account, the list and its filters. */
function sealOf({ viewer, query }: SignedIn, list: string, serial: number): string {
  const filters = [...query].filter(([name]) => !paging.includes(name)).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const text = JSON.stringify([viewer.account.account, list, filters, serial])
  return Buffer.from(`${serial}.${hash32(text).toString(36)}`).toString('base64url')
}

/** The account's counter as the first page saw it. */
function asOf(request: SignedIn, list: string): number {
  const given = request.query.get('list')
  if (given === null) {
    const sql = 'SELECT serial FROM businesses WHERE account = ?'
    return number(one(request.db, sql, request.viewer.account.account) ?? {}, 'serial')
  }
  const serial = Number(/^(\d{1,15})\./.exec(Buffer.from(given, 'base64url').toString())?.[1])
  if (sealOf(request, list, serial) !== given) {
    throw new Refusal(400, 'LIST_UNKNOWN', 'This token belongs to no such list.', 'list')
  }
  return serial
}

/** Rows of a list as it was when the token was made; `:mark` in the query is the counter of that moment. */
interface ListQuery {
  sql: string
  order: string
  values: Record<string, SQLInputValue>
  show: (row: Row) => Resource
  /** How many rows a page may have; 100 where nothing is said. */
  most?: number
}

export function listed(request: SignedIn, list: string, filters: readonly string[], find: () => ListQuery): Page {
  const { db, query } = request
  known(query, [...filters, ...paging])
  const first = queryWhole(query, 'from_row', 1, 9_999_999)
  if (first > 1 && !query.has('list')) {
    throw new Refusal(400, 'LIST_NEEDED', 'Give the list token of the first page.', 'list')
  }
  const { sql, order, values, show, most = 100 } = find()
  const size = queryWhole(query, 'rows', 25, most)
  const mark = asOf(request, list)
  const rows = db
    .prepare(`${sql} ORDER BY ${order} LIMIT ${size} OFFSET ${first - 1}`)
    .all({ ...values, mark })
    .map(show)
  const of = Number(db.prepare(`SELECT count(*) AS n FROM (${sql})`).get({ ...values, mark })?.['n'])
  const next = first + rows.length
  return {
    data: rows,
    paging: {
      from_row: first,
      rows: rows.length,
      of,
      next_row: rows.length > 0 && next <= of ? next : null,
      list: sealOf(request, list, mark),
    },
  }
}
