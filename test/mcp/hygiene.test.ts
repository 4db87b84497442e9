import { request } from 'node:http'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { revokeKey } from '../../core/keys/rows.ts'
import { startApi } from '../../server/server.ts'
import { startGateway } from '../api/http/gateway.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { Agent } from './agent.ts'
import { envelope, post, send, send2025, wire } from './raw.ts'

const app = 'property-advertising'
let stack: Stack
let mcpUrl: string
beforeAll(async () => {
  stack = await startStack({ worker: false })
  mcpUrl = `${stack.publicUrl}/mcp`
})
afterAll(() => stack.stop())

const newKey = async () => (await stack.user({ accounts: [] })).key
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }

describe('keys', () => {
  it('are needed, unless a person signs in: who has none that is valid is told where', async () => {
    const user = await stack.user({ accounts: [] })
    const missing = await post(mcpUrl, JSON.stringify(ping))
    expect([missing.status, missing.error.data?.['error']]).toEqual([401, 'api_key_required'])
    expect(missing.headers.get('WWW-Authenticate')).toContain('resource_metadata=')
    const wrong = await post(mcpUrl, JSON.stringify(ping), { 'X-API-Key': 'cg_live_nonsense' })
    expect([wrong.status, wrong.error.data?.['error']]).toEqual([401, 'api_key_invalid'])
    expect((await send2025(mcpUrl, user.key, 'ping')).status).toBe(200)
    expect((await post(mcpUrl, JSON.stringify(ping), { 'X-API-Key': user.key })).status).toBe(200)
    await revokeKey(stack.ctx, user.id, user.keyId)
    const revoked = await send2025(mcpUrl, user.key, 'ping')
    expect([revoked.status, revoked.error.data?.['error']]).toEqual([401, 'api_key_invalid'])
    await expect(Agent.connect(stack.publicUrl, user.key, { era: '2026' })).rejects.toThrow()
  })
})

describe('a refusal before a tool is reached', () => {
  const long = JSON.stringify({ ...ping, id: 7, params: { text: 'x'.repeat(100_000) } })
  it.each([
    ['a message', '{"jsonrpc":"2.0","id":"seven","method":"ping"}', 'seven'],
    ['a number', '{"jsonrpc":"2.0","id":7,"method":"ping"}', 7],
    ['an id of another kind', '{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}', null],
    ['a batch', '[{"jsonrpc":"2.0","id":7,"method":"ping"}]', null],
    ['no JSON', '{"jsonrpc":', null],
    ['nothing', '', null],
    ['more than is read of a stranger', long, null],
  ])('is a JSON-RPC error with the id of %s', async (_, text, id) => {
    const answer = await post(mcpUrl, text, { Authorization: 'Bearer cg_live_nonsense' })
    expect([answer.status, answer.headers.get('Content-Type')]).toEqual([401, 'application/json; charset=utf-8'])
    expect(answer.body).toEqual({
      jsonrpc: '2.0',
      id,
      error: {
        code: -32_000,
        message: expect.stringContaining('malformed, unknown, revoked or expired') as string,
        data: { error: 'api_key_invalid', request_id: answer.headers.get('X-Request-Id') },
      },
    })
  })

  it('says its words in the status line, too', async () => {
    const { status, statusText } = await fetch(mcpUrl, { method: 'POST', body: JSON.stringify(ping) })
    expect([status, statusText]).toEqual([401, expect.stringMatching(/^api_key_required: Send the header Auth/)])
  })
})

