import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { fromJsonSchema } from '@modelcontextprotocol/server'
import type { JsonSchemaType, Tool } from '@modelcontextprotocol/server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorCodes } from '../../core/http/error-docs.ts'
import { objectSchema } from '../../api/mcp/tool.ts'
import { toolTerms } from '../../api/mcp/results.ts'
import { searchEndpoints } from '../../core/search/search.ts'
import { createToolsets } from '../../api/mcp/toolsets.ts'
import type { Toolset } from '../../api/mcp/toolsets.ts'
import { exampleOf } from '../../connectors/examples.ts'
import { loadApps } from '../../connectors/registry.ts'
import type { App, Endpoint } from '../../connectors/registry.ts'
import { CallgateError } from '../../schemas/errors.ts'
import { ask } from '../api/http/gateway.ts'
import { toolListsOf } from '../../scripts/examples/tool-lists.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { firstContact } from '../support/contacts.ts'
import { Agent } from './agent.ts'
import { post } from './raw.ts'

const app = 'property-advertising'
const apps = loadApps({ sandboxUrl: 'http://localhost:8090' }).all
const { general, ofApp, ofApps } = createToolsets({ all: apps })
type Hints = Tool['annotations']

/** Reads only, removes or overwrites, comes to the same when called again, reaches an app. */
function hints(readOnlyHint: boolean, destructiveHint: boolean, idempotentHint: boolean, openWorldHint: boolean) {
  return { readOnlyHint, destructiveHint, idempotentHint, openWorldHint }
}

const generalTools = {
  search_actions: hints(true, false, true, false),
  get_action: hints(true, false, true, false),
  read_action: hints(true, false, true, true),
  read_actions: hints(true, false, true, true),
  write_action: hints(false, true, false, true),
  list_connections: hints(true, false, true, false),
  connect_app: hints(true, false, true, false),
}
/** At /mcp among the tools that find, elsewhere beside those of endpoints. */
const describes = { get_action: hints(true, false, true, false) }
const callTools = {
  get_call: hints(true, false, true, false),
  list_calls: hints(true, false, true, false),
  cancel_call: hints(false, true, true, false),
}

/** What the endpoints declare: a write is destructive unless it only adds something. */
function endpointTools({ endpoints }: App, prefix = ''): Readonly<Record<string, Hints>> {
  const hintsOf = ({ access, label, effect }: Endpoint): Hints => ({
    ...(label !== '' && { title: label }),
    ...(access === 'read' ? hints(true, false, true, true) : hints(false, effect !== 'adds', false, true)),
  })
  return Object.fromEntries([...endpoints.values()].map((endpoint) => [prefix + endpoint.name, hintsOf(endpoint)]))
}

const prefixed = apps.map((one) => endpointTools(one, `${one.slug.replaceAll('-', '_')}_`))
const toolsets: readonly (readonly [string, Toolset, Readonly<Record<string, Hints>>])[] = [
  ['/mcp', general, { ...generalTools, ...callTools }],
  [
    '/mcp?apps= with all',
    ofApps(apps),
    Object.assign({}, ...prefixed, describes, callTools) as Readonly<Record<string, Hints>>,
  ],
  ...apps.map(
    (one) => [`/mcp/${one.slug}`, ofApp(one), { ...endpointTools(one), ...describes, ...callTools }] as const,
  ),
]

async function accepts(schema: Tool['inputSchema'], value: unknown): Promise<boolean> {
  const checked = await fromJsonSchema(schema as JsonSchemaType)['~standard'].validate(value)
  return checked.issues === undefined
}

/** Names of fields that have a default and are asked for all the same. */
function neededDefaults(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { properties = {}, required = [] } = schema as { properties?: Record<string, object>; required?: string[] }
  const own = Array.isArray(required) ? required.filter((name) => 'default' in (properties[name] ?? {})) : []
  return [...own, ...Object.values(schema).flatMap(neededDefaults)]
}

