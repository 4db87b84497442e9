import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import type { TestUser } from '../support/user.ts'
import { app, followsTasks, opensUrls, replyOf } from './asking.ts'
import { send } from './raw.ts'
import type { Wire } from './raw.ts'

let stack: Stack
let mcpUrl: string
beforeAll(async () => {
  stack = await startStack()
  mcpUrl = `${stack.publicUrl}/mcp`
})
afterAll(() => stack.stop())

const effects = (user: TestUser) => stack.sandbox.effects(user.account.seeded.account)

describe('a client that follows tasks', () => {
  const task = (user: TestUser, method: string, taskId: unknown, more: Partial<Parameters<typeof send>[2]> = {}) =>
    send(mcpUrl, user.key, { method, params: { taskId, inputResponses: {} }, capabilities: followsTasks, ...more })

  const write = (
    user: TestUser,
    args: Record<string, unknown>,
    capabilities: object = followsTasks,
    more: object = {},
  ) =>
    send(mcpUrl, user.key, {
      method: 'tools/call',
      params: { name: 'write_action', arguments: args, ...more },
      capabilities,
    })

  async function ended(user: TestUser, taskId: unknown): Promise<Wire> {
    for (;;) {
      const found = await task(user, 'tasks/get', taskId)
      if (found.result['status'] !== 'working') return found
      await sleep(100)
    }
  }

  it('gets the call as a task, at any process, until the result is there', async () => {
    const user = await stack.user()
    const { result } = await write(user, await replyOf(user))
    expect(result).toMatchObject({ resultType: 'task', status: 'working', ttlMs: null, pollIntervalMs: 10_000 })
    const { taskId } = result
    const page = `${stack.publicUrl}/confirm/${String(taskId)}`
    expect(result['statusMessage']).toMatch(new RegExp(`^Nothing has been sent yet.* confirm_url: ${page}$`))
    expect(await user.record(taskId)).toMatchObject({ status: 'awaiting_confirmation' })
    const elsewhere = (await stack.anotherApi()).replace('/api/v1', '/mcp')
    const there = await send(elsewhere, user.key, {
      method: 'tasks/get',
      params: { taskId },
      capabilities: followsTasks,
    })
    expect(there.result).toMatchObject({
      resultType: 'complete',
      taskId,
      status: 'working',
      createdAt: result['createdAt'],
    })
    // Whatever the client says that the person answered: they decide on the page.
    const update = await task(user, 'tasks/update', taskId)
    expect(update.result).toMatchObject({ resultType: 'complete' })
    expect((await task(user, 'tasks/get', taskId)).result['status']).toBe('working')
    expect(await effects(user)).toEqual([])
    await user.approve(taskId)
    expect((await ended(user, taskId)).result).toMatchObject({
      status: 'completed',
      result: { structuredContent: { message_id: expect.any(String) as string } },
    })
    expect(await effects(user)).toHaveLength(1)
  })

  it('may ask for a task again after its end, and for its cancellation: the same is told, and nothing happens again', async () => {
    const user = await stack.user()
    const args = await replyOf(user)
    const { taskId } = (await write(user, args)).result
    await user.approve(taskId)
    const first = await ended(user, taskId)
    expect(first.result).toMatchObject({
      status: 'completed',
      result: { structuredContent: { message_id: expect.any(String) as string } },
    })
    for (const method of ['tasks/cancel', 'tasks/update'])
      expect((await task(user, method, taskId)).result, method).toMatchObject({ resultType: 'complete' })
    expect((await task(user, 'tasks/get', taskId)).result).toEqual(first.result)
    const asState = await write(user, args, opensUrls, { requestState: taskId, inputResponses: {} })
    expect(asState.result).toMatchObject({ _meta: { 'callgate/call_id': taskId } })
    const other = await write(user, await replyOf(user, 'Another one'), opensUrls, { requestState: taskId })
    expect(other.error.code).toBe(-32_602)
    expect(await effects(user)).toHaveLength(1)
  })

  it('cancels the call with the task', async () => {
    const user = await stack.user()
    const { taskId } = (await write(user, await replyOf(user))).result
    expect((await task(user, 'tasks/cancel', taskId)).result).toMatchObject({ resultType: 'complete' })
    expect((await ended(user, taskId)).result).toMatchObject({ status: 'cancelled' })
    expect(await user.record(taskId)).toMatchObject({ status: 'cancelled' })
    // Once more changes nothing, and is no error: the wish is fulfilled.
    expect((await task(user, 'tasks/cancel', taskId)).error).toEqual({})
  })

  it('finds a refusal of the app within a completed task', async () => {
    const user = await stack.user()
    // Nobody is asked about what the app surely refuses.
    const refused = { app, action: 'reply_to_contact', input: { contact_id: 'nobody', message: 'Hello?' } }
    expect((await write(user, refused)).result).toMatchObject({
      isError: true,
      structuredContent: { error: 'app_rejected' },
    })
    const { contacts } = (await user.call('list_contacts')).body as { contacts: Record<string, string>[] }
    const { listings } = (await user.call('list_listings')).body as { listings: Record<string, string>[] }
    const active = new Set(listings.map(({ listing_id }) => listing_id))
    const { contact_id, listing_id } = contacts.find((one) => active.has(one['listing_id'] ?? '')) ?? {}
    // The app takes no listing that its contact wrote about, and says so when it is sent.
    const args = { app, action: 'send_listings_to_contact', input: { contact_id, listing_ids: [listing_id] } }
    const { taskId } = (await write(user, args)).result
    await user.approve(taskId)
    expect((await ended(user, taskId)).result).toMatchObject({
      status: 'completed',
      result: { isError: true, structuredContent: { error: 'app_rejected', request_id: taskId } },
    })
  })

  it('learns the same of a made-up task and of somebody else’s, again and again', async () => {
    const [user, stranger] = [await stack.user(), await stack.user({ accounts: [] })]
    const { taskId } = (await write(user, await replyOf(user))).result
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel', 'tasks/get']) {
      const foreign = await task(stranger, method, taskId)
      const madeUp = await task(stranger, method, 'call_00000000000000000000000000')
      expect([foreign.status, foreign.error.code]).toEqual([200, -32_602])
      expect(foreign.error).toEqual(madeUp.error)
    }
    expect(await user.record(taskId)).toMatchObject({ status: 'awaiting_confirmation' })
  })

  it('must say so with every message', async () => {
    const user = await stack.user()
    const { taskId } = (await write(user, await replyOf(user))).result
    const silent = await task(user, 'tasks/get', taskId, { capabilities: {} })
    expect(silent.error).toMatchObject({ code: -32_021, data: { requiredCapabilities: followsTasks } })
    const plain = await write(user, await replyOf(user, 'Another one'), {})
    expect(plain.result).toMatchObject({
      structuredContent: { status: 'awaiting_confirmation' },
      resultType: 'complete',
    })
  })

  it('first opens the address if it can do that, too', async () => {
    const user = await stack.user()
    const args = { ...(await replyOf(user)), wait: 0 }
    const both = { ...opensUrls, ...followsTasks }
    const first = await write(user, args, both)
    expect(first.result).toMatchObject({ resultType: 'input_required' })
    const { requestState } = first.result
    const second = await write(user, args, both, { requestState, inputResponses: { approval: { action: 'accept' } } })
    expect(second.result).toMatchObject({ resultType: 'task', taskId: requestState })
  })

  it('gets a short call’s output at once', async () => {
    const user = await stack.user()
    const { result } = await send(mcpUrl, user.key, {
      method: 'tools/call',
      params: { name: 'read_action', arguments: { app, action: 'list_listings', input: { limit: 1 } } },
      capabilities: followsTasks,
    })
    expect(result).toMatchObject({ resultType: 'complete', structuredContent: { listings: [{}] } })
  })
})
