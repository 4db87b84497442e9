import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setKeyEndpoints } from '../../core/keys/limits.ts'
import { makeKey, rotateKey } from '../../core/keys/keys.ts'
import type { NewKey } from '../../core/keys/keys.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { Agent } from '../mcp/agent.ts'
import { firstContact } from '../support/contacts.ts'
import { standingFor } from '../support/standing.ts'

const app = 'property-advertising'
const mine = ['list_contacts', 'add_contact_note']

describe('a key that is limited to some actions of an app', () => {
  let stack: Stack
  beforeAll(async () => {
    stack = await startStack()
  })
  afterAll(() => stack.stop())

  async function limited() {
    const user = await stack.user()
    const contact_id = await firstContact(user)
    await setKeyEndpoints(stack.ctx, user.id, user.keyId, { [app]: mine })
    return { user, contact_id, widen_url: `${stack.publicUrl}/keys/${user.keyId}/actions#${app}` }
  }

  it('is refused any other over HTTP, told which, and where its owner can add it', async () => {
    const { user, widen_url } = await limited()
    expect((await user.call('list_contacts')).status).toBe(200)
    for (const [endpoint, input] of [
      ['list_listings', {}],
      ['reply_to_contact', { contact_id: 'x', message: 'No.' }],
    ] as const) {
      const { status, body } = await user.call(endpoint, input)
      expect([status, body['error'], body['widen_url']]).toEqual([403, 'SCOPE_DENIED', widen_url])
      expect(body['message']).toContain(`${endpoint} is not among the actions of ${app} that this key may call`)
    }
    // An app of which nothing is said is open to it as before.
    expect((await user.send('POST', '/crm/list_clients', {})).body['error']).toBe('AUTH_REQUIRED')
  })

  it('finds and lists by MCP what it may call, and is told of the rest that it may not', async () => {
    const { user, widen_url } = await limited()
    const agent = await Agent.connect(stack.publicUrl, user.key)
    const own = await Agent.connect(stack.publicUrl, user.key, { path: `/mcp/${app}` })
    const names = (await own.client.listTools()).tools.map(({ name }) => name)
    const endpoints = [...(stack.ctx.apps.get(app)?.endpoints.keys() ?? [])]
    expect(names.filter((name) => endpoints.includes(name))).toEqual(endpoints.filter((name) => mine.includes(name)))
    const { body } = await agent.use('search_actions', { words: '', app, limit: 100 })
    const hits = body['actions'] as readonly Record<string, unknown>[]
    expect(hits.filter((hit) => !('not_allowed' in hit)).map(({ action }) => action)).toEqual(
      endpoints.filter((name) => mine.includes(name)),
    )
    expect(hits.find(({ action }) => action === 'list_listings')?.['not_allowed']).toContain(widen_url)
    for (const told of [
      await agent.use('read_action', { app, action: 'list_listings', input: {} }),
      await own.use('list_listings', {}),
    ])
      expect(told).toMatchObject({ isError: true, body: { error: 'SCOPE_DENIED', widen_url } })
  })

  it('is approved in advance for nothing beyond them', async () => {
    const { user, contact_id, widen_url } = await limited()
    await standingFor(stack.ctx, user, { key: user.keyId })
    const refused = await user.call('reply_to_contact', { contact_id, message: 'Covered, but not allowed.' })
    expect([refused.status, refused.body['widen_url']]).toEqual([403, widen_url])
    expect(await stack.sandbox.effects(user.account.seeded.account)).toEqual([])
  })

  it('hands its limits on to what replaces it, which goes on with what waits only if it may', async () => {
    const user = await stack.user()
    const contact_id = await firstContact(user)
    const waiting = await user.call('reply_to_contact', { contact_id, message: 'Later.' })
    expect(waiting.status).toBe(202)
    const { ctx } = stack
    await setKeyEndpoints(ctx, user.id, user.keyId, { [app]: mine })
    const made = (key: NewKey | string | undefined): NewKey => {
      if (typeof key !== 'object') throw new Error(`no key: ${key}`)
      return key
    }
    const heir = made(await rotateKey(ctx, user.id, user.keyId, 24))
    const other = made(await makeKey(ctx, { owner: user.id, name: 'other', apps: null, seesAll: true, days: null }))
    const ask = async (key: string) => {
      const headers = { Authorization: `Bearer ${key}` }
      return (await fetch(`${stack.publicUrl}/api/v1/${app}/list_listings`, { headers })).status
    }
    expect([await ask(heir.key), await ask(other.key)]).toEqual([403, 200])
    const page = await (await (await user.person()).get(`/confirm/${String(waiting.body['call_id'])}`)).text()
    expect(page).toContain('You do not let the API key that asked do this')
    await user.approve(waiting.body['call_id'])
    expect(await user.record(waiting.body['call_id'], 20)).toMatchObject({
      status: 'failed',
      error: {
        error: 'SCOPE_DENIED',
        widen_url: expect.stringContaining(`/keys/${heir.id}/actions#${app}`) as string,
      },
    })
    expect(await stack.sandbox.effects(user.account.seeded.account)).toEqual([])
  })
})