describe.each(toolsets)('the tools at %s', (_, toolset, wanted) => {
  const { definitions } = toolset

  it('have names that every model provider takes, each once', () => {
    for (const { name } of definitions) expect(name).toMatch(/^[a-z][a-z0-9_]{0,63}$/)
    expect(new Set(definitions.map(({ name }) => name)).size).toBe(definitions.length)
  })

  it('say with every annotation what they do, those of endpoints as declared', () => {
    expect(Object.fromEntries(definitions.map(({ name, annotations }) => [name, annotations]))).toEqual(wanted)
  })

  it('are no longer for what discovery declares of them', () => {
    expect(JSON.stringify(definitions)).not.toContain('x-callgate')
  })

  it('ask for nothing that has a default, at any depth', () => {
    for (const { name, inputSchema } of definitions) expect([name, neededDefaults(inputSchema)]).toEqual([name, []])
  })

  it('promise no form of their answers, which are chosen from and cut', () => {
    expect(definitions.filter(({ outputSchema }) => outputSchema !== undefined)).toEqual([])
  })

  it('do not decide, switch or sign in', () => {
    for (const { name } of definitions) expect(name).not.toMatch(/approve|reject_|confirm|login|sign_in/)
    expect(toolset.get('approve_call')).toBeUndefined()
  })
})

it.each([
  ['adds', { title: 'Send a note', destructiveHint: false }],
  ['changes', { title: 'Send a note', destructiveHint: true }],
  ['removes', { title: 'Send a note', destructiveHint: true }],
  // Nobody said that it is harmless.
  [null, { title: 'Send a note', destructiveHint: true }],
] as const)('a write that is declared to have the effect %s says so', (effect, annotations) => {
  const [first] = apps
  const write = [...first!.endpoints.values()].find(({ access }) => access === 'write')!
  const declared = { ...write, label: 'Send a note', effect }
  const [definition] = ofApps([
    { ...first!, slug: `with-${effect}`, endpoints: new Map([['declared', declared]]) },
  ]).definitions
  expect(definition?.annotations).toMatchObject(annotations)
})

it('errors name what a tool has, not what HTTP has', () => {
  const ofHttp = /X-Callgate-Account|Idempotency-Key|Retry-After/
  const told = errorCodes.map((code) => new CallgateError(code))
  expect(told.filter(({ message }) => ofHttp.test(message))).not.toEqual([])
  for (const error of told) expect(error.messageIn(toolTerms)).not.toMatch(ofHttp)
})

it('actions are searched by the first words only, however many there are', () => {
  const words = Array.from({ length: 30 }, (_, at) => `w${at}`).join(' ')
  expect(searchEndpoints(apps, `invoice ${words}`).length).toBeGreaterThan(0)
  expect(searchEndpoints(apps, `${words} invoice`)).toEqual([])
  const began = process.cpuUsage()
  searchEndpoints(apps, Array.from({ length: 150_000 }, (_, at) => at.toString(36)).join(' '))
  const { user, system } = process.cpuUsage(began)
  expect((user + system) / 1_000, 'ms of a processor').toBeLessThan(5_000)
})

it('the list at /mcp has at most 7,500 characters', () => {
  const { definitions, instructions } = general
  expect(JSON.stringify({ tools: definitions }).length).toBeLessThanOrEqual(7_500)
  expect(instructions.length).toBeLessThan(1_500)
})

it('how long the lists are stands in the docs (npm run examples)', async () => {
  const file = path.join(import.meta.dirname, '../../docs/mcp-lists.md')
  expect(await readFile(file, 'utf8')).toBe(toolListsOf(apps))
})

