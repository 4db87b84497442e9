import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { sleep } from '../sleep.ts'
import { lastBeforeBaseline, squashed } from './baseline.ts'
import { functionSet, functionSetsTable, installedSet, installFunctions } from './functions.ts'

/*
 * A new database is created from schema.sql and functions/. An existing one gets the missing
 * numbered migrations, then the functions, unless a newer release installed its own. Rules for
 * both: docs/deploying.md, Migrations.
 */

const databaseFolder = import.meta.dirname
export const migrationsFolder = path.join(databaseFolder, 'migrations')
/** Has the columns of node-pg-migrate, which the previous release uses. */
export const migrationsTable = 'migrations'
/** The advisory lock of node-pg-migrate, which the previous release takes, too. */
const lockId = '7241865325823964'
const baseline = squashed.at(-1) ?? ''
/** Marker in schema.sql. Triggers need the functions, which need the tables. */
const triggersMark = /^-- Triggers\b.*$/m

const bookkeeping = `
  CREATE TABLE IF NOT EXISTS ${migrationsTable} (id serial PRIMARY KEY, name varchar(255) NOT NULL, run_on timestamp NOT NULL);
  CREATE TABLE IF NOT EXISTS ${functionSetsTable} (
    number integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT clock_timestamp())`

/** This release cannot bring the database up to date. Nothing was changed. */
export class WrongSchema extends Error {}

/** Brings the schema up to date, once. `dir`: a release's core/database. Throws WrongSchema. */
export async function migrate(databaseUrl: string, dir = databaseFolder): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    const known = [...squashed, ...(await migrationsIn(dir))]
    const { number } = await functionSet(path.join(dir, 'functions'))
    const isUpToDate = async (): Promise<boolean> => {
      const applied = await appliedTo(client)
      return known.every((name) => applied.includes(name)) && (await setOf(client)) >= number
    }
    if (await isUpToDate()) return
    await lock(client)
    const applied = await appliedTo(client)
    if (applied.length === 0) await inTransaction(client, () => create(client, dir))
    else refuseOlder(applied)
    await client.query(bookkeeping)
    await applyPending(client, dir)
    if ((await setOf(client)) < number) await inTransaction(client, () => installFunctions(client, functionsOf(dir)))
  })
}

/**
 * Rolls back all migrations after `last` ("0180"); returns them, latest first. Throws WrongSchema.
 */
export async function migrateTo(databaseUrl: string, last: string, dir = databaseFolder): Promise<readonly string[]> {
  return withClient(databaseUrl, async (client) => {
    await lock(client)
    const applied = await appliedTo(client)
    refuseOlder(applied)
    const back = applied.filter((name) => numberOf(name) > Number(last)).toReversed()
    await refuseLossy(dir, last, applied, back)
    for (const name of back) {
      const text = await readFile(fileOf(dir, `${name}.down`), 'utf8')
      await apply(client, text, () => client.query(`DELETE FROM ${migrationsTable} WHERE name = $1`, [name]))
    }
    // The next release to start, perhaps two releases older, installs its own function bodies.
    if (back.length > 0) await client.query(`${bookkeeping}; DELETE FROM ${functionSetsTable}`)
    return back
  })
}

function refuseOlder(applied: readonly string[]): void {
  const missing = squashed.filter((name) => !applied.includes(name))
  if (missing.length === 0) return
  const last = applied.findLast((name) => squashed.includes(name)) ?? 'no migration that is known here'
  throw new WrongSchema(
    `the database is at ${last} and lacks ${missing.join(', ')}. This release continues from ${baseline}: ` +
      `start the release of commit ${lastBeforeBaseline} on it first, then this one (docs/deploying.md, "Migrations"). Nothing was changed.`,
  )
}

/** Throws WrongSchema, before anything is rolled back, if a rollback is impossible. */
async function refuseLossy(dir: string, last: string, applied: readonly string[], back: readonly string[]) {
  const ours = await migrationsIn(dir)
  if (squashed.some((name) => name !== baseline && name.startsWith(`${last}_`)))
    throw new WrongSchema(`there is no way back beyond ${baseline} but a restore`)
  if (![baseline, ...ours].some((name) => name.startsWith(`${last}_`)))
    throw new WrongSchema(`there is no migration ${last}`)
  const strange = applied.filter((name) => ![...squashed, ...ours].includes(name))
  if (strange.length > 0)
    throw new WrongSchema(`${strange.join(', ')}: made by a newer release; take them back with that release's code`)
  const files = await readdir(path.join(dir, 'migrations'))
  const stuck = back.filter((name) => !files.includes(`${name}.down.sql`))
  if (stuck.length > 0) throw new WrongSchema(`${stuck.join(', ')}: there is no way back but a restore`)
}

