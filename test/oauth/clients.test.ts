import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { createMCPClient } from '@ai-sdk/mcp'
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '../../local-services/dev-server.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { Agent } from '../mcp/agent.ts'
import { phone, readOn, startBrowser } from '../support/chromium.ts'
import type { RunningBrowser } from '../support/chromium.ts'
import { listen } from '../support/listen.ts'
import type { TestUser } from '../support/user.ts'
import { Visitor } from '../web/visitor.ts'
import { hidden } from '../../scripts/browsing.ts'
import { decide, pkce, Program } from './flow.ts'
import { officialProvider, signedInStranger } from './provider.ts'
import type { Kept } from './provider.ts'

const app = 'property-advertising'
let stack: Stack
let running: RunningBrowser
/** Where clients have their person come back to, and where one has its document. */
let listener: Server
let here: string
const arrived: URL[] = []
beforeAll(async () => {
  stack = await startStack({ settings: { WEBHOOK_ALLOW: '127.0.0.1/32' } })
  running = await startBrowser()
  const port = await freePort()
  here = `http://127.0.0.1:${port}`
  listener = createServer((request, response) => {
    const url = new URL(request.url ?? '', here)
    if (url.pathname === '/callback') arrived.push(url)
    response.setHeader('Content-Type', url.pathname === '/callback' ? 'text/html' : 'application/json')
    if (url.pathname === '/moved') response.writeHead(302, { Location: '/client.json' })
    const id = here + url.pathname
    const document = { client_id: id, client_name: 'Documented', redirect_uris: [`${here}/callback`] }
    const documents: Record<string, string> = {
      '/callback': '<h1>You can close this</h1>',
      '/client.json': JSON.stringify({ ...document, token_endpoint_auth_method: 'private_key_jwt' }),
      '/public.json': JSON.stringify({ ...document, token_endpoint_auth_method: 'none' }),
      '/of-another.json': JSON.stringify({ ...document, client_id: `${here}/client.json` }),
      '/with-secret.json': JSON.stringify({ ...document, token_endpoint_auth_method: 'client_secret_post' }),
      '/no-json': 'nonsense',
      '/large.json': `"${'x'.repeat(70_000)}"`,
    }
    if (documents[url.pathname] === undefined && url.pathname !== '/moved') response.statusCode = 404
    response.end(documents[url.pathname])
  })
  await listen(listener, port)
})
afterAll(async () => {
  await running.close()
  listener.closeAllConnections()
  listener.close()
  await stack.stop()
})

async function visitorOf({ email, password }: TestUser): Promise<Visitor> {
  const visitor = new Visitor({ url: stack.publicUrl })
  await visitor.signIn({ email, password })
  return visitor
}

const providerFor = (kept: Kept, documentAt?: string) => officialProvider(kept, `${here}/callback`, documentAt)

it('the official client is added by its address alone: the person signs in, allows it in their browser, and it works', async () => {
  const user = await stack.user()
  const kept: Kept = {}
  const provider = providerFor(kept)
  const transport = () =>
    new StreamableHTTPClientTransport(new URL(`${stack.publicUrl}/mcp`), { authProvider: provider })
  const first = transport()
  await expect(new Client({ name: 'official', version: '1' }).connect(first)).rejects.toThrow(UnauthorizedError)

  const page = await (await running.browser.newContext(phone)).newPage()
  await page.goto(kept.asked?.href ?? '')
  expect(await page.textContent('main')).toContain('A program asks for access to your apps')
  await page.fill('[name=email]', user.email)
  await page.fill('[name=password]', user.password)
  await page.press('[name=password]', 'Enter')
  await page.waitForURL('**/oauth/authorize?**')
  expect(await page.textContent('main')).toContain('Let “The official client” use your apps?')
  expect(await page.isChecked(`[name=app][value=${app}]`)).toBe(false)
  expect(await page.isChecked('[name=all]')).toBe(false)
  expect(await page.isVisible('[name=app][value=crm]')).toBe(false)
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  await page.check(`[name=app][value=${app}]`)
  await page.check('[name=rights][value=write]')
  await readOn(page, page.getByRole('button', { name: /^Allow$/ }))
  await page.click('button[value=allow]')
  await page.waitForURL(`${here}/callback?**`)
  await first.finishAuth(new URL(page.url()).searchParams)

  const client = new Client({ name: 'official', version: '1' })
  await client.connect(transport())
  const agent = new Agent(client)
  const { body } = await agent.use('read_action', { app, action: 'list_contacts', input: {} })
  const contactId = (body['contacts'] as { contact_id: string }[])[0]?.contact_id ?? ''
  const input = { contact_id: contactId, message: 'By a program that signed in' }
  const written = await agent.use('write_action', { app, action: 'reply_to_contact', input, wait: 1 })
  expect(written.body['status']).toBe('awaiting_confirmation')
  const callId = String(written.body['call_id'])
  await page.goto(`${stack.publicUrl}/confirm/${callId}`)
  expect(await page.textContent('main')).toContain('The official client')
  expect((await user.approve(callId)).status).toBe(303)
  expect((await agent.use('get_call', { call_id: callId, wait: 20 })).body['status']).toBe('executed')

  // It is a principal of its own: another key of the same person does not see its calls, nor it theirs.
  const list = await agent.use('list_calls')
  expect((list.body['calls'] as unknown[]).length).toBe(2)
  expect((await user.send('GET', `/calls/${callId}`)).status).toBe(404)

  // An access token that is over is refreshed by the client itself.
  const before = kept.tokens?.access_token
  await stack.ctx.db.query(`UPDATE oauth_tokens SET expires_at = now() WHERE kind = 'access'`)
  expect((await agent.use('list_calls')).isError).toBe(false)
  expect(kept.tokens?.access_token).not.toBe(before)

  await page.goto(`${stack.publicUrl}/keys`)
  const card = page.locator('article', { hasText: 'The official client' })
  await card.locator('summary', { hasText: 'Revoke' }).click()
  await card.locator('button[value=revoke]').click()
  await page.waitForURL('**/keys?said=revoked')
  await expect(agent.use('list_calls')).rejects.toThrow()
  await page.context().close()
})

