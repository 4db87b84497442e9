import { randomInt } from 'node:crypto'
import type { Logger } from 'pino'
import { keepConnection } from '../database/own-connection.ts'

/** First half of the advisory lock's key; the sender's number is the second. See migration 0019. */
const lockClass = 7_233_301
const againAfterMs = 250

const lastTry = 2 ** 22 - 1

/** A process that sends, as the rows identify it. */
export interface Sender {
  /** The number of a new attempt: the process's number, then a 22-bit counter. */
  readonly nextTry: () => number
  /** Resolves once this process holds its lock; before that it takes no send lease. */
  readonly alive: () => Promise<void>
}

/**
 * Holds an advisory lock on its own connection for the life of this process. A crash frees it at
 * once, so recovery need not rely on Temporal to learn of it. Reconnects after an outage.
 */
export function holdSenderLock(databaseUrl: string, log: Logger, stop: AbortSignal): Sender {
  const newNumber = (): number => randomInt(1, 2 ** 30)
  let number = newNumber()
  let tries = 0
  let known = Promise.withResolvers<void>()

  keepConnection(databaseUrl, {
    async begin(client) {
      const { rows } = await client.query<{ held: boolean }>('SELECT pg_try_advisory_lock($1, $2) AS held', [
        lockClass,
        number,
      ])
      const held = rows[0]?.held === true
      if (held) known.resolve()
      // An earlier connection may still hold the lock for its attempts: use a new number.
      else number = newNumber()
      return held
    },
    lost() {
      known = Promise.withResolvers()
    },
    onError: (error) => log.warn({ err: error }, 'the database does not know that this process lives'),
    every: againAfterMs,
    stop,
  })
  return {
    nextTry() {
      tries = tries === lastTry ? 0 : tries + 1
      return number * (lastTry + 1) + tries
    },
    alive: () => known.promise,
  }
}
