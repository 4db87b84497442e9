import { createServer, request as send } from 'node:http'
import type { Server } from 'node:http'
import { once } from 'node:events'

/** Forwards every request as it is, with a key added that `nextKey` gives: for clients that cannot send a header. */
export async function startKeyProxy(
  target: string,
  nextKey: () => string,
): Promise<{ url: string; stop(): Promise<void> }> {
  const { hostname, port } = new URL(target)
  const server: Server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${nextKey()}` }
    const { method, url: path } = incoming
    const forwarded = send({ hostname, port, method, path, headers, setHost: false }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    forwarded.on('error', () => outgoing.destroy())
    outgoing.on('close', () => forwarded.destroy())
    incoming.pipe(forwarded)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the proxy has no address')
  return {
    url: `http://127.0.0.1:${address.port}`,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
