import { afterAll, beforeAll, expect, it } from 'vitest'
import { connect } from '../../core/accounts/sessions.ts'
import { operatorToken } from '../../core/operators/credentials.ts'
import { connectors } from '../../connectors/apps.ts'
import { ask } from '../api/http/gateway.ts'
import { startStack } from '../harness.ts'
import type { RunningApi, Stack } from '../harness.ts'
import { send2025 } from '../mcp/raw.ts'
import { firstContact } from '../support/contacts.ts'
import { Person } from '../support/person.ts'
import { SandboxControl } from '../support/sandbox.ts'
import type { TestUser } from '../support/user.ts'

const app = 'property-advertising'
const problem = `${app} has two endpoints named `
const logged: Record<string, unknown>[] = []
let stack: Stack
let user: TestUser
/** Another API process, whose connector of the app is broken, as is that of the worker from here on. */
let api: RunningApi
let contact: string
beforeAll(async () => {
  const keep = (line: string): void => {
    if (line.includes(problem)) logged.push(JSON.parse(line) as Record<string, unknown>)
  }
  stack = await startStack({ logTo: { write: keep } })
  user = await stack.user()
  const [other] = await new SandboxControl(stack.sandbox.url, 'crm').accounts()
  const { account: externalId, label, session } = other!
  await connect(stack.ctx, { owner: user.id, app: 'crm', externalId, label, session })
  contact = await firstContact(user)

  const found = connectors[app]
  if (found === undefined || !('spec' in found)) throw new Error('no connector')
  const { spec } = found
  const broken = { ...connectors, [app]: { spec: { ...spec, endpoints: [...spec.endpoints, ...spec.endpoints] } } }
  api = await stack.apiWith(broken)
  await stack.stopWorker()
  await stack.startWorker(broken)
})
afterAll(() => stack.stop())

const at = (path: string, json?: object) => ask(`${api.url}/api/v1${path}`, { key: user.key, ...(json && { json }) })

it('the app is off, which is said with what to do, and nothing is accepted', async () => {
  for (const [path, json] of [
    [`/${app}/list_listings`, {}],
    [`/${app}`],
    [`/${app}/endpoints/list_listings`],
  ] as const) {
    const { status, headers, body } = await at(path, json)
    expect([status, body['error'], headers.get('Retry-After')], path).toEqual([503, 'unavailable', '60'])
    expect(body['message']).toContain(`${app} is off for now`)
  }
  const { apps } = (await at('/apps')).body as { apps: { slug: string }[] }
  expect([apps.length, apps.some(({ slug }) => slug === app)]).toEqual([21, false])
  expect((await at(`/calls?app=${app}`)).status).toBe(200)
  const { rows } = await stack.ctx.db.query(`SELECT FROM calls WHERE endpoint = 'list_listings'`)
  expect(rows).toEqual([])
  for (const path of [`/connect/${app}`, `/apps/${app}`, `/docs/${app}`])
    expect((await (await user.person()).at(api.url).get(path)).status, path).toBe(503)
})

it('everything else serves, over HTTP and as tools', async () => {
  const { status, body } = await at('/crm/list_clients', { limit: 1 })
  expect([status, body]).toEqual([200, expect.objectContaining({ clients: expect.any(Array) as unknown[] })])
  const off = await send2025(`${api.url}/mcp/${app}`, user.key, 'tools/list')
  expect([off.status, off.error.data?.['error']]).toEqual([503, 'unavailable'])
  const { result } = await send2025(`${api.url}/mcp?apps=${app},crm`, user.key, 'tools/list')
  const names = (result['tools'] as { name: string }[]).map(({ name }) => name)
  expect([names.includes('crm_list_clients'), names.some((name) => name.startsWith('property'))]).toEqual([true, false])
  const tool = await send2025(`${api.url}/mcp`, user.key, 'tools/call', {
    name: 'read_action',
    arguments: { app, action: 'list_listings' },
  })
  expect(tool.result['structuredContent']).toMatchObject({ error: 'unavailable', retry_after: 60 })
})

it('operators see on their pages, in the log and in the metrics what is wrong', async () => {
  const operator = new Person(api.adminUrl)
  await operator.post('/login', { name: 'ann', token: operatorToken(stack.ctx.secrets), return_to: '/' })
  for (const path of ['/', `/apps/${app}`]) {
    const page = await operator.get(path)
    expect([page.status, await page.text()], path).toEqual([200, expect.stringContaining(problem)])
  }
  expect(await (await fetch(`${api.adminUrl}/metrics`)).text()).toContain(`callgate_connector_broken{app="${app}"} 1`)
  // The API and the worker.
  expect(logged).toHaveLength(2)
  expect(logged[0]).toMatchObject({
    app,
    file: `connectors/${app}/`,
    problem: expect.stringContaining(problem) as string,
  })
})

it('calls that were accepted wait, whoever approves them when, and go on once the connector is mended', async () => {
  const message = 'Still there?'
  const [asked, later] = await Promise.all(
    [message, 'Later'].map((text) => user.call('reply_to_contact', { contact_id: contact, message: text })),
  )
  const read = await user.call('list_listings', { limit: 1 }, { Prefer: 'wait=0' })
  await user.approve(asked?.body['call_id'])
  const ids = [asked, read].map((answer) => String(answer?.body['call_id']))

  const page = await (await user.person()).at(api.url).get(`/confirm/${String(later?.body['call_id'])}`)
  const text = await page.text()
  expect([page.status, text]).toEqual([200, expect.stringContaining('Callgate cannot use this app for now')])
  expect(text).not.toContain('value="approve"')
  for (const id of ids)
    expect((await at(`/calls/${id}?wait=1`)).body).toMatchObject({ status: 'running', waiting_for: 'operator' })
  const operator = new Person(api.adminUrl)
  await operator.post('/login', { name: 'ann', token: operatorToken(stack.ctx.secrets), return_to: '/' })
  expect(await (await operator.get(`/calls/${ids[0]}`)).text()).toContain(
    `${app} is off, because its connector is broken`,
  )
  expect(await stack.sandbox.effects()).toEqual([])

  await stack.stopWorker()
  await stack.startWorker()
  for (const id of ids) expect((await user.record(id, 20))['status'], id).toBe('executed')
  expect(await stack.sandbox.effects()).toMatchObject([{ body: { text: message } }])
  expect((await user.record(later?.body['call_id']))['status']).toBe('awaiting_confirmation')
})
