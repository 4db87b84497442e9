import pg from 'pg'
import type { Logger } from 'pino'
import { isConnectionError, isRefusal, isStalePlan } from './failures.ts'

export type Pool = pg.Pool
/** A pool, or a connection inside a transaction. */
export type Db = pg.Pool | pg.PoolClient

/**
 * Opens the pool. A connection that breaks while idle is dropped and logged, never thrown. The
 * server ends a statement after `longest` ms, and a transaction idle for `longest` ms, which would
 * otherwise hold its locks until the network notices. The client gives up on a silent server a
 * little later.
 */
export function openPool(databaseUrl: string, log: Logger, max = 20, longest = 20_000): Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    statement_timeout: longest,
    idle_in_transaction_session_timeout: longest,
    query_timeout: longest * 1.25,
  })
  // The failing statement reports the error; an unhandled 'error' event would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined))
  pool.on('error', (error) => log.warn({ err: error }, 'database connection lost'))
  return pool
}

/** Statement timeout of the pool in ms, as passed to openPool(). */
export const longestOf = ({ options }: Pool): number => Number(options.statement_timeout)

/** Runs `work` in one transaction; rolls back when it throws. */
export async function transaction<T>(pool: Pool, work: (db: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query('BEGIN')
    const result = await work(client)
    await client.query('COMMIT')
    return result
  } catch (error) {
    // Discard a lost or stuck connection, which rolls back, too.
    if (error instanceof Error && isConnectionError(error)) broken = error
    else
      await client.query('ROLLBACK').catch((rollback: Error) => {
        broken = rollback
      })
    throw error
  } finally {
    client.release(broken)
  }
}

/** The connection was lost during a commit, which may or may not have succeeded. */
export class CommitLost extends Error {}

/** Runs one statement that is its own transaction. Throws CommitLost when its response was lost. */
export async function commit<T extends pg.QueryResultRow>(pool: Pool, statement: pg.QueryConfig): Promise<T[]> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    return (await client.query<T>(statement)).rows
  } catch (cause) {
    if (!isConnectionError(cause) || isRefusal(cause)) throw cause
    broken = new CommitLost('the answer to a commit was lost', { cause })
    throw broken
  } finally {
    client.release(broken)
  }
}

/** Runs a named `SELECT *`, dropping connections whose plan a migration made stale. */
export async function queryFresh<T extends pg.QueryResultRow>(db: Db, statement: pg.QueryConfig): Promise<T[]> {
  let left = db instanceof pg.Pool ? db.options.max : 0
  for (; ; left--)
    try {
      return (await db.query<T>(statement)).rows
    } catch (error) {
      // Inside a transaction (`left` is 0) the whole transaction has failed.
      if (left === 0 || !isStalePlan(error)) throw error
    }
}
