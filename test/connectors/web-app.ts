import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { listen } from '../support/listen.ts'

export interface Asked {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export interface Said {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string | string[]>>
  readonly body?: string | Buffer
}

/** A small server of an app below `/shop/`, and what it was asked. */
export interface WebApp extends AsyncDisposable {
  readonly origin: string
  readonly asked: Asked[]
  /** `POST /shop/items`, each. */
  readonly lines: string[]
}

export async function webApp(answer: (asked: Asked) => Said): Promise<WebApp> {
  const asked: Asked[] = []
  const server = createServer((request, response) => void reply(request, response, asked, answer))
  const origin = `http://127.0.0.1:${await listen(server)}/shop/`
  return {
    origin,
    asked,
    get lines() {
      return asked.map(({ method, path }) => `${method} ${path}`)
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function reply(
  request: IncomingMessage,
  response: ServerResponse,
  asked: Asked[],
  answer: (asked: Asked) => Said,
): Promise<void> {
  const body = await text(request)
  const one = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body }
  asked.push(one)
  const { status = 200, headers = {}, body: said = '' } = answer(one)
  response.writeHead(status, { ...headers }).end(said)
}

export const page = (body: string, more: Said = {}): Said => ({
  ...more,
  headers: { 'content-type': 'text/html; charset=utf-8', ...more.headers },
  body,
})
export const json = (value: unknown, more: Said = {}): Said => ({
  ...more,
  headers: { 'content-type': 'application/json', ...more.headers },
  body: JSON.stringify(value),
})
export const led = (location: string, status = 302, cookie?: string): Said => ({
  status,
  headers: { location, ...(cookie !== undefined && { 'set-cookie': cookie }) },
})
