import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { connect } from '../../core/accounts/sessions.ts'
import { testConnector } from '../../scripts/connector/test.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { ask } from '../api/http/gateway.ts'
import { connectorCommand, cornerShop, shopFiles, shopPackage, shopSession } from '../support/corner-shop.ts'
import type { CornerShop, ShopPackage } from '../support/corner-shop.ts'
import { askAsOperator } from '../support/operator.ts'
import type { TestUser } from '../support/user.ts'

let stack: Stack
let shop: CornerShop
let source: ShopPackage
let user: TestUser
beforeAll(async () => {
  stack = await startStack()
  shop = await cornerShop()
  source = await shopPackage(shopFiles(shop.host))
  user = await stack.user({ accounts: [] })
  expect((await command('add', source.folder, '--yes')).code).toBe(0)
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
const kept = (name: string) => readFile(path.join(source.folder, 'recordings', `${name}.http`), 'utf8')
const begin = (app: string, endpoint: string) => askAsOperator(stack, 'POST', `/connectors/${app}/tries`, { endpoint })

it('a read tells what was asked and what came of it, and is kept as a recording without the session', async () => {
  shop.orders.push({ id: 'o1', note: 'Two \u001B[31mred\u202E loaves' })
  onTestFinished(() => void shop.orders.pop())
  const { code, out } = await command('try', source.folder, 'list_orders', '--keep', 'success')
  expect(out).toMatch(/✓ executed \(call_/)
  expect(out).toMatch(/ 1 {2}GET \/orders +200, application\/json, \d+ characters/)
  expect(out).toContain('orders: 1 of them, the first {"id":"o1"')
  expect(out, 'nothing that a terminal would act upon').not.toMatch(/[\u001B\u202E]/)
  expect(code).toBe(0)
  const text = await kept('list_orders/success')
  expect(text).toMatch(/^kind: success$/m)
  expect(text).toContain('cookie: sid=SECRET.sid')
  const lines: string[] = []
  await testConnector(source.folder, 'list_orders', (line) => lines.push(line))
  expect(lines).toContain('  ✓ success')
})

it('a write waits for its person, and nothing of it is kept before it talked to the app', async () => {
  const [before, running] = [
    shop.orders.length,
    command('try', source.folder, 'add_order', '{"note":"Rye"}', '--keep', 'success'),
  ]
  const waiting = async () => {
    const { body } = await ask(`${stack.url}/calls?status=awaiting_confirmation`, { key: user.key })
    return (body as { calls: { call_id: string }[] }).calls.at(0)
  }
  // Not oftener: a key may look 120 times a minute.
  const { call_id: id } = await vi.waitUntil(waiting, { timeout: 120_000, interval: 1_000 })
  expect(shop.orders).toHaveLength(before)
  await user.approve(id)
  const { code, out } = await running
  expect(out).toContain(`/confirm/${id}`)
  expect(out).toMatch(/ 1 {2}POST \/orders +201/)
  expect(code).toBe(0)
  expect(await kept('add_order/success')).toContain('"note": "Rye"')
  expect(shop.orders).toHaveLength(before + 1)
})

it('what is wrong with it is said, and it is not kept as what it is not', async () => {
  const table: readonly (readonly [args: readonly string[], code: number, said: RegExp])[] = [
    [['try', source.folder, 'list_orders', '{'], 2, /no JSON object/],
    [['try', source.folder, 'no_such'], 1, /corner-shop has no endpoint no_such/],
    [
      ['try', source.folder, 'list_orders', '--keep', 'refused'],
      1,
      /It was not kept: refused is expected to end as rejected/,
    ],
    [['try', source.folder, 'add_order', '{"note":7}'], 1, /invalid_input/],
    [
      ['try', source.folder, 'add_order', '{"note":"a"}', '--signed-out'],
      1,
      /POST \/orders would be sent, and was not/,
    ],
  ]
  const before = shop.orders.length
  for (const [args, code, says] of table) {
    const done = await command(...args)
    expect([done.code, done.out + done.said], args.join(' ')).toEqual([code, expect.stringMatching(says)])
  }
  expect(shop.orders).toHaveLength(before)
})

it('without a session a read is asked straight, and kept', async () => {
  const { code, out } = await command('try', source.folder, 'list_orders', '--signed-out', '--keep', 'signed_out')
  expect([code, out]).toEqual([0, expect.stringContaining('GET /orders   401')])
  expect(await kept('list_orders/signed-out')).toMatch(/^kind: signed_out$/m)
})

it('another version of the folder than the one that runs is not told of', async () => {
  await source.write('orders.ts', shopFiles(shop.host, '1.0.1')['orders.ts'] ?? '')
  onTestFinished(() => source.write('orders.ts', shopFiles(shop.host)['orders.ts'] ?? ''))
  expect((await command('try', source.folder, 'list_orders')).said).toMatch(/another version .*connector update/)
})

it('only the call that has its key is kept, once, of that endpoint, and nobody else hears of it', async () => {
  const { id, idempotency_key } = (await begin('corner-shop', 'list_orders')).body as {
    id: string
    idempotency_key: string
  }
  const call = (headers: Record<string, string>) =>
    ask(`${stack.url}/corner-shop/list_orders`, { key: user.key, json: {}, headers })
  const read = async () => (await askAsOperator(stack, 'GET', `/connectors/corner-shop/tries/${id}`)).body
  await call({})
  expect(await read()).toEqual({ id, call_id: null })
  await call({ 'Idempotency-Key': idempotency_key })
  expect(await read()).toMatchObject({ recording: expect.stringContaining('=== output') })
  const stored = await stack.ctx.db.query<{ recording: Buffer }>('SELECT recording FROM tries WHERE id = $1', [id])
  expect(stored.rows[0]?.recording.includes('=== output')).toBe(false)
  expect((await askAsOperator(stack, 'GET', `/connectors/crm/tries/${id}`)).status).toBe(404)
  expect((await begin('crm', 'list_projects')).status).toBe(400)
  expect((await begin('corner-shop', 'nothing')).status).toBe(400)
  await stack.ctx.db.query(`UPDATE tries SET expires_at = now() - interval '1 s' WHERE id = $1`, [id])
  expect((await askAsOperator(stack, 'GET', `/connectors/corner-shop/tries/${id}`)).status).toBe(404)
})
