import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { dayFromNow, values } from './app-caller.ts'
import type { AppCaller, Row } from './app-caller.ts'
import { bought, cents, openShop, told, total } from './digital-products-shop.ts'

let shop: AppCaller
beforeAll(async () => {
  shop = await openShop()
})
beforeEach(() => shop.sandbox.reset())
afterAll(() => shop.sandbox.close())

const orders = (input: Row, user?: string): Promise<Row[]> =>
  shop.every('list_orders', 'orders', { limit: 100, ...input }, undefined, user)
const subscribers = (input: Row): Promise<Row[]> =>
  shop.every('list_subscribers', 'subscribers', { limit: 100, ...input })
const products = (input: Row, user?: string): Promise<Row[]> => shop.rows('list_products', 'products', input, user)
const items = (order: Row | undefined): Row[] => order?.['items'] as Row[]
const day = (order: Row): string => String(order['date']).slice(0, 10)
/** Some of the rows, and not all of them. */
function picks(some: readonly Row[], all: readonly Row[], wanted: (row: Row) => boolean): void {
  expect(some).toEqual(all.filter(wanted))
  expect(some.length).toBeGreaterThan(0)
  expect(some.length).toBeLessThan(all.length)
}
function descends(rows: readonly Row[], key: string): void {
  const list = values(rows, key).map(String)
  expect(list).toEqual(list.toSorted().toReversed())
}

describe('orders', () => {
  test('are listed to the end, newest first, 25 at a time unless more or fewer are asked for', async () => {
    const all = await orders({})
    expect(all.length).toBe(420)
    expect(new Set(values(all, 'order_id')).size).toBe(420)
    descends(all, 'date')
    expect(await shop.rows('list_orders', 'orders', {})).toEqual(all.slice(0, 25))
    expect(await orders({ limit: 40 })).toEqual(all)
    const currencies = new Set(values(all, 'currency'))
    expect(currencies).toEqual(new Set(['EUR']))
  })

  test.each(['completed', 'refunded', 'partially_refunded'])('are filtered by the status %s', async (status) => {
    picks(await orders({ status }), await orders({}), (order) => order['status'] === status)
  })

  test('are filtered by buyer, in any capitals, by product and by order', async () => {
    const all = await orders({})
    const { email, order_id } = all[0]!
    const { product_id } = items(all[0])[0]!
    picks(await orders({ email }), all, (order) => order['email'] === email)
    expect(await orders({ email: String(email).toUpperCase() })).toEqual(await orders({ email }))
    picks(await orders({ product_id }), all, (order) => values(items(order), 'product_id').includes(product_id))
    picks(await orders({ order_id }), all, (order) => order['order_id'] === order_id)
    const none = [{ email: 'lukasz' }, { product_id: 'W-1' }, { order_id: 'S-1' }, { order_id: 'none' }]
    for (const input of none) expect(await orders(input)).toEqual([])
    expect(await orders({ order_id, status: 'refunded' })).toEqual([])
  })

  test('are filtered by whether what is to be shipped has been', async () => {
    const all = await orders({})
    const physical = new Set(values(await products({ type: 'physical' }), 'product_id'))
    const unshipped = new Set(values(await orders({ shipping: 'unshipped' }), 'order_id'))
    const shipped = new Set(values(await orders({ shipping: 'shipped' }), 'order_id'))
    expect(unshipped.size).toBeGreaterThan(0)
    expect(shipped.size).toBeGreaterThan(0)
    expect([...unshipped].filter((one) => shipped.has(one))).toEqual([])
    const withParcels = all.filter((order) => items(order).some(({ product_id }) => physical.has(product_id)))
    expect(new Set([...unshipped, ...shipped])).toEqual(new Set(values(withParcels, 'order_id')))
    const sale = (id: unknown): Promise<Row> => told(shop, `my/sales/${String(id)}`)
    expect(await sale([...unshipped][0])).toMatchObject({ sale: { parcel: 'waiting' } })
    expect(await sale([...shipped][0])).toMatchObject({ sale: { parcel: 'gone' } })
  })

  test('are filtered by days in UTC, both ends included', async () => {
    const all = await orders({})
    const [from, to] = [day(all[20]!), day(all[3]!)]
    picks(await orders({ from, to }), all, (order) => day(order) >= from && day(order) <= to)
    picks(await orders({ from }), all, (order) => day(order) >= from)
    picks(await orders({ to }), all, (order) => day(order) <= to)
    picks(await orders({ from, to: from }), all, (order) => day(order) === from)
    expect(await shop.refused('list_orders', { from: to, to: from })).toBe('SPAN_BACKWARDS')
  })

  test('are read one by one to the end while others are bought: none twice, none missing', async () => {
    const filter = { from: dayFromNow(-9) }
    const [{ url }] = (await products({ type: 'digital', visibility: 'visible' })) as [Row]
    const before = await orders(filter)
    expect(before.length).toBeGreaterThan(5)
    const mine: string[] = []
    const during = await shop.every('list_orders', 'orders', { ...filter, limit: 1 }, async () => {
      mine.push(await bought(url, 'meanwhile@mail.example'))
    })
    expect(during).toEqual(before)
    expect(values(await orders(filter), 'order_id')).toEqual([...mine.toReversed(), ...values(before, 'order_id')])
  })

  test('go on with another limit, and in their own store only', async () => {
    const { next_cursor: cursor } = await shop.call('list_orders', { limit: 2 })
    expect((await shop.rows('list_orders', 'orders', { cursor, limit: 3 })).length).toBe(3)
    expect(await shop.refused('list_orders', { cursor }, 'stranger')).toBe('PAGE_KEY_UNKNOWN')
  })

  test('show in full what the list shows, the fees, what is left, the answers and the notes', async () => {
    const all = await orders({})
    const seen: Row[] = []
    for (const order of all.slice(0, 60)) {
      const detail = await shop.call('get_order', { order_id: order['order_id'] })
      expect(detail).toMatchObject(order)
      const fees = total([detail['processor_fee'], detail['platform_fee']])
      if (order['status'] === 'completed') expect(cents(detail['amount_net'])).toBe(cents(order['amount_gross']) - fees)
      else expect(cents(detail['amount_net'])).toBeLessThan(cents(order['amount_gross']) - fees)
      if (order['status'] === 'refunded') expect(detail['amount_net']).toBe('0.00')
      expect(detail['payment_type'] === 'none').toBe(order['amount_gross'] === '0.00')
      seen.push(detail)
    }
    for (const list of ['checkout_responses', 'notes'])
      expect(new Set(seen.map((order) => (order[list] as Row[]).length > 0))).toEqual(new Set([true, false]))
    expect(values(seen, 'coupon_code')).toContain(null)
    expect(seen.some(({ coupon_code }) => coupon_code !== null)).toBe(true)
    expect(new Set(values(seen, 'payment_type')).size).toBeGreaterThan(2)
  })
})

