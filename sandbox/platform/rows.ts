import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite'

export type Row = Record<string, SQLOutputValue>

export function all(db: DatabaseSync, sql: string, ...values: SQLInputValue[]): Row[] {
  return db.prepare(sql).all(...values)
}

export function one(db: DatabaseSync, sql: string, ...values: SQLInputValue[]): Row | undefined {
  return db.prepare(sql).get(...values)
}

/** Runs one statement; answers how many rows it changed. */
export function run(db: DatabaseSync, sql: string, ...values: SQLInputValue[]): number {
  return Number(db.prepare(sql).run(...values).changes)
}

export function count(db: DatabaseSync, sql: string, ...values: SQLInputValue[]): number {
  return number(one(db, `SELECT count(*) AS n FROM ${sql}`, ...values) ?? {}, 'n')
}

export function text(row: Row, name: string): string {
  const value = row[name]
  if (typeof value !== 'string') throw new TypeError(`Column ${name} holds no text.`)
  return value
}

export function number(row: Row, name: string): number {
  const value = row[name]
  if (typeof value !== 'number') throw new TypeError(`Column ${name} holds no number.`)
  return value
}

export function maybeNumber(row: Row, name: string): number | undefined {
  return row[name] === null ? undefined : number(row, name)
}

export function maybeText(row: Row, name: string): string | undefined {
  return row[name] === null ? undefined : text(row, name)
}

export function transaction<T>(db: DatabaseSync, work: () => T): T {
  db.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    db.exec('COMMIT')
    return result
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}
