import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { connect as dial } from 'node:net'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accept } from '../../../core/calls/accept.ts'
import { connect } from '../../../core/accounts/sessions.ts'
import { findCall, settle } from '../../../core/calls/rows.ts'
import { placeOf, sealPayload } from '../../../core/calls/payload.ts'
import { startApi } from '../../../server/server.ts'
import { dropStalledClients } from '../../../api/http/stalled-clients.ts'
import { post, send2025 } from '../../mcp/raw.ts'
import { listen } from '../../support/listen.ts'
import { ask, startGateway } from './gateway.ts'
import type { Gateway } from './gateway.ts'

const app = 'property-advertising'
const mebibyte = 1024 * 1024
let gateway: Gateway
let key: { readonly id: string; readonly key: string }
beforeAll(async () => {
  gateway = await startGateway()
  key = await gateway.newKey()
})
afterAll(() => gateway.stop())

const all = (): string => gateway.ctx.apps.all.map(({ slug }) => slug).join(',')

/** A call that was executed with an output of so many bytes. */
async function executed(bytes: number): Promise<string> {
  const { ctx, owner } = gateway
  const endpoint = ctx.apps.get(app)?.endpoints.get('get_listing')
  if (endpoint === undefined) throw new Error('no endpoint get_listing')
  const wanted = { owner, keyId: key.id, endpoint, account: undefined, idempotencyKey: undefined }
  const { callId } = await accept(ctx, { ...wanted, input: { listing_id: 'l1' } })
  const row = await findCall(ctx.db, owner, callId)
  const output = sealPayload(ctx.secrets, placeOf(row!), 'output', { text: 'x'.repeat(bytes) })
  await settle(ctx.db, callId, null, { status: 'executed', output })
  return callId
}

describe('answers', () => {
  const ids: string[] = []
  beforeAll(async () => {
    const session = { cookies: [], user_agent: null }
    await connect(gateway.ctx, { owner: gateway.owner, app, externalId: 'a1', label: 'Agency', session })
    for (let count = 0; count < 3; count++) ids.unshift(await executed(1.5 * mebibyte))
  })

  it('with a page of calls end before their limit when the outputs are large, and the next goes on', async () => {
    const first = await ask(`${gateway.url}/calls?limit=10`, { key: key.key })
    const next = await ask(`${gateway.url}/calls?limit=10&cursor=${String(first.body['next_cursor'])}`, {
      key: key.key,
    })
    const shown = [first, next].map(({ body }) =>
      (body['calls'] as { call_id: string }[]).map(({ call_id }) => call_id),
    )
    expect([shown, next.body['next_cursor']]).toEqual([[ids.slice(0, 2), ids.slice(2)], null])
  })

  it('of tools are cut where they are long, and go on from there without another call', async () => {
    const output = async (args: Record<string, unknown>) => {
      const { result } = await send2025(`${gateway.publicUrl}/mcp`, key.key, 'tools/call', {
        name: 'get_call',
        arguments: { call_id: ids[0], wait: 0, ...args },
      })
      expect(JSON.stringify(result['structuredContent']).length).toBeLessThanOrEqual(24_000)
      return result['structuredContent'] as Record<string, unknown>
    }
    const size = 1.5 * mebibyte
    const message = expect.stringContaining(`get_call with call_id ${ids[0]}`) as string
    const whole = { at: 'text', from: 0, of: size }
    expect(await output({})).toMatchObject({
      status: 'executed',
      output: {},
      callgate_left_out: { parts: [whole], message },
    })
    const first = await output({ at: 'text' })
    const { value } = first['part'] as { readonly value: string }
    expect(value).toBe('x'.repeat(value.length))
    expect(first['callgate_left_out']).toMatchObject({ parts: [{ at: 'text', from: value.length, of: size }] })
    const last = await output({ at: 'text', from: size - 10 })
    expect(last['part']).toEqual({ at: 'text', from: size - 10, of: size, value: 'x'.repeat(10) })
    expect(last).not.toHaveProperty('callgate_left_out')
    const http = await ask(`${gateway.url}/calls/${ids[0]}`, { key: key.key })
    expect(http.body['output']).toEqual({ text: 'x'.repeat(size) })
  })

  it('to all messages of a batch together are at most 2 MiB, each whole or an error that says what to do', async () => {
    const list = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/list', params: {} })
    const answer = await fetch(`${gateway.publicUrl}/mcp?apps=${all()}`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${key.key}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify(Array.from({ length: 10 }, (_, id) => list(id))),
    })
    const text = await answer.text()
    expect(text.length).toBeGreaterThan(mebibyte)
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2 * mebibyte)
    const single = await post(`${gateway.publicUrl}/mcp?apps=${all()}`, JSON.stringify(list(1)), {
      Authorization: `Bearer ${key.key}`,
    })
    const messages = answer.headers.get('Content-Type')?.startsWith('text/event-stream')
      ? [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data) as Record<string, unknown>)
      : (JSON.parse(text) as Record<string, unknown>[])
    expect(messages.map(({ id }) => Number(id)).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 10 }, (_, id) => id),
    )
    const errors = messages.filter(({ error }) => error !== undefined)
    for (const { result } of messages.filter((message) => !errors.includes(message)))
      expect(result).toEqual(single.result)
    expect(errors.length).toBeGreaterThan(0)
    for (const { error } of errors)
      expect(error).toMatchObject({ code: -32_000, message: expect.stringContaining('Use /mcp') as string })
  })
})

