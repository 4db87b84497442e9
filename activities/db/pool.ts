import path from 'node:path'
import { runner } from 'node-pg-migrate'
import pg from 'pg'
import type { Logger } from 'pino'
import { isConnectionError } from './failures.ts'

export type Pool = pg.Pool
/** A pool, or one connection inside a transaction. */
export type Db = pg.Pool | pg.PoolClient

/** Opens the pool. A connection that breaks while idle is dropped and logged, never thrown. */
export function openPool(databaseUrl: string, log: Logger, max = 20): Pool {
  const pool = new pg.Pool({ connectionString: databaseUrl, max, connectionTimeoutMillis: 5_000, keepAlive: true })
  pool.on('error', (error) => log.warn({ err: error }, 'database connection lost'))
  return pool
}

/** Brings the schema up to date, once, whoever comes first (node-pg-migrate takes an advisory lock). */
export async function migrate(databaseUrl: string): Promise<void> {
  await runner({
    databaseUrl,
    dir: path.join(import.meta.dirname, 'migrations'),
    direction: 'up',
    migrationsTable: 'migrations',
    advisoryLockMode: 'wait',
    log: () => undefined,
  })
}

/** The connection was lost while it committed: the transaction may stand or not. */
export class CommitLost extends Error {}

/** Runs `work` in one transaction; rolls back when it throws. Throws CommitLost when the commit's own answer was lost. */
export async function transaction<T>(pool: Pool, work: (db: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query('BEGIN')
    const result = await work(client)
    await client.query('COMMIT').catch((cause: unknown) => {
      if (!isConnectionError(cause)) throw cause
      throw new CommitLost('the answer to a commit was lost', { cause })
    })
    return result
  } catch (error) {
    await client.query('ROLLBACK').catch((rollback: Error) => {
      broken = rollback
    })
    throw error
  } finally {
    client.release(broken)
  }
}
