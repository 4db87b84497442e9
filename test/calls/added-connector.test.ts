import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { connect } from '../../core/accounts/sessions.ts'
import { makeStanding } from '../../core/approvals/standing-rules.ts'
import { setConfirm } from '../../core/accounts/settings.ts'
import { fetched } from '../../scripts/connector/fetched.ts'
import { lookAt, lookAtFetched } from '../../scripts/connector/look.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { ask } from '../api/http/gateway.ts'
import { shownOn } from '../connectors/hostile/page.ts'
import { send2025 } from '../mcp/raw.ts'
import { connectorCommand, cornerShop, shopFiles, shopPackage, shopSession } from '../support/corner-shop.ts'
import type { CornerShop, ShopPackage } from '../support/corner-shop.ts'
import { red, startFileHost } from '../support/album.ts'
import { balancedLedger } from '../support/ledger.ts'
import { askAsOperator } from '../support/operator.ts'
import { packageRegistry } from '../support/package-registry.ts'
import type { TestUser } from '../support/user.ts'

let stack: Stack
let other: string
let shop: CornerShop
let source: ShopPackage
let user: TestUser
let account: string
beforeAll(async () => {
  stack = await startStack({ settings: { FILE_ALLOW: '127.0.0.1/32' } })
  other = await stack.anotherApi()
  shop = await cornerShop()
  source = await shopPackage(shopFiles(shop.host))
  user = await stack.user({ accounts: [] })
})
afterAll(async () => {
  await source[Symbol.asyncDispose]()
  await shop[Symbol.asyncDispose]()
  await stack.stop()
})

const command = (...args: readonly string[]) => connectorCommand(stack, ...args)
const operator = (route: string, body: object) => askAsOperator(stack, 'POST', `/connectors${route}`, body)
const partsOf = async ({ folder }: ShopPackage) => {
  const { package: from, hosts, code } = await lookAt(folder)
  return { package: from, hosts, code }
}
const at = (base: string, path: string, json?: object) =>
  ask(`${base}${path}`, { key: user.key, ...(json && { json }) })
const statusAt = async (base: string, path = '/corner-shop') => (await at(base, path)).status
/** No oftener than an address may ask for pages, 120 times a minute. */
const soon = { interval: 300 }

it('one command shows what a connector may reach and does, and adds it', async () => {
  expect((await command('add', source.folder)).said).toContain('--yes says that it was agreed to')
  const { code, out } = await command('add', source.folder, '--yes')
  expect([code, out]).toEqual([
    0,
    expect.stringContaining(`${shop.host}  NOT ENCRYPTED  REACHES THE PRIVATE ADDRESS 127.0.0.1`),
  ])
  expect(out).toMatch(/add_order +write +Add an order \(POST, adds, asks first\)/)
})

it('it is there within seconds in every process, also in one that starts later, and is marked', async () => {
  for (const base of [stack.url, other]) await expect.poll(() => statusAt(base), soon).toBe(200)
  const later = await stack.anotherApi()
  expect(await statusAt(later)).toBe(200)
  const { apps } = (await at(other, '/apps')).body as { apps: { slug: string; built_in?: false }[] }
  expect(apps.filter(({ built_in }) => built_in === false).map(({ slug }) => slug)).toEqual(['corner-shop'])
  const document = (await ask(`${stack.publicUrl}/openapi.json`)).body as { paths: object; tags: { name: string }[] }
  expect(Object.keys(document.paths)).toContain('/corner-shop/add_order')
  const marked = document.tags.filter((tag) => 'x-callgate-built-in' in tag)
  expect(marked).toEqual([expect.objectContaining({ name: 'corner-shop', 'x-callgate-built-in': false })])
  const lines = (await (await fetch(`${stack.publicUrl}/llms.txt`)).text()).split('\n')
  expect(lines.filter((line) => line.includes('added by the operator'))).toEqual([
    expect.stringContaining('`corner-shop`, 4 endpoints'),
  ])
  const person = await user.person()
  expect(await (await person.get('/docs/corner-shop')).text()).toContain('Add an order.')
  const note = 'An operator of this gateway added this app, as <code>corner-shop@1.0.0</code>'
  for (const page of ['/docs/corner-shop', '/apps/corner-shop', '/connect/corner-shop'])
    expect(await (await person.get(page)).text(), page).toContain(note)
  expect(await (await person.get('/docs/crm')).text()).not.toContain('An operator of this gateway added')
  for (const page of ['/docs', '/apps']) {
    const marks = (await (await person.get(page)).text()).match(/>[^<>]+<span class="tag" title="[^"]*added it">/g)
    expect(marks, page).toEqual([expect.stringMatching(/^>Corner shop /)])
  }
})

