import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { accept } from '../../../core/calls/accept.ts'
import { connect } from '../../../core/accounts/sessions.ts'
import { createKey } from '../../../core/keys/rows.ts'
import { createUser } from '../../../core/users/rows.ts'
import { startApi } from '../../../server/server.ts'
import { ask, startGateway } from './gateway.ts'
import type { Gateway } from './gateway.ts'
import { idForm } from '../../../schemas/ids.ts'

const app = 'property-advertising'
const callId = new RegExp(idForm('call'))
let gateway: Gateway
let owner: string
let key: { readonly id: string; readonly key: string }
let users = 0

beforeAll(async () => {
  gateway = await startGateway()
})
beforeEach(async () => {
  const { ctx } = gateway
  ctx.engine.up = false
  owner = await createUser(ctx, { email: `user-${users++}@example.com`, password: 'a long password', plan: 'small' })
  key = await createKey(ctx, { owner, name: 'test', apps: null })
  const session = { cookies: [], user_agent: null }
  await connect(ctx, { owner, app, externalId: 'a1', label: 'Agency', session })
})
afterAll(() => gateway.stop())

/** Accepts a call as the API does, while no engine takes it. */
async function accepted(name: string, input: Record<string, unknown>, idempotencyKey?: string): Promise<string> {
  const endpoint = gateway.ctx.apps.get(app)?.endpoints.get(name)
  if (endpoint === undefined) throw new Error(`no endpoint ${name}`)
  const { ctx } = gateway
  return (await accept(ctx, { owner, keyId: key.id, endpoint, input, account: undefined, idempotencyKey })).callId
}

const read = () => accepted('get_listing', { listing_id: 'l1' })
const gated = (idempotencyKey?: string) => accepted('reactivate_listing', { listing_id: 'l1' }, idempotencyKey)

describe('the call records', () => {
  it('come newest first, page by page, each once', async () => {
    const ids: string[] = []
    for (let i = 0; i < 7; i++) ids.unshift(await read())
    const seen: unknown[] = []
    let cursor = ''
    for (let page = 0; page < 3; page++) {
      const { body } = await ask(`${gateway.url}/calls?limit=3${cursor}`, { key: key.key })
      seen.push(...(body['calls'] as { call_id: string }[]).map(({ call_id }) => call_id))
      expect(body['next_cursor'] === null).toBe(page === 2)
      cursor = `&cursor=${String(body['next_cursor'])}`
    }
    expect(seen).toEqual(ids)
  })

  it('take a cursor from its owner only', async () => {
    await read()
    await read()
    const { body } = await ask(`${gateway.url}/calls?limit=1`, { key: key.key })
    const cursor = String(body['next_cursor'])
    // Never an option of a shell's command, whatever the sealed bytes are.
    expect(cursor).toMatch(/^cur_[\w-]+$/)
    const other = await gateway.newKey()
    expect((await ask(`${gateway.url}/calls?cursor=${cursor}`, { key: other.key })).status).toBe(400)
    expect((await ask(`${gateway.url}/calls?cursor=${cursor}`, { key: key.key })).status).toBe(200)
  })

  it('are filtered by status', async () => {
    const waiting = await gated()
    await read()
    const { body } = await ask(`${gateway.url}/calls?status=awaiting_confirmation`, { key: key.key })
    expect(body['calls']).toEqual([expect.objectContaining({ call_id: waiting, status: 'awaiting_confirmation' })])
  })

  it('are nobody else’s: the same 404 as for what does not exist', async () => {
    const id = await gated()
    const other = await gateway.newKey()
    for (const method of ['GET', 'DELETE']) {
      const foreign = await ask(`${gateway.url}/calls/${id}`, { method, key: other.key })
      const madeUp = await ask(`${gateway.url}/calls/call_01ARZ3NDEKTSV4RRFFQ69G5FAV`, { method, key: other.key })
      expect(foreign.status).toBe(404)
      expect({ ...foreign.body, request_id: '' }).toEqual({ ...madeUp.body, request_id: '' })
    }
    expect((await ask(`${gateway.url}/calls/${id}`, { key: key.key })).body['status']).toBe('awaiting_confirmation')
  })

  it('are cancelled once, and the credits come back', async () => {
    const id = await gated()
    const answer = await ask(`${gateway.url}/calls/${id}`, { method: 'DELETE', key: key.key })
    expect([answer.status, answer.body['call_id'], answer.body['status']]).toEqual([200, id, 'cancelled'])
    expect(answer.headers.get('Link')).toContain(`/docs/${app}>`)
    const again = await ask(`${gateway.url}/calls/${id}`, { method: 'DELETE', key: key.key })
    expect([again.status, again.body['error']]).toEqual([409, 'not_cancellable'])
    const { rows } = await gateway.ctx.db.query('SELECT available, reserved FROM balances WHERE owner = $1', [owner])
    expect(rows).toEqual([{ available: 1000, reserved: 0 }])
    const decided = await gateway.ctx.db.query('SELECT decision, decided_by FROM calls WHERE id = $1', [id])
    expect(decided.rows).toEqual([{ decision: 'cancelled', decided_by: key.id }])
  })

  it('are waited for as long as the client says', async () => {
    const id = await read()
    const began = performance.now()
    const { body } = await ask(`${gateway.url}/calls/${id}?wait=1`, { key: key.key })
    expect(body['status']).toBe('running')
    expect(performance.now() - began).toBeGreaterThan(900)
  })
})

