import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { all, count, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { block, lastNo } from './circle.ts'

const wrong = (message: string, name: string): Refusal => new Refusal(400, 'PARAM_INVALID', message, name)

/** Refuses parameters that the read does not have, so that a misspelt one is never ignored. */
export function known(query: URLSearchParams, ...names: string[]): void {
  for (const name of query.keys()) {
    if (!names.includes(name)) throw new Refusal(400, 'PARAM_UNKNOWN', `There is no parameter ${name} here.`, name)
    if (query.getAll(name).length > 1) throw wrong(`Give ${name} once.`, name)
  }
}

export function readWhole(query: URLSearchParams, name: string, usual: number, low: number, high: number): number {
  const text = query.get(name) ?? String(usual)
  const value = Number(text)
  if (!/^\d{1,7}$/.test(text) || value < low || value > high) {
    throw wrong(`${name} must be a whole number from ${low} to ${high}.`, name)
  }
  return value
}

export function readChoice<const T extends string>(query: URLSearchParams, name: string, choices: readonly T[]): T {
  const text = query.get(name) ?? choices[0]
  const choice = choices.find((one) => one === text)
  if (choice === undefined) throw wrong(`${name} must be one of ${choices.join(', ')}.`, name)
  return choice
}

export function readFind(query: URLSearchParams): string {
  const text = query.get('find') ?? ''
  if (Array.from(text).length > 500) throw wrong('find may have 500 characters at most.', 'find')
  return text
}

/** A part of a list as it was at a moment, after the number `last` had been given out. */
export interface Span {
  start: number
  count: number
  moment: number
  last: number
  until: string
}

export const spanNames = ['start', 'count', 'until']

export function readSpan({ db, viewer, query, now }: SignedIn): Span {
  const start = readWhole(query, 'start', 0, 0, 1_000_000)
  const size = readWhole(query, 'count', 15, 1, 60)
  const { account, ordinal } = viewer.account
  const newest = lastNo(db, account)
  const until = query.get('until') ?? `${now}.${newest}`
  const [, moment, last] = /^(\d{1,11})\.(\d{1,13})$/.exec(until) ?? []
  const isOurs = Number(last) >= ordinal * block && Number(last) <= newest
  if (!isOurs || Number(moment) > now) {
    throw new Refusal(400, 'UNTIL_UNKNOWN', 'This until is none that a list of yours has given.', 'until')
  }
  return { start, count: size, moment: Number(moment), last: Number(last), until }
}

/** The rows of a span, and how many there are in all. */
export function listed(
  db: DatabaseSync,
  { start, count: size }: Span,
  query: string,
  order: string,
  ...values: SQLInputValue[]
): { rows: Row[]; total: number } {
  const rows = all(db, `SELECT * FROM (${query}) ORDER BY ${order} LIMIT ? OFFSET ?`, ...values, size, start)
  return { rows, total: count(db, `(${query})`, ...values) }
}
