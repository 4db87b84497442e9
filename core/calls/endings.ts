import type pg from 'pg'
import type { Logger } from 'pino'
import { keepConnection } from '../database/own-connection.ts'

const againAfterMs = 1_000

/** Somebody's wait for the end of one call. */
export interface ExpectedEnding {
  readonly callId: string
  /** Whether a word would have come so far: false means that the database was not listened to. */
  readonly heard: boolean
  /** Resolves when the database says that the call has ended. It may never say so: this is a shortcut, and the row decides. */
  readonly told: Promise<void>
  forget(): void
}

/** What one process hears of calls that end, by a connection of its own that is opened at the first wait. */
export interface Endings {
  /** From now on. Ask before the call is looked at, so that nothing is missed in between. */
  expect(callId: string): ExpectedEnding
}

/** Listens until `stop` is aborted. While the database is away nothing is heard. */
export function listenForEndings(databaseUrl: string, log: Logger, stop: AbortSignal): Endings {
  const waiting = new Map<string, Set<() => void>>()
  let heard = false
  let opened = false

  const begin = async (client: pg.Client): Promise<boolean> => {
    client.on('notification', ({ payload = '' }) => waiting.get(payload)?.forEach((tell) => tell()))
    await client.query('LISTEN callgate_ended')
    heard = true
    return true
  }
  const lost = (): void => {
    heard = false
  }
  const onError = (error: unknown): void => log.warn({ err: error }, 'ends of calls are not heard')

  return {
    expect(callId) {
      if (!opened) {
        opened = true
        keepConnection(databaseUrl, { begin, lost, onError, every: againAfterMs, stop })
      }
      const { promise: told, resolve: tell } = Promise.withResolvers<void>()
      const others = waiting.get(callId) ?? new Set()
      waiting.set(callId, others.add(tell))
      return {
        callId,
        heard,
        told,
        forget() {
          others.delete(tell)
          if (others.size === 0 && waiting.get(callId) === others) waiting.delete(callId)
        },
      }
    },
  }
}
