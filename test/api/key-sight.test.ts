import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ulid } from 'ulid'
import { accept } from '../../core/calls/accept.ts'
import { settle } from '../../core/calls/rows.ts'
import { createKey } from '../../core/keys/rows.ts'
import { makeKey, rotateKey } from '../../core/keys/keys.ts'
import { grantApp, setKeyApps, setKeyEndpoints, setKeySight } from '../../core/keys/limits.ts'
import type { NewKey } from '../../core/keys/keys.ts'
import { followsTasks, opensUrls } from '../mcp/asking.ts'
import { send } from '../mcp/raw.ts'
import type { Message } from '../mcp/raw.ts'
import { ask, startGateway } from './http/gateway.ts'
import type { Gateway } from './http/gateway.ts'
import { app, newOwner } from './http/owners.ts'
import type { Owner } from './http/owners.ts'

interface Key {
  readonly owner: string
  readonly id: string
  readonly key: string
}

interface Call {
  readonly id: string
  readonly listing: string
}

type Name = 'agent' | 'sibling' | 'first' | 'second' | 'third' | 'marked' | 'stranger'

let gateway: Gateway
let owner: Owner
let keys: Readonly<Record<Name, Key>>
beforeAll(async () => {
  gateway = await startGateway()
  const { ctx } = gateway
  owner = await newOwner(gateway)
  const other = await newOwner(gateway)
  const made = (key: NewKey | string | undefined): Key => {
    if (typeof key !== 'object') throw new Error(`no key: ${key}`)
    return { owner: owner.id, id: key.id, key: key.key }
  }
  const fresh = async (name: string, seesAll = false) =>
    made(await makeKey(ctx, { owner: owner.id, name, apps: null, seesAll, days: null }))
  const after = async (key: Key) => made(await rotateKey(ctx, owner.id, key.id, 24))
  const first = await fresh('first')
  const second = await after(first)
  keys = {
    agent: await fresh('agent'),
    sibling: await fresh('sibling'),
    first,
    second,
    third: await after(second),
    marked: await fresh('marked', true),
    stranger: { owner: other.id, id: other.keyId, key: other.key },
  }
})
afterAll(() => gateway.stop())

let listings = 0

/** A write that waits for its approval, as the API accepts it; no engine takes it. */
async function waiting({ owner: of, id: keyId }: Key): Promise<Call> {
  const endpoint = gateway.ctx.apps.get(app)?.endpoints.get('reactivate_listing')
  if (endpoint === undefined) throw new Error('no such endpoint')
  const listing = `l${listings++}`
  const input = { listing_id: listing }
  const request = { owner: of, keyId, endpoint, input, account: undefined, idempotencyKey: undefined }
  return { id: (await accept(gateway.ctx, request)).callId, listing }
}

interface Told {
  readonly seen: boolean
  /** All that a refusal said, without its ids. */
  readonly said: string
}

const withoutIds = (said: unknown): string => JSON.stringify(said).replaceAll(/(call|req)_[0-9A-Z]{26}/g, 'ID')

const overHttp =
  (method: string) =>
  async ({ key }: Key, call: Call): Promise<Told> => {
    const { status, body, headers } = await ask(`${gateway.url}/calls/${call.id}`, { method, key })
    const names = [...headers.keys()].sort()
    return { seen: status === 200, said: status === 200 ? '' : withoutIds([status, names, body]) }
  }

const overMcp =
  (message: (call: Call) => Message) =>
  async ({ key }: Key, call: Call): Promise<Told> => {
    const { result, error } = await send(`${gateway.publicUrl}/mcp`, key, message(call))
    const seen = error.code === undefined && result['isError'] !== true
    return { seen, said: seen ? '' : withoutIds([result, error]) }
  }

const tool = (name: string) =>
  overMcp(({ id }) => ({
    method: 'tools/call',
    params: { name, arguments: { call_id: id, ...(name === 'get_call' && { wait: 0 }) } },
  }))
