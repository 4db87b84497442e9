import { createServer } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { freePort } from '../../local-services/dev-server.ts'
import { listen } from './listen.ts'

export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly event: {
    readonly type: string
    readonly timestamp: string
    readonly data: Readonly<Record<string, unknown>>
  }
}

/** A program that takes webhooks, on a port of its own. */
export interface Receiver {
  readonly url: string
  readonly port: number
  readonly received: Received[]
  /** Connections that anybody opened. */
  readonly connections: () => number
  /** What it answers from now on: 204 at first. */
  answer(status: number, headers?: Readonly<Record<string, string>>): void
  /** From now on it takes what comes and answers nothing. */
  keepWaiting(): void
  close(): Promise<void>
}

export async function startReceiver(port?: number): Promise<Receiver> {
  const received: Received[] = []
  let connections = 0
  let status = 204
  let headers: Readonly<Record<string, string>> = {}
  let silent = false
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      received.push({ headers: request.headers, body, event: JSON.parse(body) as Received['event'] })
      if (!silent) response.writeHead(status, headers).end()
    })
  })
  server.on('connection', () => (connections += 1))
  const bound = await listen(server, port ?? (await freePort()))
  return {
    url: `http://127.0.0.1:${bound}/hooks?key=of-the-receiver`,
    port: bound,
    received,
    connections: () => connections,
    answer(next, nextHeaders = {}) {
      status = next
      headers = nextHeaders
      silent = false
    },
    keepWaiting() {
      silent = true
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Whether the standard library takes what arrived for the real thing. */
export function verifies(secret: string, { headers, body }: Received): boolean {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>)
    return true
  } catch {
    return false
  }
}
