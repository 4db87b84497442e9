import pg from 'pg'
import type { RetryPolicy } from '../retry.ts'

/** SQLSTATE classes and codes that say the server is away, going or stuck: connection exceptions, shutdown, time limits. */
const awayStates = /^(08|57P0|57014|25P0[34])/
/**
 * With these a server refuses what it would take at another time: it may only be read (a standby, or a disk that is nearly full), two
 * transactions were in each other's way, it has no connection, memory or disk left, or its disk fails.
 */
const notNowStates = /^(25006|40001|40P01|53|58030)/
/** A server that is gone for a moment may take its name, or the way to it, along: a container's does. */
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
/** What `pg` itself says, without a code, when a connection ends, cannot be had in time, or brings no answer in time. */
const awayMessages =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Client was closed|Query read timeout)/

/** Whether an error means that the database could not be reached, did not answer in time or cannot work now, rather than that a statement is wrong. */
export function isConnectionError(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isConnectionError)
  if (!(error instanceof Error)) return false
  if (error instanceof pg.DatabaseError) return awayStates.test(error.code ?? '') || isRefusal(error)
  if ('code' in error && typeof error.code === 'string') return awayErrnos.has(error.code)
  return awayMessages.test(error.message)
}

/** Whether the server said that it did not do what it was asked, so that nobody has to ask whether it did. */
export function isRefusal(error: unknown): boolean {
  return error instanceof pg.DatabaseError && notNowStates.test(error.code ?? '')
}

/** For what is safe to repeat while the database cannot be reached, until that moment (ms since the epoch). */
export function whileAway(until: number): RetryPolicy {
  return { while: isConnectionError, delay: 250, until }
}
