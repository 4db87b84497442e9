import type { SQLInputValue } from 'node:sqlite'
import { hash32 } from '../platform/random.ts'
import { all, number, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { day, dayStart } from './clock.ts'

export const wrong = (message: string, name: string, code = 'PARAM_INVALID'): Refusal =>
  new Refusal(400, code, message, name)

/** Refuses parameters that are not there, so that a misspelt filter is never ignored. */
export function known(query: URLSearchParams, names: readonly string[]): void {
  for (const name of query.keys()) {
    if (!names.includes(name)) throw wrong(`There is no parameter ${name} here.`, name, 'PARAM_UNKNOWN')
    if (query.getAll(name).length > 1) throw wrong(`Give ${name} once.`, name)
  }
}

/** One of these, or '' for all. */
export function readFilter(query: URLSearchParams, name: string, choices: readonly string[]): string {
  const value = query.get(name)
  if (value === null) return ''
  if (!choices.includes(value)) throw wrong(`${name} must be one of ${choices.join(', ')}.`, name)
  return value
}

function readDay(query: URLSearchParams, name: string): number | undefined {
  const value = query.get(name)
  if (value === null) return undefined
  const start = dayStart(value)
  if (start === undefined) throw wrong(`${name} must be a day like 20261121.`, name)
  return start
}

/** Whole days, both ends included, in Unix seconds: from the first moment to the first one after them. */
export function readSpan(query: URLSearchParams): { from: number | undefined; to: number | undefined } {
  const from = readDay(query, 'first')
  const last = readDay(query, 'last')
  if (from !== undefined && last !== undefined && from > last) {
    throw wrong('first must not be later than last.', 'first', 'SPAN_BACKWARDS')
  }
  return { from, to: last === undefined ? undefined : last + day }
}

const keyOf = (list: string, serial: number): string =>
  Buffer.from(`${serial}.${hash32(`${list} ${serial}`).toString(36)}`).toString('base64url')

function readKey(query: URLSearchParams, list: string): number {
  const given = query.get('pageKey')
  if (given === null) return Number.MAX_SAFE_INTEGER
  const serial = Number(/^(\d{1,15})\./.exec(Buffer.from(given, 'base64url').toString())?.[1])
  if (keyOf(list, serial) !== given) throw wrong('This pageKey is not one of this list.', 'pageKey', 'PAGE_KEY_UNKNOWN')
  return serial
}

function readPer(query: URLSearchParams): number {
  const given = query.get('per') ?? '20'
  const per = Number(given)
  if (!/^\d{1,3}$/.test(given) || per < 1 || per > 100) throw wrong('per must be a whole number from 1 to 100.', 'per')
  return per
}

export interface Page {
  rows: Row[]
  pageKey: string | null
}

/** A page of a list, newest first. `from` is `table WHERE …` with its placeholders numbered from ?1. */
export function readPage(
  { db, viewer, query }: SignedIn,
  name: string,
  filters: readonly string[],
  from: string,
  values: readonly SQLInputValue[],
): Page {
  const list = [viewer.account.account, name, ...filters.map((filter) => query.get(filter) ?? '')].join('\n')
  const [per, below, n] = [readPer(query), readKey(query, list), values.length]
  const sql = `SELECT * FROM ${from} AND serial < ?${n + 1} ORDER BY serial DESC LIMIT ?${n + 2}`
  const rows = all(db, sql, ...values, below, per + 1)
  const last = rows.length > per ? rows[per - 1] : undefined
  return { rows: rows.slice(0, per), pageKey: last ? keyOf(list, number(last, 'serial')) : null }
}
