import { afterAll, beforeAll, expect, it } from 'vitest'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import type { TestUser } from '../support/user.ts'
import { Agent } from './agent.ts'

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

const app = 'property-advertising'
const action = `${app}.list_listings`

it('an action named as clients, the command and the docs name it runs, with its app beside it or without', async () => {
  for (const args of [{ action }, { app, action }, { app: '', action }, { app: null, action }]) {
    const { isError, body } = await agent.use('read_action', { ...args, input: { limit: 1 } })
    expect([args, isError, body['listings']]).toEqual([args, false, [expect.anything()]])
  }
  const { body } = await agent.use('read_actions', { reads: [{ action }, { app, action: 'list_contacts' }] })
  expect(body['results']).toMatchObject([
    { app, action: 'list_listings', status: 'executed' },
    { app, action: 'list_contacts', status: 'executed' },
  ])
  const written = await agent.use('write_action', { action: `${app}.reply_to_contact`, input: {} })
  expect(written.body).toMatchObject({ error: 'invalid_input', details: expect.any(Array) as unknown[] })
  expect(JSON.stringify(written.body['details'])).toContain('contact_id')
})

it('get_action takes it, too, also where the actions are tools', async () => {
  for (const path of ['/mcp', `/mcp/${app}`, `/mcp?apps=${app},crm`]) {
    const there = await Agent.connect(stack.publicUrl, user.key, { path })
    expect([path, (await there.use('get_action', { action })).body]).toMatchObject([
      path,
      { app, name: 'list_listings' },
    ])
    await there.close()
  }
})

it('an action of another app than the one beside it is not found, and nothing is guessed', async () => {
  const { isError, body } = await agent.use('read_action', { app: 'crm', action })
  expect([isError, body['error']]).toEqual([true, 'unknown_endpoint'])
  const unknown = await agent.use('get_action', { action: 'no-such-app.list_listings' })
  expect(unknown.body['error']).toBe('unknown_app')
  const bare = await agent.use('get_action', { action: 'list_listings' })
  expect(bare.body).toMatchObject({ error: 'invalid_input', details: [{ path: 'app' }] })
})

it('search_actions takes query for words', async () => {
  const { body } = await agent.use('search_actions', { query: 'reply to a contact' })
  expect((body['actions'] as object[])[0]).toMatchObject({ app, action: 'reply_to_contact' })
  const neither = await agent.use('search_actions', {})
  expect(neither.body).toMatchObject({ error: 'invalid_input', details: [{ path: 'words' }] })
  expect((await agent.use('search_actions', { query: 7 })).body['error']).toBe('invalid_input')
})
