import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { Transform } from 'node:stream'
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { always } from '../../../connectors/runtime/dns-lookup.ts'
import { endToEnd } from './end-to-end-headers.ts'
import { bare } from './bare-host.ts'
import type { Reach } from './allowed-hosts.ts'

export interface EgressLimits {
  readonly connections: number
  /** Total of both directions and all connections. */
  readonly bytes: number
  /** Idle time, in ms, after which a connection is closed. */
  readonly silence: number
}

const connectWithin = 15_000

/**
 * The proxy's work for an authenticated browser: checks each URL, resolves names, and connects to
 * the very addresses that were checked.
 */
export class EgressConnections {
  readonly #reach: Reach
  readonly #limits: EgressLimits
  readonly #sockets = new Set<Socket>()
  /** Parses HTTP inside tunnels to apps without TLS, so that each request there is checked, too. */
  readonly #inner = createServer({ requestTimeout: 0 })
  readonly #origins = new WeakMap<object, string>()
  #bytes = 0
  #closed = false

  constructor(reach: Reach, limits: EgressLimits) {
    this.#reach = reach
    this.#limits = limits
    const addressOf = (asked: IncomingMessage): string => `${this.#origins.get(asked.socket) ?? ''}${asked.url ?? ''}`
    this.#inner.on('request', (asked, answer) => void this.forward(asked, answer, addressOf(asked)))
    this.#inner.on('upgrade', (asked: IncomingMessage, socket: Duplex, head: Buffer) => {
      void this.#upgrade(asked, socket, head, addressOf(asked))
    })
    this.#inner.on('clientError', (_error, socket) => socket.destroy())
  }

  keep(socket: Socket): void {
    if (this.#closed) return void socket.destroy()
    this.#sockets.add(socket)
    socket.setTimeout(this.#limits.silence, () => socket.destroy())
    socket.on('error', () => socket.destroy())
    socket.on('close', () => this.#sockets.delete(socket))
  }

  close(): void {
    this.#closed = true
    for (const socket of this.#sockets) socket.destroy()
  }

  /** Forwards one plain HTTP request. */
  async forward(asked: IncomingMessage, answer: ServerResponse, address: string): Promise<void> {
    try {
      const url = this.#judged(address, asksToShow(asked.headers))
      const addresses = await this.#reach.addressesOf(url.origin)
      const onward = request({
        host: bare(url.hostname),
        port: url.port || 80,
        method: asked.method,
        path: url.pathname + url.search,
        headers: ['Host', url.host, ...endToEnd(asked.rawHeaders)],
        lookup: always(addresses),
        agent: false,
      })
      onward.on('socket', (socket) => this.keep(socket))
      answer.on('close', () => onward.destroy())
      const answered = once(onward, 'response') as Promise<[IncomingMessage]>
      const [[response]] = await Promise.all([answered, pipeline(asked, this.#meter(), onward)])
      answer.writeHead(response.statusCode ?? 502, response.statusMessage, endToEnd(response.rawHeaders))
      await pipeline(response, this.#meter(), answer)
    } catch (error) {
      // Drop the connection if the app is unreachable, so that the browser shows that.
      if (answer.headersSent || !(error instanceof Refused)) answer.destroy()
      else answer.writeHead(403, { 'content-length': 0, connection: 'close' }).end()
    }
  }

  /** Handles CONNECT to a host and port, such as for TLS. */
  async tunnel(authority: string, socket: Duplex, head: Buffer): Promise<void> {
    try {
      this.#notSpent()
      const [plain, secure] = [originOf('http', authority), originOf('https', authority)]
      if (this.#reach.knows(plain)) {
        socket.write('HTTP/1.1 200 Connected\r\n\r\n')
        if (head.length > 0) socket.unshift(head)
        this.#origins.set(socket, plain)
        this.#inner.emit('connection', socket)
        return
      }
      if (!this.#reach.knows(secure)) {
        this.#reach.want(secure, false)
        throw new Refused()
      }
      const onward = await this.#connect(secure, 443)
      socket.write('HTTP/1.1 200 Connected\r\n\r\n')
      onward.write(head)
      await this.#join(socket, onward)
    } catch (error) {
      refuse(socket, error)
    }
  }

  async #upgrade(asked: IncomingMessage, socket: Duplex, head: Buffer, address: string): Promise<void> {
    try {
      const url = this.#judged(address, false)
      const onward = await this.#connect(url.origin, 80)
      const lines = [`${asked.method} ${url.pathname}${url.search} HTTP/1.1`, `Host: ${url.host}`]
      const headers = endToEnd(asked.rawHeaders, ['connection', 'upgrade'])
      for (let at = 0; at < headers.length; at += 2) lines.push(`${headers[at]}: ${headers[at + 1]}`)
      onward.write(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]))
      await this.#join(socket, onward)
    } catch (error) {
      refuse(socket, error)
    }
  }

  #judged(address: string, shown: boolean): URL {
    this.#notSpent()
    const url = URL.parse(address)
    const may = url !== null && (shown ? this.#reach.mayShow(url.href) : this.#reach.mayLoad(url.href))
    if (may && url.protocol === 'http:') return url
    this.#reach.want(address, false)
    throw new Refused()
  }

  async #connect(origin: string, usualPort: number): Promise<Socket> {
    const url = new URL(origin)
    const addresses = await this.#reach.addressesOf(origin)
    const socket = connect({
      host: bare(url.hostname),
      port: Number(url.port || usualPort),
      lookup: always(addresses),
    })
    this.keep(socket)
    await once(socket, 'connect', { signal: AbortSignal.timeout(connectWithin) }).catch((error: unknown) => {
      socket.destroy()
      throw error
    })
    return socket
  }

  #notSpent(): void {
    if (this.#bytes > this.#limits.bytes) throw new Refused()
  }

  async #join(one: Duplex, other: Duplex): Promise<void> {
    await Promise.all([pipeline(one, this.#meter(), other), pipeline(other, this.#meter(), one)])
  }

  /** Counts bytes, and ends a stream that exceeds the limit. */
  #meter(): Transform {
    return new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        this.#bytes += chunk.length
        if (this.#bytes > this.#limits.bytes) done(new Error('too many bytes'))
        else done(null, chunk)
      },
    })
  }
}

class Refused extends Error {}

/**
 * Whether the browser requests something to show. Pages cannot suppress these headers; hosts
 * without TLS receive no `Sec-Fetch-Mode`.
 */
function asksToShow(headers: IncomingHttpHeaders): boolean {
  return headers['sec-fetch-mode'] === 'navigate' || headers['upgrade-insecure-requests'] !== undefined
}

function originOf(scheme: string, authority: string): string {
  return URL.parse(`${scheme}://${authority}`)?.origin ?? ''
}

function refuse(socket: Duplex, error: unknown): void {
  if (socket.destroyed) return
  const status = error instanceof Refused ? '403 Forbidden' : '502 Bad Gateway'
  socket.end(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`)
}
