import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { localUrl } from '../../../config.ts'
import { equalTexts } from '../../../core/secrets/crypto.ts'
import type { Proxy } from './chromium.ts'
import type { Reach } from './allowed-hosts.ts'
import { EgressConnections } from './egress-connection.ts'
import type { EgressLimits } from './egress-connection.ts'

export interface Egress {
  readonly proxy: Proxy
  close(): Promise<void>
}

const usual: EgressLimits = { connections: 200, bytes: 512 * 1024 * 1024, silence: 120_000 }

/**
 * The only way out of one browser: a proxy that reaches what `reach` allows and nothing else,
 * whatever the browser requests. It resolves names, and connects to the very addresses that were
 * checked. `host`: the address of this machine to listen on.
 */
export async function openEgressProxy(reach: Reach, limits: EgressLimits = usual, host = '127.0.0.1'): Promise<Egress> {
  const password = randomBytes(24).toString('base64url')
  const wanted = `Basic ${Buffer.from(`callgate:${password}`).toString('base64')}`
  const way = new EgressConnections(reach, limits)
  const authorised = ({ headers }: IncomingMessage): boolean => equalTexts(headers['proxy-authorization'] ?? '', wanted)

  const server = createServer({ requestTimeout: 0 })
  server.maxConnections = limits.connections
  server.on('connection', (socket: Socket) => way.keep(socket))
  server.on('clientError', (_error, socket) => socket.destroy())
  server.on('request', (asked, answer) => {
    if (authorised(asked)) return void way.forward(asked, answer, asked.url ?? '')
    answer.writeHead(407, { 'proxy-authenticate': 'Basic realm="callgate"', 'content-length': 0 }).end()
  })
  server.on('connect', (asked: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (authorised(asked)) return void way.tunnel(asked.url ?? '', socket, head)
    socket.end(
      'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="callgate"\r\nContent-Length: 0\r\n\r\n',
    )
  })
  await once(server.listen(0, host), 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the proxy has no port')
  return {
    proxy: { server: localUrl(host, address.port), username: 'callgate', password },
    async close() {
      const closed = once(server, 'close')
      server.close()
      way.close()
      await closed
    },
  }
}
