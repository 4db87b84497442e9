import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setAppPaused } from '../../core/operators/pauses.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { firstContact } from '../support/contacts.ts'
import type { TestUser } from '../support/user.ts'
import { Agent } from './agent.ts'
import type { AgentOptions } from './agent.ts'
import { app, hasForms, opensUrls, replyOf } from './asking.ts'
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

describe('a client that opens addresses', () => {
  async function connect(
    user: TestUser,
    action: 'accept' | 'decline',
    options: AgentOptions,
    opened: (url: string) => void,
  ) {
    const agent = await Agent.connect(stack.publicUrl, user.key, { capabilities: opensUrls, ...options })
    agent.client.setRequestHandler('elicitation/create', async ({ params }) => {
      if (params.mode !== 'url') throw new Error('no form was expected')
      opened(params.url)
      if (action === 'accept') void user.approve(params.url.split('/').at(-1))
      return { action }
    })
    return agent
  }

  const approveThere = (user: TestUser, text: string) => user.approve(/confirm\/(call_\w{26})/.exec(text)?.[1])

  it.each([
    ['2026', { url: {} }],
    ['2025', { url: {} }],
    ['2026', {}],
    ['2025', { form: {} }],
  ] as const)(
    'of %s that declares %j is told which action waits, and led to its page, where alone it is decided',
    async (era, elicitation) => {
      const user = await stack.user()
      const agent = await Agent.connect(stack.publicUrl, user.key, { era, capabilities: { elicitation } })
      const asked: Record<string, unknown>[] = []
      let decided: Promise<unknown> | undefined
      agent.client.setRequestHandler('elicitation/create', async ({ params }) => {
        asked.push(params)
        decided = approveThere(user, JSON.stringify(params))
        return Promise.resolve({ action: 'accept' as const })
      })
      const told = await agent.use('write_action', await replyOf(user))
      expect(told).toMatchObject({ isError: false, body: { message_id: expect.any(String) as string } })
      const page = `${stack.publicUrl}/confirm/${String(told.meta['callgate/call_id'])}`
      expect(asked).toEqual([
        expect.objectContaining({
          message: expect.stringMatching(
            /Send a message to a contact\. \(Send a chat message .*\) Nothing has been sent yet/,
          ) as string,
          ...('url' in elicitation
            ? { mode: 'url', url: page }
            : {
                message: expect.stringContaining(`The page: ${page} This form decides nothing`) as string,
                requestedSchema: { type: 'object', properties: {} },
              }),
        }),
      ])
      await decided
      await agent.close()
    },
  )

  it.each([
    [opensUrls, 'decline', 'declined'],
    [opensUrls, 'cancel', 'dismissed'],
    [hasForms, 'decline', 'declined'],
  ])('%j hears that the person answered "%s", and that the call waits on', async (capabilities, action, page) => {
    const user = await stack.user()
    const params = { name: 'write_action', arguments: await replyOf(user) }
    const write = (more: object = {}): Promise<Wire> =>
      send(mcpUrl, user.key, { method: 'tools/call', params: { ...params, ...more }, capabilities })
    const { requestState } = (await write()).result
    const { result } = await write({ requestState, inputResponses: { approval: { action } } })
    expect(result['structuredContent']).toMatchObject({
      status: 'awaiting_confirmation',
      call_id: requestState,
      page,
      message: expect.stringMatching(/^The person (declined|closed).*cancel_call/) as string,
    })
    expect(await user.record(requestState)).toMatchObject({ status: 'awaiting_confirmation' })
    expect(await effects(user)).toEqual([])
  })

  it('gets the page and the output in the 2025 era, too, without sending the write again', async () => {
    const user = await stack.user()
    const urls: string[] = []
    const agent = await connect(user, 'accept', { era: '2025' }, (url) => urls.push(url))
    const told = await agent.use('write_action', await replyOf(user))
    expect(told).toMatchObject({ isError: false, body: { message_id: expect.any(String) as string } })
    expect(urls).toEqual([`${stack.publicUrl}/confirm/${String(told.meta['callgate/call_id'])}`])
    expect(await effects(user)).toHaveLength(1)
    await agent.close()
    const idle = await connect(user, 'decline', { era: '2025' }, (url) => urls.push(url))
    const waiting = await idle.use('write_action', { ...(await replyOf(user, 'Once more')), wait: 1 })
    expect(waiting).toMatchObject({ isError: false, body: { status: 'awaiting_confirmation' } })
    expect(urls).toHaveLength(2)
    await idle.close()
  })

  it('cannot come back for another call, or with other content', async () => {
    const [user, stranger] = [await stack.user(), await stack.user()]
    const args = await replyOf(user)
    const call = (who: TestUser, given: object, more: object = {}) =>
      send(mcpUrl, who.key, {
        method: 'tools/call',
        params: { name: 'write_action', arguments: { ...given, wait: 0 }, ...more },
        capabilities: opensUrls,
      })
    const { result } = await call(user, args)
    expect(result).toMatchObject({
      resultType: 'input_required',
      requestState: expect.stringMatching(/^call_/) as string,
    })
    const more = { requestState: result['requestState'], inputResponses: { approval: { action: 'accept' } } }
    const other = { ...args, input: { ...(args['input'] as object), message: 'Something else' } }
    expect((await call(user, other, more)).error.code).toBe(-32_602)
    expect((await call(stranger, args, more)).error.code).toBe(-32_602)
    expect((await call(user, args, { ...more, requestState: 'made up' })).error.code).toBe(-32_602)
    expect((await call(user, args, more)).result).toMatchObject({
      structuredContent: { status: 'awaiting_confirmation' },
    })
    expect((await user.send('GET', `/calls?status=awaiting_confirmation`)).body['calls']).toHaveLength(1)
    expect(await effects(user)).toEqual([])
  })
})