describe('products', () => {
  test('are listed, newest first, and filtered by type and visibility', async () => {
    const all = await products({})
    expect(all.length).toBe(72)
    for (const type of ['digital', 'course', 'coaching', 'membership', 'physical'])
      picks(await products({ type }), all, (product) => product['type'] === type)
    for (const visibility of ['visible', 'invisible', 'unlisted'])
      picks(await products({ visibility }), all, (product) => product['visibility'] === visibility)
    picks(
      await products({ type: 'digital', visibility: 'unlisted' }),
      all,
      ({ type, visibility }) => type === 'digital' && visibility === 'unlisted',
    )
    descends(all, 'product_id')
  })

  test.each([
    ['visible', 200, true],
    ['unlisted', 200, false],
    ['invisible', 404, false],
  ])('that are %s are met by buyers with %i', async (visibility, status, isInWindow) => {
    const [product] = await products({ type: 'course', visibility })
    expect((await fetch(String(product?.['url']))).status).toBe(status)
    const window = await (await fetch(`${shop.sandbox.url}/digital-products/at/SHOP-1001`)).text()
    expect(window.includes(new URL(String(product?.['url'])).pathname)).toBe(isInWindow)
  })
})

describe('subscribers', () => {
  const statuses = {
    active: 'running',
    trialing: 'trial',
    cancelled: 'ended',
    paused: 'resting',
    unpaid: 'owing',
    past_due: 'late',
    incomplete: 'unfinished',
    incomplete_expired: 'lapsed',
  }

  test('are listed, newest first, 25 at a time, and filtered by status and email', async () => {
    const all = await subscribers({})
    expect(all.length).toBe(96)
    descends(all, 'subscription_id')
    expect(await shop.rows('list_subscribers', 'subscribers', {})).toEqual(all.slice(0, 25))
    for (const status of Object.keys(statuses))
      picks(await subscribers({ status }), all, (one) => one['status'] === status)
    const { email } = all[0]!
    picks(await subscribers({ email: String(email).toUpperCase() }), all, (one) => one['email'] === email)
    expect(await subscribers({ email: 'nobody@mail.example' })).toEqual([])
  })

  test.each(Object.entries(statuses))('that are %s are told as the app means them', async (status, state) => {
    const mine = await subscribers({ status })
    const { members } = await told(shop, `my/members?per=100&state=${state}`)
    const isIn = (members as Row[])[0]?.['may_enter']
    expect(values(mine, 'subscription_id')).toEqual(values(members as Row[], 'member_no'))
    expect(isIn).toBe(['active', 'trialing', 'past_due'].includes(status))
  })

  test('are read one by one to the end while others join: none twice, none missing', async () => {
    const before = await subscribers({ status: 'active' })
    const [{ url }] = (await products({ type: 'membership', visibility: 'visible' })) as [Row]
    const during = await shop.every('list_subscribers', 'subscribers', { status: 'active', limit: 1 }, (page) =>
      page < 3 ? bought(url, 'joins@mail.example') : undefined,
    )
    expect(during).toEqual(before)
    const now = await subscribers({ status: 'active' })
    expect(now.slice(2)).toEqual(before)
    expect(now[0]).toMatchObject({ email: 'joins@mail.example', plan_name: 'Monthly', started: dayFromNow(0) })
  })

  test('whose payment failed are cancelled by the app after 20 days', async () => {
    const { members } = await told(shop, 'my/members?per=100&state=ended')
    const over = (members as Row[]).filter(({ late_since }) => late_since !== null)
    expect(over.length).toBe(2)
    for (const { member_no, late_since } of over) {
      expect(Date.parse(`${String(late_since).replace(' ', 'T')}Z`)).toBeLessThan(Date.now() - 20 * 86_400_000)
      expect(values(await subscribers({ status: 'cancelled' }), 'subscription_id')).toContain(member_no)
      expect(await shop.refused('cancel_subscription', { subscription_id: member_no })).toBe('PLAN_NOT_RUNNING')
    }
  })
})

