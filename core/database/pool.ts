import pg from 'pg'
import type { Logger } from 'pino'
import { isConnectionError, isRefusal } from './failures.ts'

export type Pool = pg.Pool
/** A pool, or one connection inside a transaction. */
export type Db = pg.Pool | pg.PoolClient

/**
 * Opens the pool. A connection that breaks while idle is dropped and logged, never thrown. The server ends a statement after `longest` ms,
 * and a transaction whose process says nothing for so long: it would hold its locks until the network notices. A server that says nothing
 * at all is given up a little later.
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
  // One that breaks in somebody's hands fails their statements; unheard, its error event would end the process besides.
  pool.on('connect', (client) => client.on('error', () => undefined))
  pool.on('error', (error) => log.warn({ err: error }, 'database connection lost'))
  return pool
}

/** How long a statement may take there, in ms, as openPool was told. */
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
    // A connection that is lost or stuck is thrown away, which rolls back, too.
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

/** The connection was lost while a statement committed: it may stand or not. */
export class CommitLost extends Error {}

/** Runs one statement that is a transaction by itself. Throws CommitLost when the answer to it was lost. */
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
