import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { maybeNumber } from '../platform/rows.ts'
import type { Account } from '../platform/types.ts'

export type Condition = readonly [string, ...SQLInputValue[]]

/** All conditions that are given, joined. */
export function where(...conditions: readonly (Condition | false | undefined)[]): {
  sql: string
  values: SQLInputValue[]
} {
  const used = conditions.filter((condition) => condition !== undefined && condition !== false)
  return {
    sql: used.map(([sql]) => `(${sql})`).join(' AND '),
    values: used.flatMap(([, ...values]) => values),
  }
}

export const isIn = (column: string, values: readonly string[]): Condition => [
  `${column} IN (${values.map(() => '?').join(', ')})`,
  ...values,
]

export function among<T extends string>(values: readonly T[], value: string): T {
  const found = values.find((name) => name === value)
  if (found === undefined) throw new TypeError(`Unexpected value ${value}.`)
  return found
}

const prepared = new WeakMap<DatabaseSync, Map<string, StatementSync>>()

/** Seeds make some thousand rows: each statement is prepared once. */
function statement(db: DatabaseSync, sql: string): StatementSync {
  const known = prepared.get(db) ?? new Map<string, StatementSync>()
  const made = known.get(sql) ?? db.prepare(sql)
  prepared.set(db, known.set(sql, made))
  return made
}

/** The next number of an account in one table: those of two accounts never meet. */
export function nextId(db: DatabaseSync, table: string, account: Pick<Account, 'account' | 'ordinal'>): number {
  const row = statement(db, `SELECT max(id) + 1 AS id FROM ${table} WHERE account = ?`).get(account.account)
  return maybeNumber(row ?? {}, 'id') ?? account.ordinal * 10_000 + 1
}

export function insert(db: DatabaseSync, table: string, row: Record<string, SQLInputValue>): void {
  const names = Object.keys(row)
  const sql = `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`
  statement(db, sql).run(...Object.values(row))
}

/** JSON that this app itself stored. */
export const stored = (json: string): unknown => JSON.parse(json)

/** One page of a list: one row more than asked for shows that there is a next one. */
export interface Slice<T> {
  rows: T[]
  total: number
}

export interface Wish {
  first: number
  after: number | undefined
}
