import pg from 'pg'
import { repeat } from '../retry.ts'

/** Callbacks of a dedicated connection, outside the pool. */
export interface OwnConnection {
  /** Called with each new connection. False: it is unusable; close it and connect again. */
  readonly begin: (client: pg.Client) => Promise<boolean>
  /** Called when a usable connection was lost. */
  readonly lost: () => void
  readonly onError: (error: unknown) => void
  /** Delay between two connections, in ms. */
  readonly every: number
  readonly stop: AbortSignal
}

/** Keeps a connection until `stop` is aborted, and reconnects when it breaks. */
export function keepConnection(databaseUrl: string, own: OwnConnection): void {
  const { begin, lost, onError, every, stop } = own
  async function hold(): Promise<void> {
    const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5_000, keepAlive: true })
    // Errors on close are harmless: the server drops the connection's state anyway.
    const close = (): void => void client.end().catch(() => undefined)
    client.on('error', (error) => {
      if (!stop.aborted) onError(error)
    })
    const ended = new Promise<void>((resolve) => {
      client.on('end', resolve)
    })
    try {
      await client.connect()
      if (stop.aborted) return
      stop.addEventListener('abort', close)
      if (!(await begin(client))) return
      await ended
      lost()
    } finally {
      stop.removeEventListener('abort', close)
      close()
    }
  }
  void repeat(hold, { every, stop, onError })
}
