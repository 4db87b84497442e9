import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { connect } from '../../core/accounts/sessions.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { ask } from '../api/http/gateway.ts'
import { connectorCommand, cornerShop, shopFiles, shopPackage, shopSession } from '../support/corner-shop.ts'
import type { CornerShop, ShopPackage } from '../support/corner-shop.ts'
import { askAsOperator } from '../support/operator.ts'
import type { TestUser } from '../support/user.ts'

const reads = `import { AppRefused, Type, closed, endpoint, id, labelled, refTo, rows, text } from '@callgate/kit'

const order = { order_id: refTo('order'), note: Type.String() }
const told = ({ id, note }) => ({ order_id: text(id), note })

export const get_order = endpoint({
  summary: 'Get an order.', label: 'Get an order', brief: ['order_id'], access: 'read',
  request: 'GET /orders/{order_id}',
  input: { order_id: labelled('Order', id('order', 'Of list_orders.')) },
  output: order,
  decode: ({ orders }, { input }) => {
    const found = rows(orders).map(told).find((one) => one.order_id === input.order_id)
    if (found === undefined) throw new AppRefused('not_found', 'There is none.')
    return found
  },
})

export const list_orders = endpoint({
  summary: 'List the orders of the shop.', label: 'List orders', brief: [], access: 'read',
  request: 'GET /orders',
  input: {},
  output: { orders: Type.Array(closed(order)), open: Type.Union([Type.Boolean(), Type.Null()]) },
  decode: ({ orders, open }) => ({ orders: orders.map(told), open: open ?? null }),
})
`

let stack: Stack
let shop: CornerShop
let source: ShopPackage
let user: TestUser
beforeAll(async () => {
  stack = await startStack()
  shop = await cornerShop()
  const files = shopFiles(shop.host)
  source = await shopPackage({
    ...files,
    'orders.ts': reads,
    'index.ts': (files['index.ts'] ?? '').replace(
      'things: {}',
      `things: { order: { label: 'order', toldBy: [{ read: 'list_orders', at: 'orders', id: 'order_id' }], title: ['note'], facts: [] } }`,
    ),
  })
  user = await stack.user({ accounts: [] })
  shop.orders.push({ id: 'o1', note: 'SECRET-NOTE' })
  expect(await command('add', source.folder, '--yes')).toMatchObject({ code: 0, said: '' })
  await connect(stack.ctx, {
    ...{ owner: user.id, app: 'corner-shop', externalId: 'ann', label: 'Ann', session: shopSession },
  })
  await vi.waitUntil(() => stack.ctx.apps.get('corner-shop') !== undefined, { timeout: 120_000 })
})
afterAll(async () => {
  await source[Symbol.asyncDispose]()
  await shop[Symbol.asyncDispose]()
  await stack.stop()
})

const command = (...args: readonly string[]) =>
  connectorCommand(
    { ...stack, env: { CALLGATE_URL: `${stack.publicUrl}/api/v1`, CALLGATE_API_KEY: user?.key ?? '' } },
    ...args,
  )
const scale = async (...args: readonly string[]) => (await command('scale', source.folder, ...args)).out
const live = async () => JSON.parse(await readFile(path.join(source.folder, 'live.json'), 'utf8')) as unknown
const listed = async () => {
  const { body } = await ask(`${stack.url}/apps`, { key: user.key })
  return (body as { apps: { slug: string; scale?: string }[] }).apps.find(({ slug }) => slug === 'corner-shop')
}

it('reads are made live as they were recorded, with ids of now where those of then are gone, and no value is kept', async () => {
  expect(await scale()).toMatch(
    /✗ bronze: [^]*list_orders: connector try … --keep success[^]*corner-shop is not bronze yet/,
  )
  expect((await command('try', source.folder, 'list_orders', '--keep', 'success')).code).toBe(0)
  expect((await command('try', source.folder, 'get_order', '{"order_id":"o1"}', '--keep', 'success')).code).toBe(0)
  expect(await scale()).toMatch(
    /✓ bronze[^]*get_order: connector try … --keep signed_out[^]*list_orders gives a list without next_cursor[^]*corner-shop is bronze/,
  )
  shop.orders.splice(0, 1, { id: 'o2', note: 'SECRET-OTHER' })
  const { code, out } = await command('test', source.folder, '--live', '--reads')
  expect([code, out]).toEqual([0, '✓ list_orders\n✓ get_order\n'])
  expect(await live()).toMatchObject({ reads: { get_order: [], list_orders: [] }, failed: {} })
  expect(await scale()).toContain('✓ gold: every read was made live')
  expect(JSON.stringify(await live())).not.toMatch(/SECRET|o1|o2/)
})

