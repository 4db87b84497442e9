import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setScope } from '../../core/accounts/settings.ts'
import { accept } from '../../core/calls/accept.ts'
import { placeOf, sealPayload } from '../../core/calls/payload.ts'
import { findCall, settle } from '../../core/calls/rows.ts'
import { inOneAnswer } from '../../api/mcp/read-tools.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { firstContact } from '../support/contacts.ts'
import type { TestUser } from '../support/user.ts'
import { Agent } from './agent.ts'
import type { Told } from './agent.ts'
import { send, send2025 } from './raw.ts'

const app = 'property-advertising'
const ceiling = 24_000
let stack: Stack
let user: TestUser
let agent: Agent
beforeAll(async () => {
  stack = await startStack()
  user = await stack.user()
  agent = await Agent.connect(stack.publicUrl, user.key)
})
afterAll(async () => {
  await agent.close()
  await stack.stop()
})

/** A call that was executed with this output. */
async function executed(output: Record<string, unknown>): Promise<string> {
  const { ctx } = stack
  const endpoint = ctx.apps.get(app)!.endpoints.get('list_listings')!
  const call = { owner: user.id, keyId: user.keyId, endpoint, account: undefined, idempotencyKey: undefined }
  const { callId } = await accept(ctx, { ...call, input: {} })
  const row = await findCall(ctx.db, user.id, callId)
  await settle(ctx.db, callId, null, {
    status: 'executed',
    output: sealPayload(ctx.secrets, placeOf(row!), 'output', output),
  })
  return callId
}

const details = ({ body }: Told) => body['details'] as readonly { readonly path: string; readonly message: string }[]

describe('fields', () => {
  it('are those of the output that are answered with, by each tool that answers with one', async () => {
    const fields = ['listings.listing_id', 'next_cursor']
    const read = await agent.use('read_action', { app, action: 'list_listings', input: { limit: 2 }, fields })
    const [listing] = read.body['listings'] as object[]
    expect([Object.keys(read.body), Object.keys(listing!)]).toEqual([['listings', 'next_cursor'], ['listing_id']])
    const call_id = read.meta['callgate/call_id']
    expect((await agent.use('get_call', { call_id, fields })).body['output']).toEqual(read.body)
    expect((await agent.use('get_call', { call_id })).body['output']).not.toEqual(read.body)
    const own = await Agent.connect(stack.publicUrl, user.key, { path: `/mcp/${app}` })
    expect((await own.use('list_listings', { limit: 2, fields })).body).toEqual(read.body)
    await own.close()
    const contact_id = await firstContact(user)
    const note = { app, action: 'add_contact_note', input: { contact_id, note: 'Called' } }
    expect((await agent.use('write_action', { ...note, fields: ['contact_id'] })).body).toEqual({ contact_id })
  })

  it('that the output cannot have are refused before anything is done', async () => {
    const contact_id = await firstContact(user)
    const note = { app, action: 'add_contact_note', input: { contact_id, note: 'Not done' } }
    const told = await agent.use('write_action', { ...note, fields: ['contact_id', 'made_up'] })
    expect([told.isError, told.body['error'], details(told)]).toEqual([
      true,
      'invalid_input',
      [{ path: 'fields.1', message: expect.stringContaining('contact_id') as string }],
    ])
    expect(told.meta).not.toHaveProperty(['callgate/call_id'])
  })
})