describe('an accepted call', () => {
  it('is answered with 202 when the engine is lost after its acceptance', async () => {
    gateway.ctx.engine.up = true
    const init = { json: { listing_id: 'l1' }, key: key.key, headers: { Prefer: 'wait=1' } }
    const { status, headers, body } = await ask(`${gateway.url}/${app}/get_listing`, init)
    expect([status, body['status']]).toEqual([202, 'running'])
    expect(body['call_id']).toMatch(callId)
    expect(headers.get('X-Request-Id')).toBe(body['call_id'])
    expect(headers.get('X-Credits-Used')).toBe('0')
    expect(headers.get('Location')).toBe(`${gateway.url}/calls/${String(body['call_id'])}`)
    expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0)
    expect(headers.get('Idempotent-Replayed')).toBeNull()
  })

  it('is found again by its Idempotency-Key while the engine is away, but no new one is accepted', async () => {
    const id = await gated('k1')
    const url = `${gateway.url}/${app}/reactivate_listing`
    const replay = await ask(url, { json: { listing_id: 'l1' }, key: key.key, headers: { 'Idempotency-Key': 'k1' } })
    expect([replay.status, replay.body['status'], replay.body['call_id']]).toEqual([202, 'awaiting_confirmation', id])
    expect(replay.body['confirm_url']).toBe(`${gateway.publicUrl}/confirm/${id}`)
    expect(replay.body['message']).toContain('Nothing has been sent yet')
    expect(Date.parse(String(replay.body['expires_at']))).toBeGreaterThan(Date.now() + 71 * 3_600_000)
    expect(replay.headers.get('Idempotent-Replayed')).toBe('true')
    const reused = await ask(url, { json: { listing_id: 'l2' }, key: key.key, headers: { 'Idempotency-Key': 'k1' } })
    expect([reused.status, reused.body['error']]).toEqual([422, 'idempotency_key_reused'])
    const fresh = await ask(url, { json: { listing_id: 'l1' }, key: key.key, headers: { 'Idempotency-Key': 'k2' } })
    expect([fresh.status, fresh.body['error']]).toEqual([503, 'unavailable'])
  })
})

it('a client that waits gets its answer at once when the API shuts down', async () => {
  const api = await startApi(gateway.ctx, { host: '127.0.0.1', port: 0, adminPort: 0 })
  const id = await read()
  const waiting = ask(`${api.url}/api/v1/calls/${id}?wait=30`, { key: key.key })
  const metrics = async () => (await fetch(`${api.adminUrl}/metrics`)).text()
  await expect.poll(metrics).toContain('callgate_waiting_clients 1')
  await api.close()
  const { status, headers, body } = await waiting
  expect([status, body['status'], headers.get('Connection')]).toEqual([200, 'running', 'close'])
})