it('a grant that only reads is refused a write, and an app that was not ticked', async () => {
  const user = await stack.user()
  const person = await visitorOf(user)
  const kept: Kept = {}
  const url = new URL(`${stack.publicUrl}/mcp`)
  const transport = new StreamableHTTPClientTransport(url, { authProvider: providerFor(kept) })
  await expect(new Client({ name: 'x', version: '1' }).connect(transport)).rejects.toThrow(UnauthorizedError)
  const asked = kept.asked ?? url
  const back = await decide(person, asked.pathname + asked.search, { rights: 'read', app })
  await transport.finishAuth(back.searchParams)
  const agent = await Agent.connect(stack.publicUrl, kept.tokens?.access_token ?? '')
  const read = await agent.use('read_action', { app, action: 'list_contacts', input: {} })
  const contactId = (read.body['contacts'] as { contact_id: string }[])[0]?.contact_id
  const write = { app, action: 'reply_to_contact', input: { contact_id: contactId, message: 'No' } }
  const written = await agent.use('write_action', write)
  expect(written).toMatchObject({ isError: true, body: { error: 'SCOPE_DENIED' } })
  const other = await agent.use('read_action', { app: 'crm', action: 'list_clients', input: {} })
  expect(other).toMatchObject({ isError: true, body: { error: 'access_not_granted' } })
  expect(await stack.sandbox.effects(user.account.seeded.account)).toEqual([])
})

it('a grant is for the actions only that the person ticked', async () => {
  const user = await stack.user()
  const person = await visitorOf(user)
  const program = await Program.register(stack.publicUrl)
  const { body } = await program.granted(person, { app, endpoint: 'list_contacts' })
  const agent = await Agent.connect(stack.publicUrl, String(body['access_token']))
  const ran = async (action: string) => (await agent.use('read_action', { app, action, input: {} })).body['error']
  expect([await ran('list_contacts'), await ran('list_listings')]).toEqual([undefined, 'SCOPE_DENIED'])
  const page = await person.get('/keys')
  expect(page.text).toContain('actions of Property advertising')
  const asked = program.asks(pkce().challenge)
  const csrf = hidden((await person.get(asked)).text, 'csrf')
  const form = { csrf, request: asked.slice(asked.indexOf('?') + 1), decision: 'allow', rights: 'write' }
  const refused = await person.post('/oauth/authorize', { ...form, app, only: app })
  expect([refused.status, refused.text.includes('No action of')]).toEqual([422, true])
})

