import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { ClientBase } from 'pg'

/*
 * One SQL function per file: `functions/<name>.sql`. `<name>.previous.sql` has the signature that
 * only the previous release calls; the next release drops it. All files together form one numbered
 * set; `npm run schema` raises its number when a file has changed.
 */

/** One row per installed set. */
export const functionSetsTable = 'function_sets'

interface FunctionSet {
  readonly number: number
  /** Hash of all files: detects a change without a new number. */
  readonly sha256: string
}

export async function functionSet(folder: string): Promise<FunctionSet> {
  return JSON.parse(await readFile(path.join(folder, 'set.json'), 'utf8')) as FunctionSet
}

export async function functionTexts(folder: string): Promise<readonly string[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).toSorted()
  return Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')))
}

export async function hashOfFunctions(folder: string): Promise<string> {
  return createHash('sha256')
    .update((await functionTexts(folder)).join('\0'))
    .digest('hex')
}

/** 0: none is installed. */
export async function installedSet(db: ClientBase): Promise<number> {
  const { rows } = await db.query<{ number: number }>(
    `SELECT coalesce(max(number), 0) AS number FROM ${functionSetsTable}`,
  )
  return rows[0]?.number ?? 0
}

/**
 * Run inside a transaction. `CREATE OR REPLACE` cannot change a result type, and with other
 * parameters it creates another function.
 */
export async function installFunctions(db: ClientBase, folder: string): Promise<void> {
  const { number } = await functionSet(folder)
  await db.query('SET LOCAL check_function_bodies = off')
  for (const text of await functionTexts(folder)) await db.query(text)
  await db.query(`INSERT INTO ${functionSetsTable} (number) VALUES ($1)`, [number])
}