describe('requests that are no messages', () => {
  it('GET, DELETE and others are 405 with what is allowed', async () => {
    const headers = { Authorization: `Bearer ${await newKey()}`, Accept: 'text/event-stream' }
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const answer = await wire(await fetch(mcpUrl, { method, headers }))
      expect([answer.status, answer.error.data?.['error'], answer.headers.get('Allow')]).toEqual([
        405,
        'method_not_allowed',
        'POST',
      ])
    }
  })

  it('other media types are 415, and more than 1 MiB is 413', async () => {
    const key = { Authorization: `Bearer ${await newKey()}` }
    const typed = await post(mcpUrl, JSON.stringify(ping), { ...key, 'Content-Type': 'text/plain' })
    expect([typed.status, typed.error.data?.['error']]).toEqual([415, 'unsupported_media_type'])
    const params = { name: 'search_actions', arguments: { words: 'x'.repeat(1024 * 1024) } }
    const large = await post(mcpUrl, JSON.stringify({ ...ping, method: 'tools/call', params }), key)
    expect([large.status, large.error.data?.['error']]).toEqual([413, 'payload_too_large'])
  })

  it('what is not JSON is a parse error, what nobody takes an invalid request', async () => {
    const key = { Authorization: `Bearer ${await newKey()}` }
    for (const text of ['{', '', 'null and void']) {
      const answer = await post(mcpUrl, text, key)
      expect([text, answer.status, answer.error.code]).toEqual([text, 400, -32_700])
      expect(answer.body).toMatchObject({ jsonrpc: '2.0', id: null })
    }
    const deep = `${'['.repeat(50)}${']'.repeat(50)}`
    for (const text of ['{"jsonrpc":"2.0","id":1,"method":"ping","params":{"__proto__":{}}}', deep]) {
      const answer = await post(mcpUrl, text, key)
      expect([answer.status, answer.error.code]).toEqual([400, -32_600])
    }
    const noMessage = await post(mcpUrl, '{"hello":"world"}', key)
    expect([noMessage.status, noMessage.error.code]).toEqual([400, -32_600])
  })

  it('pages of other sites, and names that are not ours, are 403', async () => {
    const key = { Authorization: `Bearer ${await newKey()}` }
    for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1.evil.example']) {
      const answer = await post(mcpUrl, JSON.stringify(ping), { ...key, Origin: origin })
      expect([origin, answer.status, answer.error.code]).toEqual([origin, 403, -32_000])
    }
    expect((await post(mcpUrl, JSON.stringify(ping), { ...key, Origin: 'http://localhost:3000' })).status).toBe(200)
    const { port } = new URL(mcpUrl)
    const rebound = request({ port, path: '/mcp', method: 'POST', headers: { ...key, Host: `evil.example:${port}` } })
    rebound.end(JSON.stringify(ping))
    const [answer] = (await once(rebound, 'response')) as [{ statusCode: number; resume(): void }]
    answer.resume()
    expect(answer.statusCode).toBe(403)
  })
})