it('what came otherwise is told, and what did not come keeps it from gold', async () => {
  shop.orders.splice(0)
  const { code, out } = await command('test', source.folder, '--live', '--reads')
  expect(code).toBe(1)
  expect(out).toContain('✓ list_orders, not as it was recorded:\n    $.orders was list, is empty list')
  expect(out).toContain('✗ get_order: app_rejected (not_found)')
  expect(await scale()).toMatch(/✗ gold: every read was made live[^]*get_order: app_rejected/)
  expect((await command('test', source.folder, '--live')).said).toContain('--live and --reads go together')
  expect((await command('test', source.folder, 'add_order', '--live', '--reads')).said).toContain(
    'corner-shop has no read add_order',
  )
})

it('a change of the sources ends what was tried with those of before', async () => {
  shop.orders.push({ id: 'o3', note: 'Rye' })
  await command('test', source.folder, '--live', '--reads')
  expect(await scale()).toContain('✓ gold: every read was made live')
  await source.write('orders.ts', reads.replace('Get an order.', 'Get one order.'))
  expect(await scale()).toMatch(/✗ gold: every read was made live[^]*live\.json is not there, or of other sources/)
  expect((await command('test', source.folder, '--live', '--reads')).said).toContain('another version of corner-shop')
  await source.write('orders.ts', reads)
})

it('gold is all of it: said where it cannot be, told to the gateway, shown where apps are listed, and gone with the next version', async () => {
  expect((await command('try', source.folder, 'list_orders', '--signed-out', '--keep', 'signed_out')).code).toBe(0)
  expect(
    (await command('try', source.folder, 'get_order', '{"order_id":"o3"}', '--signed-out', '--keep', 'signed_out'))
      .code,
  ).toBe(0)
  expect((await command('try', source.folder, 'get_order', '{"order_id":"none"}', '--keep', 'not_found')).code).toBe(1)
  await source.write(
    'recordings/declared.json',
    JSON.stringify({ whole: { list_orders: 'The shop gives all.', get_order: 'None.' } }),
  )
  const manifest = JSON.parse(await readFile(path.join(source.folder, 'package.json'), 'utf8')) as { callgate: object }
  const watched = (watch: object) =>
    source.write('package.json', JSON.stringify({ ...manifest, callgate: { ...manifest.callgate, watch } }))
  await watched({ list_orders: { limit: 1 }, get_orders: {} })
  const open = await scale()
  expect(open).toContain('recordings/declared.json says "whole" of get_order, which is not so')
  expect(open).toMatch(/list_orders: .*limit.*\n +there is no endpoint get_orders/)
  await source.write('recordings/declared.json', JSON.stringify({ whole: { list_orders: 'The shop gives all.' } }))
  await watched({ list_orders: {} })
  expect((await command('test', source.folder, '--live', '--reads')).code).toBe(0)
  expect(await scale('--tell')).toMatch(/corner-shop is gold\n$/)
  await vi.waitUntil(async () => (await listed())?.scale === 'gold', { timeout: 120_000, interval: 500 })
  const html = await (await fetch(`${stack.publicUrl}/docs`)).text()
  expect(html).toMatch(/>\s*gold\s*</)
  const { body } = await askAsOperator(stack, 'POST', '/connectors/corner-shop/scale', { hash: 'other', level: 'gold' })
  expect(body).toMatchObject({ error: 'invalid_input', message: expect.stringContaining('of this version') })
  await source.write('orders.ts', reads.replace('Get an order.', 'Get one order.'))
  expect((await command('update', source.folder, '--yes')).code).toBe(0)
  await vi.waitUntil(async () => (await listed()) !== undefined && (await listed())?.scale === undefined, {
    timeout: 120_000,
    interval: 500,
  })
})
