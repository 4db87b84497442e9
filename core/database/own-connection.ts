import pg from 'pg'
import { repeat } from '../retry.ts'

/** What a process does with a connection that it has for itself, outside the pool. */
export interface OwnConnection {
  /** With each new connection. False: it is of no use, and another one is made. */
  readonly begin: (client: pg.Client) => Promise<boolean>
  /** One that had begun is gone. */
  readonly lost: () => void
  readonly onError: (error: unknown) => void
  /** Between two connections, in ms. */
  readonly every: number
  readonly stop: AbortSignal
}

/** Keeps one until `stop` is aborted; one that breaks is made anew. */
export function keepConnection(databaseUrl: string, own: OwnConnection): void {
  const { begin, lost, onError, every, stop } = own
  async function hold(): Promise<void> {
    const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5_000, keepAlive: true })
    // A goodbye that is not heard changes nothing: what the server held for this connection goes with it.
    const close = (): void => void client.end().catch(() => undefined)
    // What breaks it also ends it.
    client.on('error', () => undefined)
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