describe('a long output', () => {
  const listings = Array.from({ length: 200 }, (_, at) => ({
    listing_id: `l${at}`,
    description: 'A bright home. '.repeat(20),
  }))

  it('is read on from the call, part by part, until all of it was read', async () => {
    const call_id = await executed({ total: 200, listings, next_cursor: 'c2' })
    const first = await agent.use('get_call', { call_id })
    const output = first.body['output'] as { readonly listings: unknown[] }
    expect(first.body['output']).toMatchObject({ total: 200, next_cursor: 'c2' })
    const read = [...output.listings]
    for (let told = first; ;) {
      expect(JSON.stringify(told.body).length).toBeLessThanOrEqual(ceiling)
      const left = told.body['callgate_left_out'] as
        | { readonly parts: readonly [{ readonly from: number }] }
        | undefined
      if (left === undefined) break
      expect(left.parts).toEqual([{ at: 'listings', from: read.length, of: 200 }])
      told = await agent.use('get_call', { call_id, at: 'listings', from: left.parts[0].from })
      read.push(...(told.body['part'] as { readonly value: unknown[] }).value)
    }
    expect(read).toEqual(listings)
    const chosen = await agent.use('get_call', { call_id, fields: ['listings'] })
    expect(chosen.body['callgate_left_out']).toMatchObject({
      message: expect.stringContaining(`a part's at and from, with the same fields, goes on`) as string,
    })
    const some = await agent.use('get_call', { call_id, fields: ['listings.listing_id'] })
    expect(some.body['output']).toEqual({ listings: listings.map(({ listing_id }) => ({ listing_id })) })
  })

  it('has no part that is not there, and says which there are', async () => {
    const call_id = await executed({ total: 200, listings })
    for (const [args, path, message] of [
      [{ at: 'listing' }, 'at', 'names no part of the output; it has total, listings'],
      [{ at: 'listings.500' }, 'at', 'names no part of the output; it has total, listings'],
      [{ at: 'listings', from: 200 }, 'from', 'must be below 200, all that is there'],
    ] as const) {
      const told = await agent.use('get_call', { call_id, ...args })
      expect([told.isError, details(told)]).toEqual([true, [{ path, message }]])
    }
    const failed = await agent.use('read_action', { app, action: 'get_listing', input: { listing_id: 'none' } })
    const none = await agent.use('get_call', { call_id: failed.meta['callgate/call_id'], at: 'listings' })
    expect(details(none)).toEqual([
      { path: 'at', message: 'names a part of an output, and this call, failed, has none' },
    ])
  })

  it('is none of a list of calls, which goes on where it ends', async () => {
    const call_id = await executed({ listings })
    const { body } = await agent.use('list_calls', { limit: 100 })
    const [newest] = body['calls'] as Record<string, unknown>[]
    expect(newest).toMatchObject({ call_id, status: 'executed' })
    for (const call of body['calls'] as object[]) expect(call).not.toHaveProperty('output')
    for (let made = 0; made < 60; made++) await executed({})
    const seen: unknown[] = []
    let cursor: unknown
    do {
      const page = await agent.use('list_calls', { limit: 100, ...(cursor !== undefined && { cursor }) })
      expect(JSON.stringify(page.body).length).toBeLessThanOrEqual(ceiling)
      expect(page.body).not.toHaveProperty('callgate_left_out')
      seen.push(...(page.body['calls'] as { call_id: string }[]).map((call) => call.call_id))
      cursor = page.body['next_cursor']
    } while (cursor !== null)
    const { rows } = await stack.ctx.db.query<{ id: string }>(
      'SELECT id FROM calls WHERE owner = $1 ORDER BY id DESC',
      [user.id],
    )
    expect(seen).toEqual(rows.map(({ id }) => id))
  })
})

it('an answer comes as one text alone where the address asks for that', async () => {
  const listing = { method: 'tools/call', params: { name: 'list_connections', arguments: {} } }
  const own = { method: 'tools/call', params: { name: 'list_listings', arguments: { limit: 1 } } }
  for (const [path, message] of [
    ['/mcp?answers=text', listing],
    [`/mcp/${app}?answers=text`, own],
  ] as const)
    for (const { result } of [
      await send(`${stack.publicUrl}${path}`, user.key, message),
      await send2025(`${stack.publicUrl}${path}`, user.key, message.method, message.params),
    ]) {
      expect(result).not.toHaveProperty('structuredContent')
      expect(result['content']).toMatchObject([
        { type: 'text', text: expect.stringMatching(/listing_id|connections/) as string },
      ])
    }
  for (const path of ['/mcp?answers=both', `/mcp/${app}?answers=`]) {
    const { status, error } = await send(`${stack.publicUrl}${path}`, user.key, listing)
    expect([path, status, error.data?.['error']]).toEqual([path, 400, 'invalid_input'])
  }
})