describe.each(apps.map((one) => [one.slug, one] as const))('the endpoints of %s as tools', (_, one) => {
  const { definitions } = ofApp(one)
  const definitionOf = (name: string) => definitions.find((tool) => tool.name === name)!

  it('take every input of the endpoint, and what a call needs beside it under names that do not clash', () => {
    for (const { name, access, inputSchema } of one.endpoints.values()) {
      const inputs = Object.keys(inputSchema['properties'] as object)
      const offered = Object.keys(definitionOf(name).inputSchema.properties ?? {})
      const extras = offered.filter((property) => !inputs.includes(property))
      expect(
        extras.map((extra) => extra.replace('callgate_', '')),
        name,
      ).toEqual(['account', 'fields', 'wait', 'metadata', ...(access === 'read' ? [] : ['idempotency_key', 'reason'])])
      expect(offered).toEqual([...inputs, ...extras])
    }
  })

  it('take a call without what has a default', () => {
    for (const endpoint of one.endpoints.values()) {
      const { name, inputSchema } = endpoint
      const example = exampleOf(one.slug, name, new Date())?.input ?? {}
      const defaults = Object.entries(inputSchema['properties'] as object).filter(
        ([, value]) => 'default' in Object(value),
      )
      const left = Object.entries(example).filter(([field]) => !defaults.some(([other]) => other === field))
      const parsed = endpoint.parseInput(Object.fromEntries(left), { cursorKey: Buffer.alloc(32) })
      const filled = Object.fromEntries(
        defaults.map(([field, value]) => [field, (value as { default: unknown }).default]),
      )
      expect([name, parsed]).toMatchObject([name, { ok: true, input: filled }])
    }
  })

  it('have schemas that take what is really sent, and refuse what is misspelled', async () => {
    for (const endpoint of one.endpoints.values()) {
      const { name, access } = endpoint
      const { inputSchema } = definitionOf(name)
      const example = exampleOf(one.slug, name, new Date())
      const extras = { account: 'acct_1', wait: 5, ...(access === 'write' && { idempotency_key: 'k' }) }
      if (example !== undefined) expect(await accepts(inputSchema, { ...example.input, ...extras }), name).toBe(true)
      const refused = endpoint.parseInput({ misspelled: 1 }, { cursorKey: Buffer.alloc(32) })
      expect(refused, name).toMatchObject({ ok: false })
    }
  })

  it('are listed in at most 17,000 characters, each input with its type, and where it comes from', () => {
    expect(JSON.stringify({ tools: definitions }).length).toBeLessThanOrEqual(17_000)
    for (const { name, inputSchema } of one.endpoints.values()) {
      const listed = definitionOf(name).inputSchema
      expect(listed.required ?? []).toEqual(objectSchema(inputSchema).required ?? [])
      for (const [input, { type, enum: values, description }] of Object.entries(properties(inputSchema))) {
        const { description: said = '', ...rest } = properties(listed)[input] ?? {}
        expect([name, input, rest.type, rest.enum]).toEqual([name, input, type, values?.filter((word) => word !== '')])
        expect([said.length > 0, description?.startsWith(said)], `${name} ${input}`).toEqual([true, true])
        for (const source of /\w+_id from \w+/.exec(description ?? '') ?? []) expect(said, name).toContain(source)
      }
    }
  })
})

interface Property {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly description?: string
}
const properties = (schema: object) => (schema as { readonly properties: Record<string, Property> }).properties