const task = (method: string) =>
  overMcp(({ id }) => ({ method, params: { taskId: id, inputResponses: {} }, capabilities: followsTasks }))

/** Every way to name a call. */
const ways: Readonly<Record<string, (asker: Key, call: Call) => Promise<Told>>> = {
  'GET /calls/{id}': overHttp('GET'),
  'DELETE /calls/{id}': overHttp('DELETE'),
  get_call: tool('get_call'),
  cancel_call: tool('cancel_call'),
  'tasks/get': task('tasks/get'),
  'tasks/update': task('tasks/update'),
  'tasks/cancel': task('tasks/cancel'),
  'a requestState': overMcp(({ id, listing }) => ({
    method: 'tools/call',
    params: {
      name: 'write_action',
      arguments: { app, action: 'reactivate_listing', input: { listing_id: listing }, wait: 0 },
      requestState: id,
      inputResponses: { approval: { action: 'accept' } },
    },
    capabilities: opensUrls,
  })),
}

/** Every list that calls are in. */
const lists: Readonly<Record<string, (asker: Key) => Promise<string>>> = {
  'GET /calls': async ({ key }) => JSON.stringify((await ask(`${gateway.url}/calls?limit=100`, { key })).body),
  'GET /usage': async ({ key }) => JSON.stringify((await ask(`${gateway.url}/usage?limit=100`, { key })).body),
  'GET /usage as CSV': async ({ key }) =>
    (await fetch(`${gateway.url}/usage?format=csv`, { headers: { 'X-API-Key': key } })).text(),
  list_calls: async ({ key }) => {
    const params = { name: 'list_calls', arguments: { limit: 100 } }
    return JSON.stringify((await send(`${gateway.publicUrl}/mcp`, key, { method: 'tools/call', params })).result)
  },
}

type Case = readonly [what: string, asker: Name, maker: Name, seen: boolean, losesTheApp: boolean]

const cases: readonly Case[] = [
  ['sees a call of its own', 'agent', 'agent', true, false],
  ['does not see a call of its owner’s other key', 'agent', 'sibling', false, false],
  ['does not see its own call of an app that it may not use any more', 'agent', 'agent', false, true],
  ['sees a call of the key that it replaced', 'second', 'first', true, false],
  ['sees a call of the key before the one that it replaced', 'third', 'first', true, false],
  ['does not see a call of the key that replaced it', 'first', 'second', false, false],
  ['does not see a call of the key that replaced its successor', 'first', 'third', false, false],
  ['sees a call of its predecessor in its own apps only', 'second', 'first', false, true],
  ['sees a call of another key when it is marked', 'marked', 'sibling', true, false],
  ['sees a call of an app that it may use only, though it is marked', 'marked', 'sibling', false, true],
  ['does not see a call of a marked key', 'agent', 'marked', false, false],
  ['does not see a call of another owner', 'agent', 'stranger', false, false],
  ['does not see a call of another owner, though it is marked', 'marked', 'stranger', false, false],
]

describe.each(cases)('a key %s', (_, askerName, makerName, seen, losesTheApp) => {
  const withoutTheApp = async (asker: Key, work: () => Promise<void>): Promise<void> => {
    if (losesTheApp) await setKeyApps(gateway.ctx, asker.owner, asker.id, ['crm'])
    try {
      await work()
    } finally {
      await setKeyApps(gateway.ctx, asker.owner, asker.id, null)
    }
  }

  it.each(Object.entries(ways))('by %s', async (name, way) => {
    const [asker, call] = [keys[askerName], await waiting(keys[makerName])]
    await withoutTheApp(asker, async () => {
      const told = await way(asker, call)
      expect(told.seen).toBe(seen)
      if (!seen) {
        const madeUp = await way(asker, { ...call, id: `call_${ulid()}` })
        expect(madeUp.seen).toBe(false)
        expect(told.said).toBe(madeUp.said)
      }
    })
    const { rows } = await gateway.ctx.db.query('SELECT status FROM calls WHERE id = $1', [call.id])
    const cancels = seen && /DELETE|cancel/.test(name)
    expect(rows).toEqual([{ status: cancels ? 'cancelled' : 'awaiting_confirmation' }])
  })

  it.each(Object.entries(lists))('in %s', async (__, list) => {
    const [asker, call] = [keys[askerName], await waiting(keys[makerName])]
    await withoutTheApp(asker, async () => {
      expect((await list(asker)).includes(call.id)).toBe(seen)
    })
  })
})