it('its reads and writes are made over HTTP and MCP, and it asks first although it does not say so', async () => {
  account = await connect(stack.ctx, {
    ...{ owner: user.id, app: 'corner-shop', externalId: 'ann', label: 'Ann', session: shopSession },
  })
  expect((await at(other, '/corner-shop/list_orders', {})).body).toEqual({ orders: [] })
  const about = (app: string) => ({ name: 'get_action', arguments: app === 'crm' ? inCrm : inShop })
  const [inShop, inCrm] = [
    { app: 'corner-shop', action: 'list_orders' },
    { app: 'crm', action: 'list_projects' },
  ]
  const builtIn = async (app: string) => {
    const told = await send2025(`${stack.publicUrl}/mcp`, user.key, 'tools/call', about(app))
    return told.result['structuredContent']
  }
  expect(await builtIn('corner-shop')).toMatchObject({ name: 'list_orders', built_in: false })
  expect(await builtIn('crm')).not.toHaveProperty('built_in')
  const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } }
  const { instructions } = (await send2025(`${stack.publicUrl}/mcp`, user.key, 'initialize', hello)).result
  expect(instructions).toMatch(/ crm, .*corner-shop \(added by the operator\)/)
  const { result } = await send2025(`${stack.publicUrl}/mcp/corner-shop`, user.key, 'tools/list')
  expect(JSON.stringify(result)).toContain('Add an order. A person approves it first.')
  const tool = await send2025(`${stack.publicUrl}/mcp/corner-shop`, user.key, 'tools/call', {
    name: 'list_orders',
    arguments: {},
  })
  expect(tool.result['structuredContent']).toEqual({ orders: [] })

  const { status, body } = await at(other, '/corner-shop/add_order', { note: 'Two loaves' })
  expect(status).toBe(202)
  const person = await user.person()
  const page = await (await person.get(`/confirm/${String(body['call_id'])}`)).text()
  expect(page).toContain('An operator of this gateway added this app')
  expect(page).toContain(`POST ${shop.host}/orders`)
  expect(page).toContain('{&quot;note&quot;:&quot;Two loaves&quot;,&quot;source&quot;:&quot;1.0.0&quot;}')
  // The list does not show the request, so it offers no decision.
  const list = await (await person.get('/waiting')).text()
  expect(list).toContain(`<a href="/confirm/${String(body['call_id'])}">read it, and decide, on its own page</a>`)
  expect(list).not.toContain('name="call"')
  expect(shop.orders).toEqual([])
  await user.approve(body['call_id'])
  expect(await user.record(body['call_id'], 20)).toMatchObject({
    status: 'executed',
    output: { id: 'o1', version: '1.0.0' },
  })
  expect(shop.orders).toEqual([{ id: 'o1', note: 'Two loaves' }])
})

it('a request made of pages that have changed since it was shown is not sent: the person is asked about the one of now', async () => {
  const { body } = await at(stack.url, '/corner-shop/add_to_order', { id: 'o1', note: 'and milk' })
  const call = String(body['call_id'])
  const person = await user.person()
  const page = async () => (await person.get(`/confirm/${call}`)).text()
  await expect.poll(page, soon).toContain('Two loaves and milk')
  shop.orders[0]!.note = 'Three loaves'
  await user.approve(call)
  await expect.poll(() => user.record(call), soon).toMatchObject({ status: 'awaiting_confirmation', asked_again: 1 })
  expect(shop.orders).toEqual([{ id: 'o1', note: 'Three loaves' }])
  await expect.poll(page, soon).toContain('Three loaves and milk')
  expect(await page()).toContain('You are asked again')
  await user.approve(call)
  expect(await user.record(call, 20)).toMatchObject({ status: 'executed', output: { note: 'Three loaves and milk' } })
})

