import { once } from 'node:events'
import { createServer, request as send } from 'node:http'
import { listen } from './listen.ts'

/** How often a route answered with a status: `POST 200`. */
export type Tally = Map<string, number>

/**
 * Stands before the gateway and gives every request the next key, so that one program can send more than one key may.
 * The limits stay as they are.
 */
export async function startRotatingKeys(
  target: string,
  keys: readonly string[],
): Promise<{ readonly url: string; readonly answers: Tally; stop(): Promise<void> }> {
  const { hostname, port: targetPort } = new URL(target)
  const answers: Tally = new Map()
  let turn = 0
  // What is too long is for the gateway to say.
  const server = createServer({ maxHeaderSize: 262_144 }, (incoming, outgoing) => {
    const { method, url: path } = incoming
    const { 'x-api-key': _, ...rest } = incoming.headers
    const headers = { ...rest, authorization: `Bearer ${keys[turn++ % keys.length]}` }
    const forwarded = send({ hostname, port: targetPort, method, path, headers, setHost: false }, (answer) => {
      const line = `${method} ${answer.statusCode}`
      answers.set(line, (answers.get(line) ?? 0) + 1)
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    forwarded.on('error', () => outgoing.destroy())
    outgoing.on('close', () => forwarded.destroy())
    incoming.pipe(forwarded)
  })
  const port = await listen(server)
  return {
    url: `http://127.0.0.1:${port}`,
    answers,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
