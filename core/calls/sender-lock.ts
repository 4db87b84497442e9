import { randomInt } from 'node:crypto'
import type { Logger } from 'pino'
import { keepConnection } from '../database/own-connection.ts'

/** The first half of the lock's key; the second is the sender's number. Migration 0019 asks for it. */
const lockClass = 7_233_301
const againAfterMs = 250

const lastTry = 2 ** 22 - 1

/** A process that sends, as the rows know it. */
export interface Sender {
  /** The number of a new try: that of this process, and 22 bits that count. */
  readonly nextTry: () => number
  /** Resolves once the database knows that this process lives: before that it takes no right to send. */
  readonly alive: () => Promise<void>
}

/**
 * Holds, on a connection of its own, an advisory lock for as long as this process lives: when it dies, by whatever, the lock goes at once,
 * and whoever recovers its calls need not believe the engine that it is dead. A database that was away is told again.
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
      // An earlier connection of this process that is not known to be gone still speaks for its tries: the next ones have a number anew.
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