it('a file is only words to its connector, and its page shows where it goes', async () => {
  await using host = await startFileHost()
  host.files.set('/shop.png', red)
  const { status, body } = await at(other, '/corner-shop/add_photo', {
    note: 'Front',
    photo: `${host.origin}/shop.png`,
  })
  expect(status).toBe(202)
  const page = await (await (await user.person()).get(`/confirm/${String(body['call_id'])}`)).text()
  expect(shownOn(page)?.body).toContainEqual(
    expect.stringContaining(`"photo"=[file shop.png, image/png, ${red.length} bytes, SHA-256 `),
  )
  host.files.clear()
  await user.approve(body['call_id'])
  expect(await user.record(body['call_id'], 20)).toMatchObject({ status: 'executed', output: { id: 'f1' } })
  const photo = shop.photos[0]?.get('photo')
  if (!(photo instanceof File)) throw new Error('no file arrived')
  expect([shop.photos[0]?.get('note'), Buffer.from(await photo.arrayBuffer())]).toEqual(['Front: shop.png', red])
})

it('an endpoint that an operator trusts asks no more', async () => {
  const wanted = { endpoint: 'add_order', trusted: true }
  expect((await operator('/corner-shop/trust', wanted)).body).toEqual({ slug: 'corner-shop', ...wanted })
  const confirms = async () => (await at(stack.url, '/corner-shop/endpoints/add_order')).body['confirm']
  await expect.poll(confirms, soon).toBe(false)
  const add = async () => (await at(stack.url, '/corner-shop/add_order', { note: 'Trusted' })).status
  await expect.poll(add, soon).toBe(200)
})

it('an update shows what changed against what the gateway has, and asks', async () => {
  const files = shopFiles(shop.host, '1.1.0')
  const find = `
export const find_orders = endpoint({
  summary: 'Find orders.', label: 'Find orders', brief: [], access: 'read', request: 'POST /find',
  input: {}, output: {}, encode: () => ({ json: {} }), decode: () => ({}),
})
`
  await using next = await shopPackage({
    ...files,
    'package.json': String(files['package.json']).replace('"hosts": [', '"hosts": ["https://cdn.example.com", '),
    'orders.ts': String(files['orders.ts']).replace('const add_order', 'const place_order') + find,
  })
  const { code, out } = await command('update', next.folder)
  expect(code).toBe(1)
  const [shownNow = '', changed = ''] = out.split('Changed against corner-shop@1.0.0')
  expect(shownNow).toMatch(/It may reach\n +https:\/\/cdn\.example\.com\n/)
  expect(shownNow).toMatch(
    /Without an approval[^]* {2}find_orders reads with POST \/find: asks first until you trust it\n/,
  )
  expect(changed.trim().split('\n')).toEqual([
    '+ host: https://cdn.example.com',
    '  - without an approval: add_order writes without asking once you trust it',
    '  + without an approval: find_orders reads with POST /find: asks first until you trust it',
    '  + without an approval: place_order writes without asking once you trust it',
    '  - add_order: write  Add an order (POST, adds, never asks)',
    '  + find_orders: write  Find orders (POST, changes, asks first)',
    '  + place_order: write  Add an order (POST, adds, asks first)',
    '  - add_order, which you trusted, is gone',
  ])
})

