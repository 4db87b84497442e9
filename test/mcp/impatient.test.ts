import { once } from 'node:events'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Deliveries } from '../../api/mcp/delivery.ts'
import { createKey } from '../../core/keys/rows.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { firstContact } from '../support/contacts.ts'
import type { TestUser } from '../support/user.ts'
import { Agent } from './agent.ts'
import type { Told } from './agent.ts'
import { app } from './asking.ts'
import { envelope } from './raw.ts'

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
})
afterAll(() => stack.stop())

const slow = 1_000
const patience = 300

const effects = (user: TestUser) => stack.sandbox.effects(user.account.seeded.account)
const slowly = () => stack.sandbox.fault('slow', { ms: slow, path: '/api/threads' })
const callId = (told: Told) => told.meta['callgate/call_id']
const replayed = (told: Told) => told.meta['callgate/idempotent_replayed'] === true

async function note(user: TestUser): Promise<Record<string, unknown>> {
  return { app, action: 'add_contact_note', input: { contact_id: await firstContact(user), note: 'Likes the garden' } }
}

async function ended(user: TestUser): Promise<void> {
  const running = async () => ((await user.send('GET', '/calls?status=running')).body['calls'] as unknown[]).length > 0
  while (await running()) await sleep(50)
}

const withAgent = (era: '2025' | '2026') => async (user: TestUser, args: Record<string, unknown>) => {
  const agent = await Agent.connect(stack.publicUrl, user.key, { era })
  const asked = agent.client.callTool({ name: 'write_action', arguments: args }, { timeout: patience })
  await expect(asked).rejects.toThrow(/timed? ?out/i)
  return agent
}

