import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/** SQLSTATE classes and codes that say the server is away, going or stuck: connection exceptions, shutdown, time limit, too many connections. */
const awayStates = /^(08|57P0|57014|53300)/
const awayErrnos = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT', 'EACCES'])
/** What `pg` itself says, without a code, when a connection ends, cannot be had in time, or brings no answer in time. */
const awayMessages =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Client was closed|Query read timeout)/

/** Whether an error means that the database could not be reached or did not answer in time, rather than that it refused a statement. */
export function isConnectionError(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isConnectionError)
  if (!(error instanceof Error)) return false
  if (error instanceof pg.DatabaseError) return awayStates.test(error.code ?? '')
  if ('code' in error && typeof error.code === 'string') return awayErrnos.has(error.code)
  return awayMessages.test(error.message)
}

/** Repeats what is safe to repeat while the database cannot be reached, until that moment (ms since the epoch). */
export async function outlasting<T>(until: number, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isConnectionError(error) || Date.now() > until) throw error
      await sleep(250)
    }
  }
}
