import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { connect } from '../../core/accounts/sessions.ts'
import { agreeToWatch } from '../../core/watch/watches.ts'
import { dueLook, makeLook } from '../../core/watch/look.ts'
import { lookOf } from '../../core/watch/start.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { connectorCommand, cornerShop, shopFiles, shopPackage, shopSession } from '../support/corner-shop.ts'
import type { CornerShop, ShopPackage } from '../support/corner-shop.ts'
import { askAsOperator } from '../support/operator.ts'
import type { TestUser } from '../support/user.ts'

const marker = 'MARKER-of-ann-prado'
const reads = `import { Type, UnknownShape, endpoint, rows } from '@callgate/kit'

const loose = Type.Union([Type.String(), Type.Number(), Type.Null()])

export const list_orders = endpoint({
  summary: 'List the orders of the shop.', label: 'List orders', brief: [], access: 'read',
  request: 'GET /orders',
  input: {},
  output: { orders: Type.Array(Type.Object({ id: Type.String(), note: loose })) },
  decode: ({ orders }) => ({ orders: rows(orders).map(({ id, note = null }) => {
    if (typeof id !== 'string') throw new UnknownShape('no id of an order')
    return { id, note }
  }) }),
})
`

let stack: Stack
let shop: CornerShop
let source: ShopPackage
let user: TestUser
let account: string
let watch: string
beforeAll(async () => {
  stack = await startStack()
  shop = await cornerShop()
  source = await shopPackage({ ...shopFiles(shop.host), 'orders.ts': reads })
  user = await stack.user({ accounts: [] })
  expect(await command('add', source.folder, '--yes')).toMatchObject({ code: 0, said: '' })
  account = await connect(stack.ctx, {
    ...{ owner: user.id, app: 'corner-shop', externalId: 'ann', label: 'Ann', session: shopSession },
  })
  await vi.waitUntil(() => stack.ctx.apps.get('corner-shop') !== undefined, { timeout: 120_000 })
})
afterAll(async () => {
  await source[Symbol.asyncDispose]()
  await shop[Symbol.asyncDispose]()
  await stack.stop()
})

const command = (...args: readonly string[]) => connectorCommand(stack, ...args)

interface Told {
  readonly outcomes: readonly { readonly endpoint: string; readonly outcome: string; readonly times: number }[]
  readonly changes: readonly Readonly<Record<string, unknown>>[]
  readonly watches: readonly Readonly<Record<string, unknown>>[]
}
const told = async () => (await askAsOperator(stack, 'GET', '/apps/corner-shop/watch')).body as unknown as Told
const row = async () =>
  (await stack.ctx.db.query<Record<string, unknown>>('SELECT * FROM watches WHERE id = $1', [watch])).rows[0] ?? {}

/** The look of another day, as a worker makes it. */
async function look(day: string): Promise<void> {
  const due = await dueLook(stack.ctx.db, lookOf(watch, day))
  if (due === undefined) throw new Error(`there is no look on ${day}`)
  await makeLook(stack.ctx, due)
}
const order = (note: unknown, id: unknown = 'o1') => {
  shop.orders.splice(0, shop.orders.length, { id, note } as { id: string; note: string })
  onTestFinished(() => void shop.orders.splice(0))
}

it('what calls came to is counted by endpoint and outcome', async () => {
  order(marker)
  for (const _ of [1, 2]) expect((await user.send('POST', '/corner-shop/list_orders', {})).status).toBe(200)
  order(marker, 7)
  expect((await user.send('POST', '/corner-shop/list_orders', {})).status).toBe(502)
  await vi.waitUntil(async () => (await told()).outcomes.reduce((sum, { times }) => sum + times, 0) === 3, {
    timeout: 120_000,
    interval: 500,
  })
  const { outcomes, changes } = await told()
  expect(outcomes.map(({ endpoint, outcome, times }) => [endpoint, outcome, times])).toEqual([
    ['list_orders', 'app_changed', 1],
    ['list_orders', 'executed', 2],
  ])
  expect(changes).toMatchObject([
    {
      endpoint: 'list_orders',
      kind: 'rule',
      place: 'no id of an order after $.orders[*].note: a text',
      times: 1,
      words: 'in a call',
    },
  ])
  expect(changes[0]?.['excerpt']).toBe('orders:\n  [\n    id: number\n    note: string')
})