describe('over the wire', () => {
  let stack: Stack
  beforeAll(async () => {
    stack = await startStack()
  })
  afterAll(() => stack.stop())

  it('the lists are the same each time, in both eras, and of one app or a choice', async () => {
    const user = await stack.user()
    const listed = async (era: '2025' | '2026', path: string) => {
      const agent = await Agent.connect(stack.publicUrl, user.key, { era, path })
      const { tools } = await agent.client.listTools()
      await agent.close()
      return tools.map(({ name }) => name)
    }
    const runs = ['read_action', 'read_actions', 'write_action']
    const first = ['search_actions', 'get_action', ...runs, 'list_connections', 'connect_app']
    const calls = ['get_call', 'list_calls', 'cancel_call']
    expect(await listed('2025', '/mcp')).toEqual([...first, ...calls])
    expect(await listed('2026', '/mcp')).toEqual([...first, ...calls])
    const own = await listed('2026', `/mcp/${app}`)
    expect(own).toEqual([...stack.ctx.apps.get(app)!.endpoints.keys(), 'get_action', ...calls])
    const chosen = await listed('2025', `/mcp?apps=${app},crm`)
    expect(chosen).toContain('property_advertising_reply_to_contact')
    expect(chosen).toContain('crm_create_invoice')
    expect(chosen).toHaveLength(own.length + stack.ctx.apps.get('crm')!.endpoints.size)
  })

  it('tools take calls that leave out what has a default', async () => {
    const { key } = await stack.user()
    const agent = await Agent.connect(stack.publicUrl, key)
    await agent.client.listTools()
    expect((await agent.use('search_actions', { words: 'invoice' })).body['actions']).toHaveLength(10)
    const described = await agent.use('get_action', { app, action: 'reply_to_contact' })
    expect(described.body).toMatchObject({ app, name: 'reply_to_contact', access: 'write' })
    expect(described.body['input_schema']).toMatchObject({ required: ['contact_id', 'message'] })
    expect(JSON.stringify(described.body)).not.toMatch(/x-callgate|\$schema/)
    const read = await agent.use('read_action', { app, action: 'list_listings' })
    expect(read.body).toHaveProperty('listings')
    // Some hosts send what is no text as JSON text.
    const quoted = await agent.use('read_action', { app, action: 'list_listings', input: '{"limit":1}' })
    expect(quoted.body['listings']).toHaveLength(1)
    const reads = JSON.stringify([{ app, action: 'list_listings', input: '{"limit":1}' }])
    expect((await agent.use('read_actions', { reads })).body).toMatchObject({ results: [{ output: quoted.body }] })
    const wrong = await agent.use('read_action', { app, action: 'list_listings', input: '[1]' })
    expect(wrong.body).toMatchObject({
      message: 'Fix the fields named in details.',
      details: [{ path: 'input', message: 'must be an object, not a text' }],
    })
    const hostile = await agent.use('read_action', { app, action: 'list_listings', input: '{"__proto__":{}}' })
    expect(hostile.body['error']).toBe('invalid_json')
    const [call] = (await agent.use('list_calls', { limit: 1 })).body['calls'] as { call_id: string }[]
    expect((await agent.use('get_call', { call_id: call?.call_id })).body).toMatchObject({ status: 'executed' })
    await agent.close()
  })

  it('apps that are not there are told with those that are', async () => {
    const { key } = await stack.user({ accounts: [] })
    for (const path of ['/mcp/no-such-app', '/mcp?apps=crm,no-such-app']) {
      const { status, error } = await post(`${stack.publicUrl}${path}`, '{}', { Authorization: `Bearer ${key}` })
      expect([path, status, error.data?.['error']]).toEqual([path, 404, 'unknown_app'])
      expect(error.data?.['valid_names']).toContain(app)
    }
    for (const path of ['/mcp?apps=', '/mcp?apps=crm&apps=crm', '/mcp?app=crm', '/mcp/crm?apps=crm']) {
      const { status, error } = await post(`${stack.publicUrl}${path}`, '{}', { Authorization: `Bearer ${key}` })
      expect([path, status, error.data?.['error']]).toEqual([path, 400, 'invalid_input'])
    }
    const answer = await ask(`${stack.publicUrl}/mcp/crm/list_clients`, { key, json: {} })
    expect([answer.status, answer.body['error']]).toEqual([404, 'not_found'])
  })

  it.each(['2025', '2026'] as const)(
    'the %s client gets an answer of each tool, as text and as structure',
    async (era) => {
      const user = await stack.user()
      const contact_id = await firstContact(user)
      const own = await Agent.connect(stack.publicUrl, user.key, { era, path: `/mcp?apps=${app}` })
      await own.client.listTools()
      expect((await own.use('property_advertising_list_listings', { limit: 1 })).body).toHaveProperty('listings')
      const asked = await own.use('property_advertising_reply_to_contact', { contact_id, message: 'Hello' })
      expect(asked.body).toMatchObject({ status: 'awaiting_confirmation' })
      expect(await own.use('property_advertising_list_listings', { limit: 0 })).toMatchObject({ isError: true })
      const all = await Agent.connect(stack.publicUrl, user.key, { era })
      await all.client.listTools()
      const found = await all.use('search_actions', { words: 'zzz' })
      expect(found.body).toMatchObject({ actions: [], total: 0, apps: expect.arrayContaining([app]) as string[] })
      const { body } = await all.use('list_connections')
      expect(body['connections']).toMatchObject([{ app, account: user.account.id, state: 'connected' }])
      expect(JSON.stringify(body), 'no link for what works').not.toContain('connect_url')
      const link = await all.use('connect_app', { app, account: user.account.id })
      expect(link.body['connect_url']).toBe(`${stack.publicUrl}/connect/${app}?account=${user.account.id}`)
      expect(await all.use('connect_app', { app, account: 'acct_none' })).toMatchObject({
        isError: true,
        body: { error: 'unknown_account' },
      })
      const { call_id } = asked.body
      expect((await all.use('get_call', { call_id, wait: 0 })).body).toMatchObject({ call_id, app })
      expect((await all.use('list_calls', { limit: 1 })).body['next_cursor']).toEqual(expect.any(String))
      expect((await all.use('cancel_call', { call_id })).body).toMatchObject({ call_id, status: 'cancelled' })
      expect(await all.use('cancel_call', { call_id })).toMatchObject({ isError: true })
      await own.close()
      await all.close()
    },
  )
})