it('a call that outlasts the wait is running, and get_call has its end', async () => {
  const user = await stack.user()
  await stack.sandbox.fault('slow', { ms: 2_000, path: '/' })
  const agent = await Agent.connect(stack.publicUrl, user.key)
  const told = await agent.use('read_action', { app, action: 'list_listings', wait: 0 })
  expect(told).toMatchObject({ isError: false, body: { status: 'running' } })
  expect(told.body['message']).toContain('get_call')
  const end = await agent.use('get_call', { call_id: told.body['call_id'], wait: 20 })
  expect(end.body).toMatchObject({ status: 'executed' })
  await agent.close()
})

/** Every way to wait for the end of a call, over both APIs, each of a call that stands still. */
describe('whoever waits', () => {
  interface Waited {
    readonly way: string
    readonly status: unknown
    /** In seconds. */
    readonly after: number
  }

  async function waitEachWay(wait: number, meanwhile?: (user: TestUser) => Promise<unknown>) {
    const user = await stack.user()
    const contact_id = await firstContact(user)
    const [agent, agentOfApp] = await Promise.all(
      ['/mcp', `/mcp/${app}`].map((path) => Agent.connect(stack.publicUrl, user.key, { path })),
    )
    await setAppPaused(stack.ctx, app, true, 'operator')
    try {
      const { body } = await user.call('list_listings', { limit: 1 }, { Prefer: 'wait=0' })
      const call_id = body['call_id']
      const list = { app, action: 'list_listings', input: { limit: 1 }, wait }
      const write = { app, action: 'add_contact_note', input: { contact_id, note: 'One' }, wait }
      const ways = {
        'Prefer: wait=': () => user.call('list_listings', { limit: 1 }, { Prefer: `wait=${wait}` }),
        '?wait=': () => user.send('GET', `/calls/${String(call_id)}?wait=${wait}`),
        get_call: () => agent!.use('get_call', { call_id, wait }),
        read_action: () => agent!.use('read_action', list),
        write_action: () => agent!.use('write_action', write),
        'a tool that reads': () => agentOfApp!.use('list_listings', { limit: 1, wait }),
        'a tool that writes': () => agentOfApp!.use('add_contact_note', { contact_id, note: 'Two', wait }),
      }
      const began = performance.now()
      const waited = Object.entries(ways).map(async ([way, ask]): Promise<Waited> => {
        const answer = await ask()
        const { status, error } = answer.body
        return { way, status: status ?? error, after: (performance.now() - began) / 1000 }
      })
      return (await Promise.all([Promise.all(waited), meanwhile?.(user)]))[0]
    } finally {
      await endAll(user)
      await setAppPaused(stack.ctx, app, false, 'operator')
      await Promise.all([agent?.close(), agentOfApp?.close()])
    }
  }

  async function endAll(user: TestUser): Promise<number> {
    const { calls } = (await user.send('GET', '/calls?status=running')).body as { calls: { call_id: string }[] }
    await Promise.all(calls.map(({ call_id }) => user.cancel(call_id)))
    return calls.length
  }

  it('for three seconds is told after three seconds that the call is running', async () => {
    for (const { way, status, after } of await waitEachWay(3)) {
      expect([way, status]).toEqual([way, 'running'])
      expect(after, way).toBeGreaterThan(2.5)
      expect(after, way).toBeLessThan(15)
    }
  })

  it('for longer is told of the end when it comes, and nothing before', async () => {
    const waited = await waitEachWay(45, async (user) => {
      await new Promise((resolve) => setTimeout(resolve, 2_500))
      await expect.poll(() => endAll(user)).toBe(0)
    })
    for (const { way, status, after } of waited) {
      expect([way, status]).toEqual([way, 'cancelled'])
      expect(after, way).toBeGreaterThan(2)
      expect(after, way).toBeLessThan(25)
    }
  })

  it('not at all is told at once', async () => {
    for (const { way, status, after } of await waitEachWay(0)) {
      expect([way, status]).toEqual([way, 'running'])
      expect(after, way).toBeLessThan(10)
    }
  })
})