it('a new version asks again, and reads the answers of calls that waited for the one before', async () => {
  await operator('/corner-shop/trust', { endpoint: 'add_order', trusted: false })
  await expect.poll(() => stack.ctx.apps.get('corner-shop')?.endpoints.get('add_order')?.confirm, soon).toBe(true)
  const waits = await at(stack.url, '/corner-shop/add_order', { note: 'Waits' })
  const endpoint = stack.ctx.apps.get('corner-shop')?.endpoints.get('add_order')
  if (endpoint === undefined) throw new Error('no endpoint')
  const bounds = { key: null, perDay: null, only: null, until: null }
  await makeStanding(stack.ctx, { owner: user.id, account, endpoint, ...bounds })
  await setConfirm(stack.ctx, user.id, 'corner-shop', 'add_order', { confirm: false })

  for (const [file, content] of Object.entries(shopFiles(shop.host, '2.0.0'))) await source.write(file, content)
  expect((await operator('/corner-shop/update', await partsOf(source))).status).toBe(200)
  const { rows } = await stack.ctx.db.query(
    `SELECT (SELECT count(*)::integer FROM endpoint_settings WHERE confirm = false) AS switched_off,
       (SELECT count(*)::integer FROM standing_approvals WHERE revoked_at IS NULL) AS standing`,
  )
  expect(rows).toEqual([{ switched_off: 0, standing: 0 }])
  expect((await at(other, '/corner-shop/add_order', { note: 'Asks' })).status).toBe(202)

  // The worker looks once a second, and nobody can ask it what it has.
  await pause(3_000)
  await user.approve(waits.body['call_id'])
  expect(await user.record(waits.body['call_id'], 20)).toMatchObject({
    status: 'executed',
    output: { version: '2.0.0' },
  })
})

it('a removed one is gone, its waiting calls end and cost nothing', async () => {
  const { body } = await at(stack.url, '/corner-shop/add_order', { note: 'Never sent' })
  const sent = shop.orders.length
  expect((await operator('/corner-shop/remove', {})).body).toEqual({ slug: 'corner-shop', removed: true })
  const record = await user.record(body['call_id'], 10)
  expect(record).toMatchObject({ status: 'failed', credits_used: 0, error: { error: 'definition_changed' } })
  expect(JSON.stringify(record)).toContain('An operator took corner-shop.add_order away')
  for (const base of [stack.url, other]) await expect.poll(() => statusAt(base), soon).toBe(404)
  expect((await at(other, '/corner-shop/list_orders', {})).body['error']).toBe('unknown_app')
  const gone = await send2025(`${stack.publicUrl}/mcp/corner-shop`, user.key, 'tools/list')
  expect(gone.status).toBe(404)
  expect((await (await user.person()).get(`/confirm/${String(body['call_id'])}`)).status).toBe(200)
  expect((await balancedLedger(stack.ctx, user.id)).reserved).toBe(0)
  expect(shop.orders).toHaveLength(sent)
})

it('of two adds at once one counts, and one of a name that Callgate has is refused', async () => {
  const parts = await partsOf(source)
  const adds = [parts, { ...parts, code: `${parts.code}\n// another` }]
  const both = await Promise.all(adds.map((one) => operator('', { slug: 'two-shops', ...one })))
  expect(both.map(({ status }) => String(status)).toSorted()).toEqual(['200', '400'])
  expect(JSON.stringify(both)).toContain('two-shops is there already')
  const shadow = await operator('', { slug: 'crm', ...parts })
  expect(shadow.body['message']).toContain('a name that Callgate has already')
})

it('it comes back under the same name, and its accounts are to be connected again', async () => {
  expect((await operator('', { slug: 'corner-shop', ...(await partsOf(source)) })).status).toBe(200)
  await expect.poll(() => statusAt(other), soon).toBe(200)
  expect((await at(other, '/corner-shop/list_orders', {})).body['error']).toBe('AUTH_REQUIRED')
})

const bad: readonly (readonly [what: string, file: string, from: string, to: string, said: string])[] = [
  [
    'reaches a module of Node',
    'orders.ts',
    'const note',
    "import 'node:fs'\nconst note",
    'orders.ts:3: imports node:fs',
  ],
  ['does not parse', 'orders.ts', 'const note', 'const const note', 'orders.ts:3:7'],
  [
    'has an endpoint without a label',
    'orders.ts',
    "label: 'Add an order',",
    '',
    'orders.ts:15: add_order has no label',
  ],
  ['fails on its way in', 'index.ts', 'export default', "throw new Error('oh')\nexport default", 'index.ts:4: oh'],
  ['leads elsewhere', 'index.ts', "origin: 'http:", "origin: 'https:", 'which is not among its hosts'],
  ['is for another kit', 'package.json', '"api": 1', '"api": 7', 'package.json:7: api is 7'],
]
it.each(bad)('a package is refused whole that %s, with file and line', async (_, file, from, to, said) => {
  const files = shopFiles(shop.host, '1.0.0', 'bad-shop')
  await using broken = await shopPackage({ ...files, [file]: String(files[file]).replace(from, to) })
  await expect(lookAt(broken.folder)).rejects.toThrow(said)
})