/** Ways in which a client that waits for less time than the app takes gives up. */
const impatient: Readonly<Record<string, (user: TestUser, args: Record<string, unknown>) => Promise<Agent>>> = {
  'says so in another request (the official client of 2025)': withAgent('2025'),
  'closes the stream (the official client of 2026)': withAgent('2026'),
  'drops its connection': async (user, args) => {
    const params = { name: 'write_action', arguments: args, _meta: envelope() }
    const asked = fetch(`${stack.publicUrl}/mcp`, {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      headers: {
        Authorization: `Bearer ${user.key}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'MCP-Protocol-Version': '2026-07-28',
        'Mcp-Method': 'tools/call',
        'Mcp-Name': 'write_action',
      },
      signal: AbortSignal.timeout(patience),
    })
    await expect(asked).rejects.toThrow(/timeout/)
    return Agent.connect(stack.publicUrl, user.key)
  },
}

describe.each(Object.entries(impatient))('a client that %s', (_, giveUp) => {
  it('and repeats its write while it runs has made one', async () => {
    const user = await stack.user()
    const args = await note(user)
    await slowly()
    const agent = await giveUp(user, args)
    const again = await agent.use('write_action', args)
    expect(again).toMatchObject({ isError: false, body: { note: 'Likes the garden' } })
    expect(replayed(again)).toBe(true)
    expect(await effects(user)).toHaveLength(1)
    await agent.close()
  })

  it('and repeats its write when it is done, with an answer that reached nobody, has made one, and then may make a second', async () => {
    const user = await stack.user()
    const args = await note(user)
    await slowly()
    const agent = await giveUp(user, args)
    await ended(user)
    const again = await agent.use('write_action', args)
    expect(again).toMatchObject({ isError: false, body: { note: 'Likes the garden' } })
    expect(replayed(again)).toBe(true)
    expect(await effects(user)).toHaveLength(1)
    const second = await agent.use('write_action', args)
    expect(replayed(second)).toBe(false)
    expect(callId(second)).not.toBe(callId(again))
    expect(await effects(user)).toHaveLength(2)
    await agent.close()
  })
})

const giveUp = withAgent('2026')

it.each([
  ['its answer arrived', async () => {}, {}],
  ['it is ten minutes ago', (user: TestUser) => age(user), {}],
  ['another idempotency_key comes with it', async () => {}, { idempotency_key: 'the second' }],
] as const)('an equal write is a second one where %s', async (what, meanwhile, more) => {
  const user = await stack.user()
  const args = await note(user)
  await slowly()
  const patient = what === 'its answer arrived'
  const agent = patient ? await Agent.connect(stack.publicUrl, user.key) : await giveUp(user, args)
  if (patient) await agent.use('write_action', args)
  if (!('idempotency_key' in more)) await ended(user)
  await meanwhile(user)
  const second = await agent.use('write_action', { ...args, ...more })
  expect(replayed(second)).toBe(false)
  await ended(user)
  expect(await effects(user)).toHaveLength(2)
  await agent.close()
})

describe('an answer', () => {
  /** A call whose answer is due, and the response that is to bring it. */
  async function due() {
    const user = await stack.user()
    const args = await note(user)
    await slowly()
    const agent = await giveUp(user, args)
    await ended(user)
    const { rows } = await stack.ctx.db.query<{ call_id: string }>('SELECT call_id FROM answers_due WHERE owner = $1', [
      user.id,
    ])
    const left = async () =>
      (await stack.ctx.db.query('SELECT FROM answers_due WHERE owner = $1', [user.id])).rowCount ?? 0
    const response = new ServerResponse(new IncomingMessage(new Socket()))
    return { user, args, agent, left, response, id: rows[0]?.call_id ?? '' }
  }
  const closed = (response: ServerResponse) => {
    const over = once(response, 'close')
    response.destroy()
    return over
  }

  it('that did not leave whole is due again, and the write that is repeated then the same call', async () => {
    const { user, args, agent, left, response, id } = await due()
    const delivery = new Deliveries(stack.ctx).begin(user.keyId, { id: 1 }, response)
    await delivery.give(id)
    expect(await left()).toBe(0)
    await closed(response)
    await expect.poll(left).toBe(1)
    const again = await agent.use('write_action', args)
    expect([callId(again), replayed(again)]).toEqual([id, true])
    await agent.close()
  })

  it('to a client that was gone before its message was read was never given', async () => {
    const { user, agent, left, response, id } = await due()
    await closed(response)
    await new Deliveries(stack.ctx).begin(user.keyId, { id: 1 }, response).give(id)
    expect(await left()).toBe(1)
    await agent.close()
  })
})

async function age(user: TestUser): Promise<void> {
  await stack.ctx.db.query(`UPDATE calls SET updated_at = updated_at - interval '10 minutes' WHERE owner = $1`, [
    user.id,
  ])
}

it('an equal write of another key of the same owner, or over HTTP, is a second one', async () => {
  const user = await stack.user()
  const args = await note(user)
  await slowly()
  const agent = await giveUp(user, args)
  const { key } = await createKey(stack.ctx, { owner: user.id, name: 'another', apps: null })
  const other = await Agent.connect(stack.publicUrl, key)
  expect(replayed(await other.use('write_action', args))).toBe(false)
  expect((await user.call('add_contact_note', args['input'] as object)).status).toBe(200)
  await ended(user)
  expect(await effects(user)).toHaveLength(3)
  await Promise.all([agent.close(), other.close()])
})

it('a client that asked for progress hears that its call still runs', async () => {
  const user = await stack.user()
  const args = await note(user)
  await stack.sandbox.fault('slow', { ms: 4_500, path: '/api/threads' })
  const agent = await Agent.connect(stack.publicUrl, user.key)
  const heard: unknown[] = []
  const onprogress = (progress: object) => void heard.push(progress)
  const { isError } = await agent.client.callTool({ name: 'write_action', arguments: args }, { onprogress })
  expect(isError).not.toBe(true)
  // How long it takes is up to the machine.
  const told = heard
    .map((_, at) => 3 * (at + 1))
    .map((progress) => ({ progress, message: `Still under way, for ${progress} s.` }))
  expect(heard.length).toBeGreaterThan(0)
  expect(heard).toEqual(told.map((one) => expect.objectContaining(one) as unknown))
  await agent.close()
})
