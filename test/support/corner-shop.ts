import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import type { Context } from '../../core/context.ts'
import { operatorToken } from '../../core/operators/credentials.ts'
import { listen } from './listen.ts'

/** An app that no connector of the project knows: orders with notes. */
export interface CornerShop extends AsyncDisposable {
  readonly host: string
  readonly orders: { readonly id: string; note: string }[]
  readonly photos: FormData[]
}

export async function cornerShop(): Promise<CornerShop> {
  const orders: { id: string; note: string }[] = []
  const photos: FormData[] = []
  const server = createServer((request, response) => {
    void buffer(request).then(async (bytes) => {
      const body = bytes.toString()
      const json = (status: number, value: unknown): void => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
      }
      if (request.headers.cookie !== 'sid=ann') return json(401, { error: 'who are you?' })
      if (request.method === 'GET') return json(200, { orders })
      if (request.url === '/photos') {
        const headers = { 'content-type': request.headers['content-type'] ?? '' }
        photos.push(await new Response(Uint8Array.from(bytes), { headers }).formData())
        return json(201, { id: `f${photos.length}` })
      }
      const known = orders.find(({ id }) => request.url === `/orders/${id}`)
      if (known) {
        known.note = (JSON.parse(body) as { note: string }).note
        return json(200, known)
      }
      const order = { id: `o${orders.length + 1}`, note: (JSON.parse(body) as { note: string }).note }
      orders.push(order)
      return json(201, order)
    })
  })
  const host = `http://127.0.0.1:${await listen(server)}`
  return {
    host,
    orders,
    photos,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export const shopSession = {
  cookies: [{ name: 'sid', value: 'ann', domain: '127.0.0.1', path: '/' }],
  user_agent: null,
}

/** The files of a connector for it, in a folder of their own outside of the project. */
export interface ShopPackage extends AsyncDisposable {
  readonly folder: string
  write(file: string, content: string): Promise<void>
}

export function shopFiles(host: string, version = '1.0.0', name = 'corner-shop'): Readonly<Record<string, string>> {
  const callgate = { connector: './index.ts', api: 1, hosts: [host] }
  return {
    'package.json': JSON.stringify({ name, version, type: 'module', callgate }, null, 2),
    'orders.ts': `import { Type, endpoint, file, labelled } from '@callgate/kit'

const note = labelled('Note', Type.String({ description: 'What it says.' }))

export const list_orders = endpoint({
  summary: 'List the orders of the shop.',
  label: 'List orders',
  brief: [],
  access: 'read',
  request: 'GET /orders',
  input: {},
  output: { orders: Type.Array(Type.Object({ id: Type.String(), note: Type.String() })) },
})

export const add_order = endpoint({
  summary: 'Add an order.',
  label: 'Add an order',
  brief: ['note'],
  effect: 'adds',
  shownBy: [{ read: 'list_orders' }],
  access: 'write',
  request: 'POST /orders',
  input: { note },
  output: { id: Type.String(), version: Type.String() },
  encode: ({ note }) => ({ json: { note, source: '${version}' } }),
  decode: ({ id }) => ({ id, version: '${version}' }),
})

export const add_to_order = endpoint({
  summary: 'Add to what an order says.',
  label: 'Add to an order',
  brief: ['id', 'note'],
  effect: 'changes',
  shownBy: [{ read: 'list_orders' }],
  access: 'write',
  request: 'PUT /orders/{id}',
  before: { orders: { request: 'GET /orders', take: ({ orders }) => orders } },
  input: { id: labelled('Order', Type.String()), note },
  output: { note: Type.String() },
  encode: ({ id, note }, { before, now }) => {
    const order = (before['orders'] as { id: string; note: string }[]).find((one) => one.id === id)
    return { json: { note: \`\${order?.note} \${note}\`, at: now.toISOString() } }
  },
})

export const add_photo = endpoint({
  summary: 'Add a photo of the shop.',
  label: 'Add a photo',
  brief: ['note'],
  effect: 'adds',
  shownBy: [],
  access: 'write',
  request: 'POST /photos',
  input: { note, photo: file({ types: ['image/png'], maxBytes: 5_000_000, description: 'The photo.' }) },
  output: { id: Type.String() },
  encode: ({ note, photo }) => ({ multipart: { note: \`\${note}: \${photo.name}\`, photo } }),
})
`,
    'index.ts': `import { connector, firstOf, jsonSays, jsonSignIn } from '@callgate/kit'
import * as orders from './orders.ts'

export default connector({
  name: 'Corner shop',
  description: 'A small shop.',
  role: 'owner',
  origin: '${host}/',
  signIn: jsonSignIn({ page: 'login', who: 'me', account: ({ id, name }) => ({ id, label: name }) }),
  things: {},
  failure: firstOf(jsonSays((_, status) => status === 401, 'auth_expired')),
  endpoints: [orders],
})
`,
  }
}

export async function shopPackage(files: Readonly<Record<string, string>>): Promise<ShopPackage> {
  const folder = await mkdtemp(path.join(tmpdir(), 'callgate-shop-'))
  const write = async (file: string, content: string): Promise<void> => {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true })
    await writeFile(path.join(folder, file), content)
  }
  for (const [file, content] of Object.entries(files)) await write(file, content)
  return { folder, write, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
}

interface Command {
  readonly code: number
  readonly out: string
  readonly said: string
}

/** `callgate connector …`, as an operator runs it against a gateway. `env`: their further settings. */
export async function connectorCommand(
  gateway: {
    readonly adminUrl: string
    readonly ctx: Pick<Context, 'secrets'>
    readonly env?: Readonly<Record<string, string>>
  },
  ...args: readonly string[]
): Promise<Command> {
  const script = path.join(import.meta.dirname, '../../scripts/connector.ts')
  const where = ['--url', gateway.adminUrl, '--as', 'ann']
  const child = spawn(process.execPath, [script, ...args, ...where], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // One whose test has failed may wait for a gateway that is gone.
    timeout: 120_000,
    env: { PATH: process.env['PATH'], CALLGATE_OPERATOR_TOKEN: operatorToken(gateway.ctx.secrets), ...gateway.env },
  })
  const [out, said, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code: Number(code), out, said }
}