it('a package of a registry is added by its exact version, with what it needs, and none of its scripts runs', async () => {
  const named = (name: string) => shopFiles(shop.host, '1.0.0', name)
  const marker = path.join(tmpdir(), `callgate-ran-${process.pid}`)
  const scripts = { preinstall: `touch ${marker}`, postinstall: `touch ${marker}` }
  const withScripts = (file: string | undefined) => JSON.stringify({ ...JSON.parse(file ?? ''), scripts }, null, 2)
  const needs = named('@club/callgate-needs')
  const scripted = named('scripted')
  await using registry = await packageRegistry([
    {
      ...needs,
      'package.json': JSON.stringify({ ...JSON.parse(needs['package.json'] ?? ''), dependencies: { words: '1.0.0' } }),
      'orders.ts': `import { adds } from 'words'\n${needs['orders.ts']?.replace("'Add an order.'", 'adds')}`,
    },
    {
      'package.json': withScripts('{ "name": "words", "version": "1.0.0", "type": "module", "main": "words.js" }'),
      'words.js': `export const adds = 'Adds what somebody ordered.'`,
    },
    { ...scripted, 'package.json': withScripts(scripted['package.json']) },
    { 'package.json': '{ "name": "plain", "version": "1.0.0" }' },
    named('altered'),
    named('another'),
  ])
  registry.packages.altered!.tarball = registry.packages.scripted!.tarball
  registry.packages.renamed = registry.packages.another!
  for (const [name, value] of Object.entries(registry.npm)) vi.stubEnv(name, value)
  onTestFinished(() => void vi.unstubAllEnvs())

  const refusals = [
    ['no-such-package@1.0.0', 'the registry that npm is set to does not have it'],
    ['plain@7.0.0', 'there is no such version of it'],
    ['plain@^1.0.0', 'is neither a folder nor a package with its exact version'],
    ['plain@latest', 'is neither a folder nor a package with its exact version'],
    ['plain', 'is neither a folder nor a package with its exact version'],
    ['plain@1.0.0', 'plain@1.0.0/package.json:1: there is no "callgate"'],
    ['scripted@1.0.0', 'scripted@1.0.0/package.json:13: a connector has no install scripts, and "preinstall" is one'],
    ['altered@1.0.0', 'what came is not what the registry says that it is'],
    ['renamed@1.0.0', 'renamed@1.0.0 says of itself that it is another@1.0.0'],
  ] as const
  for (const [wanted, why] of refusals) {
    const looked = async () => {
      await using source = await fetched(wanted)
      return await lookAtFetched(source)
    }
    await expect(looked(), wanted).rejects.toThrow(why)
  }
  const wanted = '@club/callgate-needs@1.0.0'
  const { code, said } = await connectorCommand({ ...stack, env: registry.npm }, 'add', wanted, '--yes')
  expect([code, said]).toEqual([0, ''])
  await expect.poll(() => statusAt(other, '/needs'), soon).toBe(200)
  expect((await at(other, '/needs/endpoints/add_order')).body['summary']).toBe('Adds what somebody ordered.')
  expect(existsSync(marker)).toBe(false)
})

it('one whose code was changed behind the back of the gateway is off, and everything else serves', async () => {
  await stack.ctx.db.query(`ALTER TABLE connector_bundles DROP CONSTRAINT connector_bundles_check`)
  await stack.ctx.db.query(
    `UPDATE connector_bundles SET code = code || ' ' WHERE hash = (SELECT hash FROM added_connectors WHERE slug = 'corner-shop')`,
  )
  const later = await stack.anotherApi()
  expect((await at(later, '/corner-shop')).status).toBe(503)
  expect((await at(later, '/crm')).status).toBe(200)
})