it('the actions of a grant are found by words on its page, and saved', async () => {
  const user = await stack.user()
  const person = await visitorOf(user)
  await (await Program.register(stack.publicUrl)).granted(person)
  const page = await (await running.browser.newContext(phone)).newPage()
  await page.goto(`${stack.publicUrl}/login?return_to=/keys`)
  await page.getByLabel('Email').fill(user.email)
  await page.getByLabel('Password').fill(user.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  const card = page.locator('article', { hasText: 'signed in from' })
  await card.locator('summary', { hasText: 'What it may do' }).click()
  await card.getByRole('link', { name: 'Only some actions of an app…' }).click()
  await page.getByRole('searchbox').fill('photo  list con')
  const group = page.locator('details.choice:visible')
  expect(await group.locator('summary').allTextContents()).toEqual([expect.stringContaining('Photo gallery')])
  await page.getByRole('searchbox').fill('gallery list contacts')
  expect(await group.locator('.ticks label:visible').allTextContents()).toEqual([
    expect.stringContaining('List contacts'),
  ])
  await group.getByLabel('only what is ticked here').check()
  await group.getByLabel('List contacts').check()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.waitForURL('**/actions?said=saved')
  const { rows } = await stack.ctx.db.query(`SELECT endpoints FROM api_keys WHERE owner = $1 AND hash IS NULL`, [
    user.id,
  ])
  expect(rows).toEqual([{ endpoints: { 'photo-gallery': ['list_contacts'] } }])
  await page.context().close()
})

it.each(['/public.json', '/client.json'])('a client that is described by %s needs no registration', async (at) => {
  const person = await visitorOf(await stack.user({ accounts: [] }))
  const id = here + at
  const kept: Kept = { information: { client_id: id } }
  const url = new URL(`${stack.publicUrl}/mcp`)
  const transport = new StreamableHTTPClientTransport(url, { authProvider: providerFor(kept) })
  await expect(new Client({ name: 'x', version: '1' }).connect(transport)).rejects.toThrow(UnauthorizedError)
  const asked = kept.asked ?? url
  expect(asked.searchParams.get('client_id')).toBe(id)
  const page = await person.get(asked.pathname + asked.search)
  expect(page.text).toContain('Documented')
  expect(page.text).toContain('Described by')
  await transport.finishAuth((await decide(person, asked.pathname + asked.search)).searchParams)
  const agent = await Agent.connect(stack.publicUrl, kept.tokens?.access_token ?? '')
  expect((await agent.use('list_connections')).isError).toBe(false)
  await agent.close()
})

it.each([
  ['is not found', '/none.json', 'was 404'],
  ['is a redirect', '/moved', 'was 302'],
  ['names another client', '/of-another.json', 'does not name this address'],
  ['shares a secret', '/with-secret.json', 'can share no secret'],
  ['is no JSON', '/no-json', 'no JSON object'],
  ['is too large', '/large.json', 'too large'],
  ['is the start page', '/', 'with a path'],
  ['has a fragment', '/client.json#x', 'without a fragment'],
  ['is at a private address', 'http://10.0.0.1/client.json', 'public addresses only'],
  ['is at an address that the operator did not allow', 'https://127.0.0.2/client.json', 'public addresses only'],
])('a client whose document %s is not let in', async (_, at, words) => {
  const person = await visitorOf(await stack.user({ accounts: [] }))
  const id = at.startsWith('/') ? here + at : at
  const page = await person.get(
    `/oauth/authorize?${new URLSearchParams({ client_id: id, response_type: 'code' }).toString()}`,
  )
  expect([page.status, page.headers.get('Refresh')]).toEqual([400, null])
  expect(page.text).toContain(words)
})

it('a client of another maker signs in at one app, sends what the person approves, and refreshes', async () => {
  const user = await stack.user()
  const person = await visitorOf(user)
  const kept: Kept = {}
  const url = `${stack.publicUrl}/mcp/${app}`
  const provider = await signedInStranger(kept, `${here}/callback`, url, (asked) => {
    expect(asked.searchParams.get('resource')).toBe(url)
    return decide(person, asked.pathname + asked.search)
  })
  const client = await createMCPClient({ transport: { type: 'http', url, authProvider: provider } })
  try {
    const tools = await client.tools()
    const use = async (name: string, args: object = {}) => {
      const result: unknown = await tools[name]?.execute(args, { toolCallId: 'x', messages: [], context: {} })
      return result as { readonly isError?: boolean; readonly structuredContent: Record<string, unknown> }
    }
    const list = () => use('list_contacts')
    const contacts = (await list()).structuredContent['contacts'] as { contact_id: string }[]
    const contact_id = contacts[0]?.contact_id
    const asked = await use('reply_to_contact', { contact_id, message: 'The flat is still free' })
    const { call_id } = asked.structuredContent
    const ended = use('get_call', { call_id, wait: 20 })
    expect(await stack.sandbox.effects(user.account.seeded.account)).toEqual([])
    expect((await user.approve(call_id)).status).toBe(303)
    expect((await ended).structuredContent).toMatchObject({ status: 'executed', output: { contact_id } })
    expect(await stack.sandbox.effects(user.account.seeded.account)).toHaveLength(1)
    expect((await use('list_listings', { limit: 0 })).structuredContent['error']).toBe('invalid_input')
    const before = kept.tokens?.access_token
    await stack.ctx.db.query(`UPDATE oauth_tokens SET expires_at = now() WHERE kind = 'access'`)
    expect((await list()).structuredContent['contacts']).toBeInstanceOf(Array)
    expect(kept.tokens?.access_token).not.toBe(before)
  } finally {
    await client.close()
  }
})
