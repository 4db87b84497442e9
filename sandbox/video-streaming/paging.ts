import type { SQLInputValue } from 'node:sqlite'
import { hash32 } from '../platform/random.ts'
import { all, count, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { ownStudio } from './tables.ts'

const wrong = (message: string, name: string): Refusal => new Refusal(400, 'PARAMETER_INVALID', message, name)

/** Refuses parameters that are not there, so that a misspelt filter is never ignored. */
export function known(query: URLSearchParams, names: readonly string[]): void {
  for (const name of query.keys()) {
    if (!names.includes(name)) throw new Refusal(400, 'PARAMETER_UNKNOWN', `There is no parameter ${name} here.`, name)
    if (query.getAll(name).length > 1) throw wrong(`Give ${name} once.`, name)
  }
}

/** What things were like when the account's counter and the clock stood here. */
export interface AsOf {
  serial: number
  now: number
}

export const asOfNow = (now: number): AsOf => ({ serial: Number.MAX_SAFE_INTEGER, now })

export interface View extends AsOf {
  zone: string
}

export interface Page<T> {
  items: T[]
  info: { offset: number; limit: number; total: number; more: boolean; snapshot: string }
}

export function readWhole(query: URLSearchParams, name: string, preset: number, low: number, high: number): number {
  const given = query.get(name) ?? String(preset)
  const value = Number(given)
  if (!/^\d{1,7}$/.test(given) || value < low || value > high) {
    throw wrong(`${name} must be a whole number from ${low} to ${high}.`, name)
  }
  return value
}

const seal = (account: string, list: string, { serial, now }: AsOf): string =>
  Buffer.from(`${serial}.${now}.${hash32(`${account} ${list} ${serial} ${now}`).toString(36)}`).toString('base64url')

function readSnapshot({ viewer, query, now }: SignedIn, list: string, serial: number): AsOf {
  const given = query.get('snapshot')
  if (given === null) return { serial, now }
  const [, then, at] = /^(\d{1,15})\.(\d{1,12})\./.exec(Buffer.from(given, 'base64url').toString()) ?? []
  const asOf = { serial: Number(then), now: Number(at) }
  if (seal(viewer.account.account, list, asOf) !== given) {
    throw new Refusal(400, 'SNAPSHOT_UNKNOWN', 'This snapshot is not one of this list.', 'snapshot')
  }
  return asOf
}

interface Found {
  /** `table WHERE …`, its placeholders numbered from ?1. */
  from: string
  values: SQLInputValue[]
  order?: string
}

/** One page of what a list was like at its snapshot: what is added later is not in it and moves nothing. */
export function readPage<T>(
  request: SignedIn,
  name: string,
  filters: readonly string[],
  find: (view: View) => Found,
  show: (row: Row, view: View) => T,
): Page<T> {
  const { db, viewer, query } = request
  known(query, [...filters, 'offset', 'limit', 'snapshot'])
  const list = [name, ...filters.map((filter) => query.get(filter) ?? '')].join('\n')
  const offset = readWhole(query, 'offset', 0, 0, 1_000_000)
  const limit = readWhole(query, 'limit', 30, 1, 100)
  if (offset > 0 && !query.has('snapshot')) {
    throw new Refusal(400, 'SNAPSHOT_REQUIRED', 'Give the snapshot of the first page, too.', 'snapshot')
  }
  const { zone, serial } = ownStudio(request)
  const view = { ...readSnapshot(request, list, serial), zone }
  const { from, values, order = 'serial DESC' } = find(view)
  const within = `${from} AND serial <= ?${values.length + 1}`
  const total = count(db, within, ...values, view.serial)
  const sql = `SELECT * FROM ${within} ORDER BY ${order} LIMIT ?${values.length + 2} OFFSET ?${values.length + 3}`
  const rows = all(db, sql, ...values, view.serial, limit, offset)
  const snapshot = seal(viewer.account.account, list, view)
  return {
    items: rows.map((row) => show(row, view)),
    info: { offset, limit, total, more: offset + rows.length < total, snapshot },
  }
}

/** In lower case and without blanks around it; '' for no search. */
export function readSearch(query: URLSearchParams): string {
  const text = (query.get('find') ?? '').trim().toLowerCase()
  if (text.length > 200) throw wrong('find may have 200 characters at most.', 'find')
  return text
}

/** One of these, or '' for all. */
export function readFilter(query: URLSearchParams, name: string, choices: readonly string[]): string {
  const value = query.get(name) ?? ''
  if (value !== '' && !choices.includes(value)) throw wrong(`${name} must be one of ${choices.join(', ')}.`, name)
  return value
}
