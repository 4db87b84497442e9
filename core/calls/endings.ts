import type pg from 'pg'
import type { Logger } from 'pino'
import { keepConnection } from '../database/own-connection.ts'

const againAfterMs = 1_000

/** A wait for the end of one call. */
export interface ExpectedEnding {
  readonly callId: string
  /** False: no LISTEN connection was open when the wait began. */
  readonly heard: boolean
  /** Resolves on the NOTIFY for this call, which may never come: a shortcut; the row decides. */
  readonly told: Promise<void>
  forget(): void
}

/** Ends of calls that this process learns of, on one LISTEN connection opened at the first wait. */
export interface Endings {
  /** Starts now: call it before reading the row, so that no ending is missed in between. */
  expect(callId: string): ExpectedEnding
}

/** Listens until `stop` is aborted. Misses notifications while Postgres is down. */
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