describe('messages', () => {
  it('of a revision that nobody knows are told which there are', async () => {
    const key = await newKey()
    const old = await post(mcpUrl, JSON.stringify(ping), {
      Authorization: `Bearer ${key}`,
      'MCP-Protocol-Version': '1999-01-01',
    })
    expect(old.status).toBe(400)
    expect(old.error.message).toContain('2025-11-25')
    const params = { _meta: envelope({}, '2099-01-01') }
    const future = await post(mcpUrl, JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params }), {
      Authorization: `Bearer ${key}`,
      'MCP-Protocol-Version': '2099-01-01',
      'Mcp-Method': 'tools/list',
    })
    expect([future.status, future.error.code, future.error.data]).toMatchObject([
      400,
      -32_022,
      { supported: ['2026-07-28'] },
    ])
    const mismatch = await send(mcpUrl, key, { method: 'tools/list', headers: { 'Mcp-Method': 'tools/call' } })
    expect([mismatch.status, mismatch.error.code]).toEqual([400, -32_020])
  })

  it('of a batch are answered each; more than 10 are too many', async () => {
    const key = { Authorization: `Bearer ${await newKey()}` }
    const answer = await fetch(mcpUrl, {
      method: 'POST',
      headers: { ...key, 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
      body: JSON.stringify([ping, { ...ping, id: 2 }, { ...ping, id: 3 }]),
    })
    expect([...(await answer.text()).matchAll(/"id":(\d)/g)].map(([, id]) => id)).toEqual(['1', '2', '3'])
    expect(answer.headers.get('RateLimit')).toContain('r=117;')
    const batchOf = (length: number) => JSON.stringify(Array.from({ length }, (_, id) => ({ ...ping, id })))
    expect((await post(mcpUrl, batchOf(10), key)).status).toBe(200)
    const many = await post(mcpUrl, batchOf(11), key)
    expect([many.status, many.error.code]).toEqual([400, -32_600])
    expect(many.error.message).toContain('10 messages at most; this one has 11')
    const modern = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: envelope() } }
    const refused = await post(mcpUrl, JSON.stringify([modern]), { ...key, 'MCP-Protocol-Version': '2026-07-28' })
    expect([refused.status, refused.error.code]).toEqual([400, -32_600])
  })

  it('are 120 a minute for each key, however they come, and a refusal says when to come again', async () => {
    const key = await newKey()
    const batch = JSON.stringify(Array.from({ length: 10 }, (_, id) => ({ ...ping, id })))
    for (let sent = 0; sent < 6; sent++)
      expect((await post(mcpUrl, batch, { Authorization: `Bearer ${key}` })).status).toBe(200)
    const answers = await Promise.all(
      Array.from({ length: 70 }, (_, i) =>
        i % 2 ? send2025(mcpUrl, key, 'ping') : send(`${mcpUrl}/${app}`, key, { method: 'tools/list' }),
      ),
    )
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(10)
    for (const { headers, body, error } of refused) {
      expect(error.data).toMatchObject({
        error: 'rate_limited',
        retry_after: Number(headers.get('Retry-After')),
        request_id: headers.get('X-Request-Id'),
      })
      expect(error.message).toContain('More than 120 requests in 60 seconds')
      expect(body['id']).toEqual(expect.any(Number))
      expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0)
      expect(headers.get('RateLimit-Policy')).toBe('"mcp-messages";q=120;w=60')
    }
    expect((await send2025(mcpUrl, await newKey(), 'ping')).status).toBe(200)
  })

  it('that name no tool of ours, or ask for a second page, are wrong parameters', async () => {
    const key = await newKey()
    for (const answer of [
      await send(mcpUrl, key, { method: 'tools/call', params: { name: 'approve_call', arguments: {} } }),
      await send2025(mcpUrl, key, 'tools/call', { name: 'approve_call', arguments: {} }),
      await send2025(mcpUrl, key, 'tools/list', { cursor: 'more' }),
    ])
      expect(answer.error.code).toBe(-32_602)
    const answer = await send(mcpUrl, key, { method: 'tools/call', params: { name: 'approve_call', arguments: {} } })
    expect(answer.error.message).toContain('search_actions')
  })

  it.each([
    ['tools/list', { cursor: null }, 'params.cursor'],
    ['tools/list', null, 'params'],
    ['tools/list', [], 'params'],
    ['tools/call', { name: 7 }, 'params.name'],
    ['tools/call', { name: 'get_call', arguments: 'x' }, 'params.arguments'],
    ['resources/read', {}, 'params.uri'],
    ['ping', null, 'params'],
    ['ping', { _meta: 1 }, 'params._meta'],
    [
      'initialize',
      { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x' } },
      'params.clientInfo.version',
    ],
    ['initialize', { protocolVersion: 7, capabilities: {}, clientInfo: { name: 'x', version: '1' } }, 'params.proto'],
  ])('%s with %j is wrong parameters, in words', async (method, params, path) => {
    const answer = await post(mcpUrl, JSON.stringify({ jsonrpc: '2.0', id: 'seven', method, params }), {
      Authorization: `Bearer ${await newKey()}`,
    })
    expect([answer.error.code, answer.body['id']]).toEqual([-32_602, 'seven'])
    expect(answer.error.message).toContain(path)
    expect(answer.error.message).not.toMatch(/[[{\n]|invalid_type/)
  })

  it.each(['*/*', 'application/*, text/*', undefined])('are answered with Accept %s', async (accept) => {
    const asked = request(mcpUrl, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${await newKey()}`,
        'Content-Type': 'application/json',
        ...(accept !== undefined && { Accept: accept }),
      },
    })
    asked.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }))
    const [answer] = (await once(asked, 'response')) as [{ statusCode: number; resume(): void }]
    answer.resume()
    expect(answer.statusCode).toBe(200)
  })

  it('with a number that a double does not hold are refused, by its path', async () => {
    const headers = { Authorization: `Bearer ${await newKey()}` }
    const text = (id: string) =>
      `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"read_action","arguments":{"app":"${app}","action":"list_listings","input":{"limit":9007199254740993}}}}`
    const { result } = await post(mcpUrl, text('1'), headers)
    expect(result).toMatchObject({ isError: true, structuredContent: { error: 'invalid_json' } })
    expect(JSON.stringify(result)).toContain('input.limit')
    expect((await post(mcpUrl, text('9007199254740993'), headers)).error.code).toBe(-32_600)
  })

  it('with wrong arguments are told which, as a result that the model sees', async () => {
    const agent = await Agent.connect(stack.publicUrl, await newKey())
    const others = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`other_${at}`, 1]))
    const wrong: readonly [tool: string, args: Record<string, unknown>, path: string][] = [
      ['search_actions', { words: 7 }, 'words'],
      ['search_actions', { words: 'a b '.repeat(250_000) }, 'words'],
      ['search_actions', { words: '', app: 'crm\0' }, 'app'],
      ['get_action', { app }, 'action'],
      ['read_action', { app, action: 'list_listings', input: [] }, 'input'],
      [
        'write_action',
        { app, action: 'add_contact_note', input: {}, idempotency_key: 'k'.repeat(256) },
        'idempotency_key',
      ],
      ['write_action', { app, action: 'add_contact_note', input: {}, idempotency_key: 'a\0b' }, 'idempotency_key'],
      ['write_action', { app, action: 'add_contact_note', input: {}, account: 'a\0b' }, 'account'],
      ['read_action', { app, action: 'list_listings', input: { limit: 1, ...others } }, 'other_7'],
      ['get_action', { app, action: 'list_listings', ...others }, 'other_7'],
      ['get_call', { call_id: 'call_1', wait: 46 }, 'wait'],
      ['get_call', { call_id: 'call_1\0' }, 'call_id'],
      ['list_calls', { limit: 0 }, 'limit'],
      ['list_calls', { app: 'none' }, 'app'],
      ['list_calls', { cursor: 'made up' }, 'cursor'],
      ['cancel_call', { call_id: 'call_1', approve: true }, 'approve'],
    ]
    for (const [name, args, path] of wrong) {
      const told = await agent.use(name, args)
      expect([name, told.isError, told.body['error']]).toEqual([name, true, 'invalid_input'])
      expect(told.body['details']).toContainEqual({ path, message: expect.any(String) as string })
      expect(told.body['request_id']).toMatch(/^req_/)
    }
    await agent.close()
  })

  it('cannot read through the tool that writes, nor write through the one that reads', async () => {
    const agent = await Agent.connect(stack.publicUrl, await newKey())
    const written = await agent.use('read_action', { app, action: 'reply_to_contact', input: {} })
    expect([written.isError, written.body['error'], written.body['use']]).toEqual([
      true,
      'method_not_allowed',
      'write_action',
    ])
    const read = await agent.use('write_action', { app, action: 'list_listings', input: {} })
    expect([read.isError, read.body['error'], read.body['use']]).toEqual([true, 'method_not_allowed', 'read_action'])
    await agent.close()
  })

  it('are never kept by a cache, and name the request', async () => {
    for (const answer of [await send(mcpUrl, await newKey(), { method: 'tools/list' }), await post(mcpUrl, '{}')]) {
      expect(answer.headers.get('Cache-Control')).toBe('no-store')
      expect(answer.headers.get('X-Request-Id')).toMatch(/^req_/)
    }
  })

  it('that only listen do not hold up the end of the process', async () => {
    const gateway = await startGateway()
    const { key } = await gateway.newKey()
    const params = { notifications: { toolsListChanged: true }, _meta: envelope() }
    const api = await startApi(gateway.ctx, { host: '127.0.0.1', port: 0, adminPort: 0 })
    const stream = await fetch(`${api.url}/mcp`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'MCP-Protocol-Version': '2026-07-28',
        'Mcp-Method': 'subscriptions/listen',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params }),
    })
    expect(stream.headers.get('Content-Type')).toBe('text/event-stream')
    const read = stream.text()
    await api.close()
    expect(await read).toContain('acknowledged')
    await gateway.stop()
  })
})