/** Run inside a transaction: all or nothing. */
async function create(client: pg.Client, dir: string): Promise<void> {
  const schema = await readFile(path.join(dir, 'schema.sql'), 'utf8')
  const [tables = '', triggers = ''] = schema.split(triggersMark)
  const last = /^-- After migration: (\w+)$/m.exec(schema)?.[1] ?? baseline
  const contained = (await migrationsIn(dir)).filter((name) => name <= last)
  await client.query(bookkeeping)
  await client.query(tables)
  await installFunctions(client, functionsOf(dir))
  await client.query(triggers)
  await client.query(
    `INSERT INTO ${migrationsTable} (name, run_on) SELECT name, now() FROM unnest($1::text[]) AS name`,
    [[...squashed, ...contained]],
  )
}

async function applyPending(client: pg.Client, dir: string): Promise<void> {
  const applied = await appliedTo(client)
  const names = await migrationsIn(dir)
  const pending = names.filter((name) => !applied.includes(name))
  const late = pending.find((name) => names.some((other) => other > name && applied.includes(other)))
  if (late !== undefined)
    throw new WrongSchema(`${late} comes before a migration that has run: give it a higher number`)
  for (const name of pending) {
    const text = await readFile(fileOf(dir, name), 'utf8')
    const record = `INSERT INTO ${migrationsTable} (name, run_on) VALUES ($1, now())`
    await apply(client, text, () => client.query(record, [name]))
  }
}

async function apply(client: pg.Client, text: string, record: () => Promise<unknown>): Promise<void> {
  if (!/^-- No transaction/m.test(text))
    return inTransaction(client, async () => {
      await client.query(text)
      await record()
    })
  const statements = text
    .replaceAll(/^--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
  for (const statement of statements) {
    // An interrupted build leaves an invalid index that slows writes and serves no query.
    const index = /CREATE (?:UNIQUE )?INDEX CONCURRENTLY (\w+)/i.exec(statement)?.[1]
    if (index !== undefined) await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${index}`)
    await client.query(statement)
  }
  await record()
}

const functionsOf = (dir: string): string => path.join(dir, 'functions')
const fileOf = (dir: string, name: string): string => path.join(dir, 'migrations', `${name}.sql`)
const numberOf = (name: string): number => Number.parseInt(name, 10)

async function migrationsIn(dir: string): Promise<readonly string[]> {
  const files = await readdir(path.join(dir, 'migrations'))
  const ups = files.filter((file) => file.endsWith('.sql') && !file.endsWith('.down.sql'))
  return ups.map((file) => path.basename(file, '.sql')).toSorted()
}

/** Sorted by number. */
async function appliedTo(client: pg.Client): Promise<readonly string[]> {
  if (!(await isThere(client, migrationsTable))) return []
  const { rows } = await client.query<{ name: string }>(`SELECT name FROM ${migrationsTable} ORDER BY name COLLATE "C"`)
  return rows.map(({ name }) => name)
}

async function setOf(client: pg.Client): Promise<number> {
  return (await isThere(client, functionSetsTable)) ? installedSet(client) : 0
}

async function isThere(client: pg.Client, table: string): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>('SELECT to_regclass($1) IS NOT NULL AS there', [table])
  return rows[0]?.there === true
}

async function inTransaction(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query('BEGIN')
  try {
    await work()
    await client.query('COMMIT')
  } catch (error) {
    // The server may be gone: the original error is thrown.
    await client.query('ROLLBACK').catch(() => undefined)
    throw error
  }
}

async function withClient<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(databaseUrl)
  // A lost connection surfaces as the failed statement.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await work(client)
  } finally {
    // Closing releases the lock. An error on close changes nothing that was done.
    await client.end().catch(() => undefined)
  }
}

/**
 * One process at a time. It polls because a statement that waits for the lock holds a snapshot,
 * which CREATE INDEX CONCURRENTLY waits for: a deadlock.
 */
async function lock(client: pg.Client): Promise<void> {
  const isOurs = async (): Promise<boolean> => {
    const { rows } = await client.query<{ ours: boolean }>(`SELECT pg_try_advisory_lock(${lockId}) AS ours`)
    return rows[0]?.ours === true
  }
  while (!(await isOurs())) await sleep(100)
}