test('another seller sees nothing of this shop', async () => {
  const mine = await shop.rows('list_orders', 'orders', { limit: 1 })
  for (const [name, key, id] of [
    ['list_orders', 'orders', 'order_id'],
    ['list_subscribers', 'subscribers', 'subscription_id'],
    ['list_products', 'products', 'product_id'],
  ] as const) {
    const ours = new Set(values(await shop.rows(name, key, {}), id))
    const other = new Set(values(await shop.rows(name, key, {}, 'stranger'), id))
    expect(other.size).toBeGreaterThan(0)
    expect([...ours].filter((one) => other.has(one))).toEqual([])
  }
  const { order_id } = mine[0]!
  const { product_id } = items(mine[0])[0]!
  expect(await orders({ order_id }, 'stranger')).toEqual([])
  expect(await orders({ product_id }, 'stranger')).toEqual([])
  expect(await shop.refused('get_order', { order_id }, 'stranger')).toBe('SALE_NOT_FOUND')
  const week = { from: dayFromNow(-7), to: dayFromNow(-1) }
  expect(await shop.call('get_sales_stats', week)).not.toEqual(await shop.call('get_sales_stats', week, 'stranger'))
})

test('a helper reads all but the figures', async () => {
  for (const name of ['list_orders', 'list_products', 'list_coupons', 'list_subscribers'])
    expect(await shop.refused(name, {}, 'revoked')).toBe('ok')
  const week = { from: dayFromNow(-7), to: dayFromNow(-1) }
  expect(await shop.refused('get_sales_stats', week, 'revoked')).toBe('OWNER_ONLY')
  expect(await shop.refused('get_sales_report', { month: '2026-01' }, 'revoked')).toBe('OWNER_ONLY')
})
