import pg from 'pg'
import type { Logger } from 'pino'

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

  async function listen(): Promise<void> {
    const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5_000, keepAlive: true })
    // A goodbye that is not heard changes nothing: nobody listens to this connection any more.
    const close = (): void => void client.end().catch(() => undefined)
    // What breaks it also ends it.
    client.on('error', () => undefined)
    client.on('notification', ({ payload = '' }) => waiting.get(payload)?.forEach((tell) => tell()))
    const ended = new Promise<void>((resolve) => {
      client.on('end', resolve)
    })
    try {
      await client.connect()
      if (stop.aborted) return
      stop.addEventListener('abort', close)
      await client.query('LISTEN callgate_ended')
      heard = true
      await ended
    } finally {
      heard = false
      stop.removeEventListener('abort', close)
      close()
    }
  }

  async function keepListening(): Promise<void> {
    while (!stop.aborted) {
      await listen().catch((error: unknown) => log.warn({ err: error }, 'ends of calls are not heard'))
      if (!stop.aborted) await new Promise((resolve) => setTimeout(resolve, againAfterMs).unref())
    }
  }

  return {
    expect(callId) {
      if (!opened) {
        opened = true
        void keepListening()
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