describe('what a key sees', () => {
  it('ends with its access, also in the middle of a wait', async () => {
    const { agent } = keys
    const { id } = await waiting(agent)
    const answer = ask(`${gateway.url}/calls/${id}?wait=2`, { key: agent.key })
    await new Promise((resolve) => setTimeout(resolve, 500))
    await setKeyApps(gateway.ctx, agent.owner, agent.id, [])
    try {
      const { status, body } = await answer
      expect([status, body['error']]).toEqual([404, 'unknown_call'])
    } finally {
      await setKeyApps(gateway.ctx, agent.owner, agent.id, null)
    }
  })

  it('is what the mark says now', async () => {
    const { agent, sibling } = keys
    const { id } = await waiting(sibling)
    const status = async () => (await ask(`${gateway.url}/calls/${id}`, { key: agent.key })).status
    await setKeySight(gateway.ctx, agent.owner, agent.id, true)
    expect(await status()).toBe(200)
    await setKeySight(gateway.ctx, agent.owner, agent.id, false)
    expect(await status()).toBe(404)
  })

  it('is, of what others asked for, no more than the actions that it may call itself', async () => {
    const { marked, agent } = keys
    const [own, others] = [await waiting(marked), await waiting(agent)]
    const seen = async () => {
      const lines = await Promise.all(Object.values(lists).map((list) => list(marked)))
      const ofCalls = await Promise.all([own, others].map(async (call) => ways['get_call']?.(marked, call)))
      return [own, others].map(({ id }, n) => [ofCalls[n]?.seen, ...lines.map((line) => line.includes(id))])
    }
    const all = [true, true, true, true, true]
    expect(await seen()).toEqual([all, all])
    try {
      await setKeyEndpoints(gateway.ctx, marked.owner, marked.id, { [app]: ['list_contacts'] })
      expect(await seen()).toEqual([all, [false, false, false, false, false]])
      await setKeyEndpoints(gateway.ctx, marked.owner, marked.id, { crm: [], [app]: ['reactivate_listing'] })
      expect(await seen()).toEqual([all, all])
    } finally {
      await setKeyEndpoints(gateway.ctx, marked.owner, marked.id, null)
    }
  })

  it('comes page by page, over all keys of its line, newest first', async () => {
    const { first, second, third } = keys
    const makers = [third, first, second, first, third]
    const made: string[] = []
    for (const maker of makers) made.unshift((await waiting(maker)).id)
    const pageOf = async (key: Key, query: string) => {
      const { body } = await ask(`${gateway.url}/calls?${query}`, { key: key.key })
      return { ids: (body['calls'] as { call_id: string }[]).map(({ call_id }) => call_id), next: body['next_cursor'] }
    }
    const one = await pageOf(third, 'limit=2')
    const two = await pageOf(third, `limit=3&cursor=${String(one.next)}`)
    expect([...one.ids, ...two.ids]).toEqual(made)
    // A cursor opens nothing, it only says where to go on: of those below it, the eldest key made two.
    const eldest = await pageOf(first, `limit=2&cursor=${String(one.next)}`)
    expect(eldest.ids).toEqual([made[3], (await pageOf(first, 'limit=100')).ids[2]])
  })

  it('of the credits is what is left, and its own part of where they went', async () => {
    const { ctx, url } = gateway
    const one = await newOwner(gateway)
    const main = { owner: one.id, id: one.keyId, key: one.key }
    const other = { owner: one.id, ...(await createKey(ctx, { owner: one.id, name: 'other', apps: null })) }
    const all = { owner: one.id, ...(await createKey(ctx, { owner: one.id, name: 'all', apps: null, seesAll: true })) }
    const executed = await waiting(main)
    await ctx.db.query(`UPDATE calls SET status = 'running' WHERE id = $1`, [executed.id])
    await settle(ctx.db, executed.id, 0, { status: 'executed' })
    await waiting(main)
    await waiting(other)
    const usage = async ({ key }: Key) => {
      const { body } = await ask(`${url}/usage`, { key })
      const kinds = (body['entries'] as { kind: string }[]).map(({ kind }) => kind)
      return [body['credits_left'], body['credits_reserved'], body['totals'], kinds]
    }
    const owners = { granted: 1000, refunded: 0, lapsed: 0, left: 991 }
    expect(await usage(main)).toEqual([
      991,
      3,
      { ...owners, used: 3, reserved: 3 },
      ['reserve', 'capture', 'reserve', 'grant'],
    ])
    expect(await usage(other)).toEqual([991, 3, { ...owners, used: 0, reserved: 3 }, ['reserve', 'grant']])
    expect(await usage(all)).toEqual([
      991,
      6,
      { ...owners, used: 3, reserved: 6 },
      ['reserve', 'reserve', 'capture', 'reserve', 'grant'],
    ])
    await setKeyApps(ctx, one.id, main.id, ['crm'])
    expect(await usage(main)).toEqual([991, 0, { ...owners, used: 0, reserved: 0 }, ['grant']])
  })

  it('of the accounts are those of its apps, and when it used them last itself', async () => {
    const { agent, sibling, first, third, marked } = keys
    const sent = await waiting(sibling)
    await gateway.ctx.db.query(`UPDATE calls SET send = 'sending', updated_at = '2026-01-02T00:00:00Z' WHERE id = $1`, [
      sent.id,
    ])
    const earlier = await waiting(first)
    await gateway.ctx.db.query(`UPDATE calls SET send = 'sending', updated_at = '2026-01-01T00:00:00Z' WHERE id = $1`, [
      earlier.id,
    ])
    const used = async ({ key }: Key) => {
      const { body } = await ask(`${gateway.url}/connections`, { key })
      return (body['connections'] as { last_used_at: string | null }[]).map((account) => account.last_used_at)
    }
    const connect = async ({ key }: Key) => {
      const params = { name: 'connect_app', arguments: { app, account: owner.account } }
      const { result } = await send(`${gateway.publicUrl}/mcp`, key, { method: 'tools/call', params })
      return (result['structuredContent'] as Record<string, unknown>)['error']
    }
    const day = (n: number) => `2026-01-0${n}T00:00:00.000Z`
    expect([await used(agent), await used(sibling), await used(third), await used(marked)]).toEqual([
      [null],
      [day(2)],
      [day(1)],
      [day(2)],
    ])
    expect(await connect(agent)).toBeUndefined()
    await setKeyApps(gateway.ctx, agent.owner, agent.id, ['crm'])
    expect(await used(agent)).toEqual([])
    expect(await connect(agent)).toBe('unknown_account')
    await setKeyApps(gateway.ctx, agent.owner, agent.id, null)
  })
})

it('a key that has expired or was revoked is changed no more', async () => {
  const { ctx } = gateway
  for (const end of ['expires_at', 'revoked_at']) {
    const made = await makeKey(ctx, { owner: owner.id, name: end, apps: ['crm'], seesAll: false, days: 1 })
    if (typeof made !== 'object') throw new Error(`no key: ${made}`)
    expect(await setKeySight(ctx, owner.id, made.id, true)).toBe(true)
    await ctx.db.query(`UPDATE api_keys SET ${end} = clock_timestamp() WHERE id = $1`, [made.id])
    expect(await setKeyApps(ctx, owner.id, made.id, null)).toBe(false)
    await grantApp(ctx, owner.id, made.id, app)
    const { rows } = await ctx.db.query('SELECT apps FROM api_keys WHERE id = $1', [made.id])
    expect(rows).toEqual([{ apps: ['crm'] }])
  }
})
