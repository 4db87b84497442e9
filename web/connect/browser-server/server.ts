import { createServer } from 'node:http'
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { equalTexts } from '../../../core/secrets/crypto.ts'
import { answers, decodeRequest, playwrightVersion, requestHeader } from './request.ts'
import type { BrowserRequest } from './request.ts'
import { Session } from './session.ts'
import type { SessionOptions } from './session.ts'

export interface BrowserServerOptions extends SessionOptions {
  readonly secret: () => string
  /** Maximum number of browsers at once. */
  readonly browsers: number
}

export interface BrowserServer {
  readonly server: Server
  /** Ends all browsers; resolves once they are gone. */
  readonly close: () => Promise<void>
}

/** Why a request is refused. */
interface Refusal {
  readonly status: number
  readonly text: string
}

const statusTexts: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  426: 'Upgrade Required',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}

/**
 * Runs the sign-in browsers of API processes: each authenticated WebSocket gets its own Chromium,
 * whose only way out is the proxy that the API names, and which ends with that connection. `GET /`
 * with the same headers reports whether a browser could start.
 */
export function createBrowserServer(options: BrowserServerOptions): BrowserServer {
  const sessions = new Map<Session, Promise<void>>()
  const server = createServer({ headersTimeout: 10_000, requestTimeout: 10_000, keepAliveTimeout: 1_000 })
  server.maxConnections = options.browsers * 2 + 50

  const admitted = (request: IncomingMessage): BrowserRequest | Refusal => {
    if (!equalTexts(request.headers.authorization ?? '', `Bearer ${options.secret()}`))
      return { status: 401, text: 'the secret is another one' }
    const header = request.headers[requestHeader]
    const wanted = decodeRequest(typeof header === 'string' ? header : undefined)
    if (wanted === undefined) return { status: 400, text: `${requestHeader} says no browser` }
    const version = playwrightVersion()
    if (wanted.playwright !== version) return { status: answers.otherVersion, text: version }
    return sessions.size < options.browsers ? wanted : { status: answers.full, text: 'no browser is free' }
  }

  server.on('request', (request, response) => {
    if (request.url === '/healthz') return void response.writeHead(204).end()
    const wanted = admitted(request)
    const { status, text } = 'status' in wanted ? wanted : { status: 200, text: 'ready' }
    response.writeHead(status, { 'content-type': 'text/plain', connection: 'close' }).end(text)
  })
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    const wanted = admitted(request)
    if ('status' in wanted) return refuse(socket, wanted)
    if (wanted.proxy === null) return refuse(socket, { status: 400, text: 'a browser needs a proxy' })
    const session = new Session(options, request, socket, head)
    const running = session
      .run(wanted.proxy, wanted.scale)
      .catch((error: unknown) => {
        options.log('error', `a browser did not start or end: ${error instanceof Error ? error.message : 'unknown'}`)
        refuse(socket, { status: 500, text: 'the browser did not start' })
      })
      .finally(() => sessions.delete(session))
    sessions.set(session, running)
  })
  return {
    server,
    async close() {
      server.close()
      for (const session of sessions.keys()) session.end()
      await Promise.all(sessions.values())
    },
  }
}

function refuse(socket: Duplex, { status, text }: Refusal): void {
  if (socket.destroyed) return
  const line = `HTTP/1.1 ${status} ${statusTexts[status] ?? 'Refused'}`
  socket.end(`${line}\r\nConnection: close\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
}
