import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { MigrationBuilder } from 'node-pg-migrate'
import pg from 'pg'
import { sleep } from '../sleep.ts'

/*
 * `0029_name.sql` goes up, `0029_name.down.sql` beside it goes back; docs/deploying.md says what may stand in them. Each runs in a transaction
 * of its own, unless it says `-- No transaction`, as CREATE INDEX CONCURRENTLY needs it.
 */

export const migrationsFolder = path.join(import.meta.dirname, 'migrations')
/** node-pg-migrate's own. */
export const migrationsTable = 'migrations'

/** Loaded where there is something to do: 8 MB that most starts need not. */
const library = () => import('node-pg-migrate')

/** Brings the schema up to date, once, whoever comes first. */
export async function migrate(databaseUrl: string, dir = migrationsFolder): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    const applied = new Set(await appliedTo(client))
    if ((await migrationsIn(dir)).every((name) => applied.has(name))) return
    await lock(client)
    await run(client, dir, 'up')
  })
}

/** Brings the schema to where this migration ("0026") was the last one, whether up or back. Returns the names of those that it took back. */
export async function migrateTo(databaseUrl: string, last: string, dir = migrationsFolder): Promise<readonly string[]> {
  const number = Number(last)
  return withClient(databaseUrl, async (client) => {
    await lock(client)
    await refuseLossy(client, dir, last)
    await run(client, dir, 'up', number)
    return run(client, dir, 'down', number + 1)
  })
}

/** Says what is in the way before anything is taken back. */
async function refuseLossy(client: pg.Client, dir: string, last: string): Promise<void> {
  const known = await migrationsIn(dir)
  if (!known.some((name) => name.startsWith(`${last}_`))) throw new Error(`there is no migration ${last}`)
  const applied = await appliedTo(client)
  const strange = applied.filter((name) => !known.includes(name))
  if (strange.length > 0)
    throw new Error(`${strange.join(', ')}: made by a newer release; take them back with that release's code`)
  const files = await readdir(dir)
  const stuck = applied.filter(
    (name) => Number.parseInt(name, 10) > Number(last) && !files.includes(`${name}.down.sql`),
  )
  if (stuck.length > 0) throw new Error(`${stuck.join(', ')}: there is no way back but a restore`)
}

async function migrationsIn(dir: string): Promise<readonly string[]> {
  const ups = (await readdir(dir)).filter((file) => !file.endsWith('.down.sql'))
  return ups.map((file) => path.basename(file, '.sql'))
}

async function appliedTo(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ there: boolean }>('SELECT to_regclass($1) IS NOT NULL AS there', [
    migrationsTable,
  ])
  if (rows[0]?.there !== true) return []
  return (await client.query<{ name: string }>(`SELECT name FROM ${migrationsTable}`)).rows.map(({ name }) => name)
}

async function run(
  client: pg.Client,
  dir: string,
  direction: 'up' | 'down',
  bound?: number,
): Promise<readonly string[]> {
  const { runner } = await library()
  const ran = await runner({
    dbClient: client,
    dir,
    direction,
    ...(bound !== undefined && { count: bound, timestamp: true }),
    migrationsTable,
    noLock: true,
    migrationLoaderStrategies: [{ extensions: ['.sql'], loader: loadPairs }],
    log: () => undefined,
  })
  return ran.map(({ name }) => name)
}

async function withClient<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(databaseUrl)
  // A database that goes away shows as the failed statement.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await work(client)
  } finally {
    // A lock goes with the connection. The schema is as wanted, or the failed statement says why not: a goodbye that is not heard changes neither.
    await client.end().catch(() => undefined)
  }
}

/**
 * One at a time, by the lock that node-pg-migrate takes, too. It is asked for again and again: a statement that waits for it has a snapshot,
 * for whose end CREATE INDEX CONCURRENTLY waits, so that each would wait for the other.
 */
async function lock(client: pg.Client): Promise<void> {
  const { PG_MIGRATE_LOCK_ID } = await library()
  const isOurs = async (): Promise<boolean> => {
    const { rows } = await client.query<{ ours: boolean }>(`SELECT pg_try_advisory_lock(${PG_MIGRATE_LOCK_ID}) AS ours`)
    return rows[0]?.ours === true
  }
  while (!(await isOurs())) await sleep(100)
}

async function loadPairs(files: string[]) {
  const ups = files.filter((file) => !file.endsWith('.down.sql'))
  return Promise.all(
    ups.map(async (id) => {
      const back = id.replace(/\.sql$/, '.down.sql')
      const down = files.includes(back) ? statementsOf(await readFile(back, 'utf8')) : (false as const)
      return { id, filePaths: [id], actions: { up: statementsOf(await readFile(id, 'utf8')), down } }
    }),
  )
}

function statementsOf(text: string): (pgm: MigrationBuilder) => void {
  if (!/^-- No transaction/m.test(text)) return (pgm) => pgm.sql(text)
  const statements = text
    .replaceAll(/^--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
  return (pgm) => {
    pgm.noTransaction()
    for (const statement of statements) {
      // What was broken off halfway has left an index that no query uses and every write pays for.
      const index = /CREATE (?:UNIQUE )?INDEX CONCURRENTLY (\w+)/i.exec(statement)?.[1]
      if (index !== undefined) pgm.sql(`DROP INDEX CONCURRENTLY IF EXISTS ${index}`)
      pgm.sql(statement)
    }
  }
}
