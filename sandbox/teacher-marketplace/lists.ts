import type { SQLInputValue } from 'node:sqlite'
import { hash32 } from '../platform/random.ts'
import { all, count, type Row } from '../platform/rows.ts'
import { Refusal } from '../platform/types.ts'
import { readUsDay } from './clock.ts'
import type { AtDesk } from './shop.ts'

const wrong = (message: string, name: string): Refusal => new Refusal(400, 'PARAM_INVALID', message, name)

/** Refuses parameters that a read does not have, so that a misspelt one is never ignored. */
export function known(query: URLSearchParams, names: readonly string[], repeated: readonly string[] = []): void {
  for (const name of query.keys()) {
    if (repeated.includes(name)) continue
    if (!names.includes(name)) throw new Refusal(400, 'PARAM_UNKNOWN', `There is no parameter ${name} here.`, name)
    if (query.getAll(name).length > 1) throw wrong(`Give ${name} once.`, name)
  }
}

export const pageNames = ['page', 'per', 'stamp']

function readWhole(query: URLSearchParams, name: string, usual: number, high: number): number {
  const given = query.get(name) ?? String(usual)
  const value = Number(given)
  if (!/^\d{1,6}$/.test(given) || value < 1 || value > high) {
    throw wrong(`${name} must be a whole number from 1 to ${high}.`, name)
  }
  return value
}

/** One of the choices; the first where none is given. */
export function readChoice<const T extends string>(query: URLSearchParams, name: string, choices: readonly T[]): T {
  const given = query.get(name) ?? choices[0]
  const choice = choices.find((one) => one === given)
  if (choice === undefined) throw wrong(`${name} must be one of ${choices.join(', ')}.`, name)
  return choice
}

/** The days from `first` to `last`, both included, `YYYY-MM-DD`. */
export function readSpan(query: URLSearchParams): { first: string; last: string } {
  const [first = '', last = ''] = ['first', 'last'].map((name) => {
    const day = readUsDay(query.get(name) ?? '')
    if (day === undefined) throw wrong(`${name} must be a day such as 02/28/2026.`, name)
    return day
  })
  if (last < first) throw new Refusal(400, 'SPAN_BACKWARDS', 'last is before first.', 'last')
  return { first, last }
}

/** What things were like when this number was the shop's last and the clock stood here. */
export interface AsOf {
  last: number
  moment: number
}

const seal = (list: string, { last, moment }: AsOf): string =>
  `${last}.${moment}.${hash32(`${list} ${last} ${moment}`).toString(36)}`

function readStamp({ query, shop, now }: AtDesk, list: string, page: number): AsOf {
  const stamp = query.get('stamp')
  if (stamp === null) {
    if (page > 1) throw new Refusal(400, 'STAMP_REQUIRED', 'Give the stamp of the first page, too.', 'stamp')
    return { last: shop.last, moment: now }
  }
  const [last, moment] = stamp.split('.').map(Number)
  const asOf = { last: last ?? 0, moment: moment ?? 0 }
  if (seal(list, asOf) !== stamp) throw new Refusal(400, 'STAMP_UNKNOWN', 'No page of this list has it.', 'stamp')
  return asOf
}

export interface Page<T> {
  rows: T[]
  page: number
  per: number
  pages: number
  total: number
  stamp: string
}

/**
 * One page of what a list was like at its stamp, which is good for that list with the same filters: what is added or changed
 * later moves nothing. `find` answers a whole SELECT and its values; newest first unless it says otherwise.
 */
export function readPage<T>(
  request: AtDesk,
  name: string,
  filters: readonly string[],
  find: (asOf: AsOf) => { select: string; values: SQLInputValue[]; order?: string },
  show: (row: Row) => T,
): Page<T> {
  const { db, query, shop } = request
  const list = [shop.account, name, ...filters.map((filter) => query.get(filter) ?? '-')].join('\n')
  const page = readWhole(query, 'page', 1, 100_000)
  const per = readWhole(query, 'per', 20, 100)
  const asOf = readStamp(request, list, page)
  const { select, values, order = 'no DESC' } = find(asOf)
  const total = count(db, `(${select})`, ...values)
  const sql = `SELECT * FROM (${select}) ORDER BY ${order} LIMIT ? OFFSET ?`
  const rows = all(db, sql, ...values, per, (page - 1) * per).map(show)
  return { rows, page, per, pages: Math.ceil(total / per), total, stamp: seal(list, asOf) }
}