describe('several reads', () => {
  it('are calls of their own, each with its own end', async () => {
    const contact_id = await firstContact(user)
    const { isError, body, meta } = await agent.use('read_actions', {
      reads: [
        { app, action: 'list_listings', input: { limit: 1 }, fields: ['listings.listing_id'] },
        { app, action: 'get_listing', input: { listing_id: 'none' } },
        { app, action: 'add_contact_note', input: { contact_id, note: 'Not done' } },
        { app: 'no-such-app', action: 'list_listings' },
        { app, action: 'list_contacts', account: 'acct_none' },
      ],
    })
    expect([isError, body]).toMatchObject([
      false,
      {
        results: [
          { app, action: 'list_listings', status: 'executed', credits_used: 1, output: { listings: [{}] } },
          { status: 'failed', credits_used: 0, error: { error: 'app_rejected' } },
          { status: 'refused', error: { error: 'method_not_allowed', use: 'write_action' } },
          { status: 'refused', error: { error: 'unknown_app' } },
          { status: 'refused', error: { error: 'unknown_account' } },
        ],
      },
    ])
    expect(meta['callgate/credits_used']).toBe(1)
    const [first, second] = body['results'] as { call_id: string; output: object }[]
    expect((await agent.use('get_call', { call_id: first!.call_id })).body).toMatchObject({ status: 'executed' })
    expect((await agent.use('get_call', { call_id: second!.call_id })).body).toMatchObject({ status: 'failed' })
  })

  it('are at most ten', async () => {
    const read = { app, action: 'list_contacts' }
    for (const reads of [[], Array.from({ length: 11 }, () => read), [{ ...read, account: 'a\0b' }]]) {
      const told = await agent.use('read_actions', { reads })
      expect([told.isError, told.body['error']]).toEqual([true, 'invalid_input'])
    }
  })

  it('fit into one answer together: small outputs whole, large ones cut alike', () => {
    const items = Array.from({ length: 500 }, (_, id) => ({ id, name: 'A name' }))
    const outputs = [{ items }, { total: 1 }, { items }, { text: 'x'.repeat(9_000) }]
    const results = inOneAnswer(outputs.map((output) => ({ app, action: 'list_contacts', output })))
    expect(JSON.stringify({ results }).length).toBeLessThanOrEqual(ceiling)
    const [first, second, third, fourth] = results as { output: { items: object[] }; callgate_left_out?: object }[]
    expect([second!.output, first]).toEqual([outputs[1], third])
    expect(first!.output.items).toEqual(items.slice(0, first!.output.items.length))
    expect(first!.callgate_left_out).toMatchObject({ parts: [{ from: first!.output.items.length, of: 500 }] })
    expect(first!.output.items.length).toBeGreaterThan(150)
    expect(fourth).toMatchObject({ output: {}, callgate_left_out: { parts: [{ at: 'text', of: 9_000 }] } })
  })
})

describe('the list of tools', () => {
  const listed = async (of: TestUser, path: string, era: '2025' | '2026' = '2025') => {
    const client = await Agent.connect(stack.publicUrl, of.key, { path, era })
    const { tools } = await client.client.listTools()
    const declared = client.client.getServerCapabilities()?.tools
    await client.close()
    return { names: tools.map(({ name }) => name), declared }
  }

  it('has what the key may use as of now, and does not say that it tells of changes', async () => {
    const one = await stack.user({ accounts: [] })
    const all = await listed(one, `/mcp/${app}`)
    expect(all.names).toContain('add_contact_note')
    expect(all.declared).toEqual({ listChanged: false })
    await setScope(stack.ctx, one.id, app, 'read')
    const reads = [...stack.ctx.apps.get(app)!.endpoints.values()].filter(({ access }) => access === 'read')
    const beside = ['get_action', 'get_call', 'list_calls', 'cancel_call']
    for (const era of ['2025', '2026'] as const)
      expect(await listed(one, `/mcp/${app}`, era)).toEqual({
        names: [...reads.map(({ name }) => name), ...beside],
        declared: { listChanged: false },
      })
    const chosen = (await listed(one, `/mcp?apps=${app},crm`)).names
    expect([chosen.includes('crm_create_invoice'), chosen.includes('property_advertising_add_contact_note')]).toEqual([
      true,
      false,
    ])
    const stranger = await stack.user({ accounts: [], apps: ['crm'] })
    expect((await listed(stranger, `/mcp/${app}`)).names).toEqual(beside)
  })

  it('at /mcp has no tool that writes for a key that may only read', async () => {
    const one = await stack.user({ accounts: [], apps: [app] })
    expect((await listed(one, '/mcp')).names).toContain('write_action')
    await setScope(stack.ctx, one.id, app, 'read')
    const { names } = await listed(one, '/mcp', '2026')
    expect(names).not.toContain('write_action')
    expect(names).toContain('read_actions')
  })

  it('goes with the schemas in full on demand, also where actions are tools', async () => {
    const own = await Agent.connect(stack.publicUrl, user.key, { path: `/mcp/${app}` })
    const told = await own.use('get_action', { action: 'list_listings' })
    expect(told.body).toMatchObject({ app, name: 'list_listings', output_schema: { type: 'object' } })
    expect(told.body).toHaveProperty('example')
    await own.close()
  })
})