/** Connections that ask for something; they read only when told to. */
function clients(
  port: number,
  count: number,
  request: string,
): { readonly sockets: Socket[]; readonly dropped: () => number } {
  const errors = new Set<Socket>()
  const sockets = Array.from({ length: count }, () => {
    const socket = dial(port, '127.0.0.1')
    socket.on('error', () => errors.add(socket)).pause()
    socket.write(request)
    return socket
  })
  // Whoever does not read learns of the reset when they write.
  const dropped = (): number => {
    for (const socket of sockets) if (!socket.destroyed) socket.write(' ')
    return errors.size
  }
  return { sockets, dropped }
}

const openOn = (server: Server): Promise<number> =>
  new Promise((resolve, reject) => server.getConnections((error, open) => (error ? reject(error) : resolve(open))))

describe('clients that do not read', () => {
  it('are dropped, ten of them with what waited for them; whoever reads is served meanwhile', async () => {
    const api = await startApi(gateway.ctx, { host: '127.0.0.1', port: 0, adminPort: 0, unreadFor: 600 })
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })
    const message = [
      `POST /mcp?apps=${all()} HTTP/1.1`,
      'Host: localhost',
      `Authorization: Bearer ${(await gateway.newKey()).key}`,
      'Content-Type: application/json',
      'Accept: application/json, text/event-stream',
      `Content-Length: ${body.length}`,
      '',
      body,
    ].join('\r\n')
    const port = Number(new URL(api.url).port)
    const { sockets, dropped } = clients(port, 10, message.repeat(10))
    await expect.poll(dropped).toBe(10)
    expect((await fetch(`${api.url}/api/v1/apps`)).status).toBe(200)
    for (const socket of sockets) socket.destroy()
    await api.close()
  })

  describe('and those that do', () => {
    const size = 12 * mebibyte
    let server: Server
    let port: number
    beforeAll(async () => {
      server = createServer((request, response) => {
        if (request.url === '/large') return void response.end(Buffer.alloc(size, 32))
        response.writeHead(200, { 'Content-Type': 'text/event-stream' })
        response.write('data: first\n\n')
        if (request.url === '/flood') {
          const flood = setInterval(() => response.write(Buffer.alloc(mebibyte, 32)), 20)
          response.on('close', () => clearInterval(flood))
        }
        if (request.url === '/poll') setTimeout(() => response.end('data: last\n\n'), 2_000)
      })
      dropStalledClients(server, 1_000)
      port = await listen(server)
    })
    afterAll(() => server.close())

    it('are told apart: a slow client gets all of it, however long it takes', async () => {
      const { sockets } = clients(port, 1, 'GET /large HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
      const [socket] = sockets
      let read = 0
      const took = setInterval(() => {
        const chunk = socket!.read() as Buffer | null
        read += chunk?.length ?? 0
      }, 10)
      const began = performance.now()
      await new Promise((resolve) => socket!.once('close', resolve))
      clearInterval(took)
      expect(read).toBeGreaterThan(size)
      expect(performance.now() - began).toBeGreaterThan(1_000)
    })

    it('are told apart: one for whom more and more is written, and who takes none of it, is dropped', async () => {
      const { dropped } = clients(port, 1, 'GET /flood HTTP/1.1\r\nHost: x\r\n\r\n')
      await expect.poll(dropped).toBe(1)
    })

    it('are told apart: a long poll and a connection that waits for its next request stay', async () => {
      const { sockets, dropped } = clients(port, 1, 'GET /poll HTTP/1.1\r\nHost: x\r\n\r\n')
      await sleep(2_500)
      sockets[0]!.resume()
      expect([dropped(), await openOn(server)]).toEqual([0, 1])
      sockets[0]!.destroy()
    })
  })
})