it('a read is watched with its owner’s word only, once a day, for nothing, and what it says is not kept', async () => {
  order(marker)
  const asked = await command('watch', source.folder, 'list_orders', '--account', account)
  expect(asked.out).toMatch(/^list_orders: watch_\w+, to be agreed to/)
  watch = /watch_\w+/.exec(asked.out)?.[0] ?? ''
  expect((await command('watch', source.folder, 'list_orders', '--account', account)).out, 'the same again').toContain(
    watch,
  )
  await vi.waitFor(async () => expect(await row()).toMatchObject({ agreed_at: null, last_at: null }), {
    timeout: 120_000,
  })
  expect(await agreeToWatch(stack.ctx, 'somebody', watch)).toBe(false)
  const credits = async () => (await user.send('GET', '/usage')).body['credits_left']
  const before = await credits()
  expect(await agreeToWatch(stack.ctx, user.id, watch)).toBe(true)
  await vi.waitUntil(async () => (await row())['last_result'] === 'ok', { timeout: 120_000, interval: 300 })
  expect(await credits()).toBe(before)
  const { last_day: day, next_at: next } = await row()
  expect(new Date(String(next)).getTime() - Date.now()).toBeGreaterThan(22 * 3_600_000)
  // Due again by mistake: the engine has each day's look only once, and so has the row.
  await stack.ctx.db.query('UPDATE watches SET next_at = now() WHERE id = $1', [watch])
  await vi.waitUntil(async () => new Date(String((await row())['next_at'])).getTime() > Date.now() + 3_600_000, {
    timeout: 120_000,
    interval: 300,
  })
  const today = new Date().toISOString().slice(0, 10)
  expect(await dueLook(stack.ctx.db, lookOf(watch, today))).toBeUndefined()
  expect((await row())['last_day']).toEqual(day)
  expect(JSON.stringify([await row(), await told()])).not.toContain('MARKER')
})

it('what is another than before is told since when, stays while it is so, and says nothing of the app', async () => {
  const shown = async () =>
    (await told()).changes.map(({ kind, place, times, looks_since: since }) => [kind, place, times, since])
  const closed = async (day: string) => {
    order(marker)
    for (const one of ['1', '2', '3']) await look(`${day}-0${one}`)
    return shown()
  }
  expect(await closed('2099-01'), 'what calls met is over after three good looks').toEqual([])
  order(4711)
  await look('2099-02-01')
  await look('2099-02-02')
  expect(await shown()).toEqual([['type', '$.orders[*].note', 2, 0]])
  order(null)
  await look('2099-02-03')
  shop.orders.splice(0)
  await look('2099-02-04')
  order(marker, 8)
  await look('2099-02-05')
  expect(await shown()).toEqual([
    ['rule', 'no id of an order after $.orders[*].note: a text', 1, 0],
    ['empty', '$.orders', 1, 0],
    // An empty list shows nothing of what stands in it.
    ['gone', '$.orders[*].note', 1, 0],
    ['type', '$.orders[*].note', 2, 1],
  ])
  expect((await told()).watches).toMatchObject([{ id: watch, last_result: 'changed' }])
  const metrics = async () => (await fetch(`${stack.adminUrl}/metrics`)).text()
  expect(await metrics()).toMatch(/callgate_app_changes\{app="corner-shop",kind="gone"\} 1/)
  expect(JSON.stringify([await told(), await row()])).not.toMatch(/MARKER|4711/)
  expect(await closed('2099-03')).toEqual([])
})

it('two workers at one look, one of which is late or began again after it died, make it once', async () => {
  order({})
  const due = await dueLook(stack.ctx.db, lookOf(watch, '2099-04-01'))
  if (due === undefined) throw new Error('not due')
  await Promise.all([makeLook(stack.ctx, due), makeLook(stack.ctx, due)])
  expect((await told()).changes).toMatchObject([{ kind: 'rule', times: 1 }])
})

it('an operator closes a change: a rule comes back when it is seen again, a shape is taken as it is', async () => {
  const close = async () => {
    const [{ endpoint, kind, place } = {}] = (await told()).changes
    return (await askAsOperator(stack, 'POST', '/apps/corner-shop/changes/close', { endpoint, kind, place })).status
  }
  order({})
  expect([await close(), (await told()).changes]).toEqual([200, []])
  await look('2099-05-01')
  expect((await told()).changes).toMatchObject([{ kind: 'rule', times: 1 }])
  expect([await close(), await close()]).toEqual([200, 400])
  shop.orders.splice(0)
  await look('2099-05-02')
  expect((await told()).changes).toMatchObject([{ kind: 'empty' }])
  expect(await close()).toBe(200)
  await look('2099-05-03')
  expect((await told()).changes).toEqual([])
})

it('without a session the app is not asked, which is said, and an ended one is never made again', async () => {
  await stack.ctx.db.query(
    `UPDATE accounts SET session = NULL, state = 'expired', reason = 'AUTH_EXPIRED' WHERE id = $1`,
    [account],
  )
  await look('2099-06-01')
  expect((await told()).watches).toMatchObject([{ last_result: 'no_session' }])
  expect((await command('watch', source.folder, '--end', watch)).code).toBe(0)
  expect(await dueLook(stack.ctx.db, lookOf(watch, '2099-06-02'))).toBeUndefined()
  expect((await command('watch', source.folder, '--end', watch)).code).toBe(1)
  expect((await command('watch', source.folder, 'add_order', '--account', account)).code).toBe(1)
})
