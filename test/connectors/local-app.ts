import { createServer } from 'node:net'
import type { Socket } from 'node:net'
import { Type } from 'typebox'
import { connector, endpoint } from '../../connectors/kit/define.ts'
import type { ConnectorSpec, EndpointDefinition } from '../../connectors/kit/define.ts'
import { exchange } from '../../connectors/runtime/exchange.ts'
import type { Exchange, ExchangeOptions } from '../../connectors/runtime/exchange.ts'
import { firstOf, jsonRefusal, redirectAway, redirectTo } from '../../connectors/kit/failures.ts'
import { bindAll } from '../../connectors/registry.ts'
import type { App, Endpoint } from '../../connectors/registry.ts'
import type { ExampleSandbox } from '../../scripts/examples/sandbox.ts'
import { cursor, id, limit, nextCursor } from '../../connectors/kit/inputs.ts'
import { listen } from '../support/listen.ts'

export const cursorKey = Buffer.alloc(32, 7)

/** A server that speaks raw bytes: `answer` gets each full request as text and its connection. */
export interface RawApp extends AsyncDisposable {
  readonly origin: string
  readonly requests: string[]
  connections: number
}

export async function rawApp(answer: (request: string, socket: Socket, count: number) => void): Promise<RawApp> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    app.connections += 1
    let seen = ''
    socket.on('data', (bytes) => {
      seen += bytes.toString()
      const end = seen.indexOf('\r\n\r\n')
      const length = Number(/content-length: (\d+)/i.exec(seen)?.[1] ?? 0)
      if (end < 0 || seen.length < end + 4 + length) return
      const request = seen
      seen = ''
      app.requests.push(request)
      answer(request, socket, app.requests.length)
    })
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
  })
  const app: RawApp = {
    origin: `http://127.0.0.1:${await listen(server)}/shop/`,
    requests: [],
    connections: 0,
    [Symbol.asyncDispose]: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => void server.close(() => resolve()))
    },
  }
  return app
}

export function http(
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = { 'content-type': 'application/json' },
): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} X\r\n${lines.join('')}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}

export const failure = firstOf(
  redirectTo('sign-in', 'auth_expired'),
  redirectAway('https://login.example.org/realms/shop/', 'auth_expired'),
  redirectAway('/accounts/login', 'auth_expired'),
  ({ status, text }) => (status === 403 && /access denied/i.test(text) ? { kind: 'blocked' } : undefined),
  jsonRefusal(({ problem, text }) => ({ code: problem, message: text })),
)

export function bound(definitions: Record<string, EndpointDefinition>, more: Partial<ConnectorSpec> = {}) {
  const spec = connector({
    name: 'Shop',
    description: 'A shop.',
    role: 'owner',
    origin: '{sandbox}/shop/',
    signIn: {
      page: 'sign-in',
      who: { page: 'me', account: (text) => (text.includes('"id":"ann"') ? { id: 'ann', label: 'Ann' } : null) },
    },
    things: {},
    failure,
    endpoints: [definitions],
    ...more,
  })
  const endpoints = bindAll('shop', spec)
  return (name: string): Endpoint => {
    const found = endpoints.get(name)
    if (!found) throw new Error(`no endpoint ${name}`)
    return found
  }
}

export const read_item = endpoint({
  summary: 'Read an item.',
  label: 'Read an item',
  brief: [],
  access: 'read',
  request: 'GET /items/{item_id}',
  input: { item_id: id('item', 'From list_items.') },
  output: { item_id: Type.String(), price: Type.Number() },
  decode: ({ nr, cost }) => ({ item_id: nr, price: cost }),
})

export const write_item = endpoint({
  summary: 'Change an item.',
  label: 'Change an item',
  brief: [],
  effect: 'changes',
  shownBy: [],
  access: 'write',
  request: 'POST /items/{item_id}',
  input: { item_id: id('item', 'From list_items.'), price: Type.Number({ description: 'The new price.' }) },
  output: { item_id: Type.String() },
  encode: ({ price }) => ({ json: { cost: price } }),
  decode: ({ nr }) => ({ item_id: nr }),
})

export const list_items = endpoint({
  summary: 'List items.',
  label: 'List items',
  brief: [],
  access: 'read',
  request: 'GET /items',
  input: { limit: limit(), cursor },
  output: { items: Type.Array(Type.String()), next_cursor: nextCursor },
  encode: ({ limit }, { anchor }) => ({ query: { after: anchor, n: limit } }),
  decode: ({ all, more }, { cursor }) => ({ items: all, next_cursor: cursor(typeof more === 'string' ? more : null) }),
})

export const shop = bound({ read_item, write_item, list_items })

/** An exchange with a local server, with all that a test does not care about filled in. */
export function talk(
  origin: string,
  endpoint: Endpoint,
  input: Record<string, unknown>,
  more: Partial<ExchangeOptions> = {},
): Promise<Exchange> {
  return exchange({
    endpoint,
    input,
    origin,
    cursorKey,
    session: { cookies: [], user_agent: null },
    fence: () => Promise.resolve(true),
    ...more,
  })
}

/** One call of an app's endpoint on the sandbox, as the account of this user. */
export async function exchanged(
  sandbox: ExampleSandbox,
  app: App,
  name: string,
  input: unknown,
  user = 'demo',
  timeoutMs?: number,
): Promise<Exchange> {
  const account = (await sandbox.accounts(app.slug)).find((one) => one.user === user)
  const endpoint = app.endpoints.get(name)
  if (!account || !endpoint) throw new Error(`no ${name}, or no account of ${user}`)
  return sandbox.call(app, endpoint, input, account.session, timeoutMs)
}
