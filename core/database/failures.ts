import pg from 'pg'
import type { RetryPolicy } from '../retry.ts'

/** SQLSTATEs of a server that is away, shutting down or stuck (timeouts). */
const awayStates = /^(08|57P0|57014|25P0[34])/
/**
 * SQLSTATEs of temporary refusals: read-only, conflict, out of connections, memory or disk, I/O.
 */
const notNowStates = /^(25006|40001|40P01|53|58030)/
/** A restarting server may be unreachable or unresolvable for a moment, as containers are. */
const awayErrnos = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EACCES',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
])
/** Messages of `pg` errors without a code: connection ended, connect timeout, query timeout. */
const awayMessages =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Client was closed|Query read timeout)/

/** Whether the database was unreachable, timed out or is unusable, not the statement wrong. */
export function isConnectionError(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isConnectionError)
  if (!(error instanceof Error)) return false
  if (error instanceof pg.DatabaseError) return awayStates.test(error.code ?? '') || isRefusal(error)
  if ('code' in error && typeof error.code === 'string') return awayErrnos.has(error.code)
  return awayMessages.test(error.message)
}

/** Whether the server reported that it did not execute the statement: the result is certain. */
export function isRefusal(error: unknown): boolean {
  return error instanceof pg.DatabaseError && notNowStates.test(error.code ?? '')
}

/** Whether a migration changed the columns of a prepared statement. Nothing was executed. */
export function isStalePlan(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery'
}

/** Retries idempotent work while the database is away, until `until` (ms since the epoch). */
export function whileAway(until: number): RetryPolicy {
  return { while: isConnectionError, delay: 250, until }
}
