import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { portOf } from './listen.ts'

/** Answers a request in place of the apps: true when it did. */
export type Instead = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>

/** Stands between the gateway and the sandbox, so that a test can hold back or replace an app's answer at a moment of its own choosing. */
export interface Between extends AsyncDisposable {
  readonly url: string
  /** Where the sandbox is; to be set before the first request. */
  target: string
  instead: Instead
}

/** A stack whose apps are reached through what stands between; `stop` ends both. */
export async function startStackBehind(): Promise<{ between: Between; stack: Stack; stop: () => Promise<void> }> {
  const between = await standBetween()
  const stack = await startStack({ settings: { SANDBOX_URL: between.url } })
  between.target = stack.sandbox.url
  const stop = async (): Promise<void> => {
    await stack.stop()
    await between[Symbol.asyncDispose]()
  }
  return { between, stack, stop }
}

/** Between a gateway and the sandbox at `target`. */
export async function standBetween(): Promise<Between> {
  const server = createServer((request, response) => {
    // A connection that the sandbox drops is dropped here, too.
    handle(request, response).catch(() => response.destroy())
  })
  const port = await portOf(server.listen(0, '127.0.0.1'))
  const between: Between = {
    url: `http://localhost:${port}`,
    target: '',
    instead: () => Promise.resolve(false),
    [Symbol.asyncDispose]: () => {
      server.closeAllConnections()
      return new Promise((resolve) => void server.close(() => resolve()))
    },
  }
  return between

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    if (await between.instead(request, response)) return
    const { host } = new URL(between.target)
    const headers = new Headers()
    for (const [name, value] of Object.entries(request.headers))
      if (typeof value === 'string' && !['connection', 'host', 'content-length'].includes(name))
        headers.set(name, value)
    headers.set('host', host)
    if (headers.has('origin')) headers.set('origin', between.target)
    const answer = await fetch(new URL(request.url ?? '/', between.target), {
      method: request.method ?? 'GET',
      headers,
      redirect: 'manual',
      ...(body.length > 0 && { body }),
    })
    response.statusCode = answer.status
    for (const [name, value] of answer.headers)
      if (!['connection', 'transfer-encoding', 'content-encoding', 'content-length'].includes(name))
        response.appendHeader(name, value)
    response.end(Buffer.from(await answer.arrayBuffer()))
  }
}
