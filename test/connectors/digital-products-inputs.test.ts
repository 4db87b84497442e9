import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AppCaller, Row } from './app-caller.ts'
import { openShop } from './digital-products-shop.ts'

let shop: AppCaller
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.sandbox.close())

test('inputs are accepted up to their bounds and not beyond', () => {
  const product = { file_url: 'https://files.example.com/a.zip', title: 'x', price: '1' }
  const coupon = { code: 'ABC', discount: '5%' }
  const change = { product_id: 'W', title: 'x' }
  const list = [{}, { limit: 1 }, { limit: 100 }, { email: 'a' }]
  const notList = [
    { limit: 0 },
    { limit: 101 },
    { limit: 1.5 },
    { cursor: 'made-up' },
    { email: '' },
    { status: 'all' },
  ]
  const id = (name: string): [Row[], Row[]] => [[{ [name]: 'x'.repeat(200) }], [{}, { [name]: '' }, { [name]: 7 }]]
  const cases: Record<string, [Row[], Row[]]> = {
    list_orders: [
      [...list, ...['completed', 'refunded', 'partially_refunded'].map((status) => ({ status }))],
      [...notList, { status: 'complete' }, { shipping: 'waiting' }, { from: '20260101' }, { to: '2026-02-30' }],
    ],
    list_subscribers: [list, [...notList, { status: 'canceled' }]],
    list_products: [[{}], [{ type: 'all' }, { visibility: 'hidden' }, { limit: 1 }]],
    list_coupons: [[{}], [{ limit: 1 }]],
    get_sales_stats: [
      [{ from: '2024-02-29', to: '2024-03-01' }],
      [{ from: '2026-01-01' }, { to: '2026-01-01' }, { from: '2023-02-29', to: '2024-03-01' }],
    ],
    get_sales_report: [
      [{ month: '2026-01' }, { month: '2026-12' }],
      [{}, { month: '2026-13' }, { month: '2026-00' }, { month: '202601' }, { month: '2026-1' }],
    ],
    get_order: id('order_id'),
    reset_download_credits: id('order_id'),
    resend_receipt: id('order_id'),
    block_customer: id('order_id'),
    cancel_subscription: id('subscription_id'),
    add_order_note: [
      [{ order_id: 'S', note: 'x'.repeat(5000) }],
      [{ order_id: 'S' }, { note: 'x' }, { order_id: 'S', note: '' }, { order_id: 'S', note: 'x'.repeat(5001) }],
    ],
    create_product: [
      [
        { ...product, title: 'x'.repeat(200), description: 'x'.repeat(10_000), price: '999999.99' },
        { ...product, file_url: 'x'.repeat(2000), visibility: 'unlisted' },
      ],
      [
        { ...product, title: '' },
        { ...product, title: 'x'.repeat(201) },
        { ...product, description: 'x'.repeat(10_001) },
        { ...product, file_url: '' },
        { ...product, file_url: 'x'.repeat(2001) },
        { ...product, visibility: 'hidden' },
        ...['', '-1', '1.234', '1000000', '1,50', ' 1', '1e3', 1].map((price) => ({ ...product, price })),
        ...['file_url', 'title', 'price'].map((name) => ({ ...product, [name]: undefined })),
      ],
    ],
    update_product: [
      [change, { ...change, title: 'x'.repeat(200), description: '', price: '0', visibility: 'invisible' }],
      [
        {},
        { product_id: 'W' },
        { ...change, title: '' },
        { ...change, price: '1.234' },
        { ...change, description: 'x'.repeat(10_001) },
      ],
    ],
    create_coupon: [
      [
        { ...coupon, code: 'a_-'.padEnd(40, '9') },
        ...['0.01%', '100%', '12.34%', '5', '0.50', '999999.99'].map((discount) => ({ ...coupon, discount })),
        { ...coupon, scope: 'order' },
        { ...coupon, scope: 'product', product_id: 'W' },
        { ...coupon, scope: 'collection', collection: 'x' },
        ...[1, 1_000_000].map((usage_limit) => ({ ...coupon, usage_limit })),
      ],
      [
        ...['ab', 'x'.repeat(41), 'with space', 'é10'].map((code) => ({ ...coupon, code })),
        ...['', '%', '5 %', '1.234%', '-5', '1.234', '1000%', 5].map((discount) => ({ ...coupon, discount })),
        ...[0, 1_000_001, 1.5].map((usage_limit) => ({ ...coupon, usage_limit })),
        ...['product', 'collection', 'shelf'].map((scope) => ({ ...coupon, scope })),
        { ...coupon, expiry_date: '20260101' },
        { ...coupon, product_id: '' },
        { ...coupon, collection: '' },
        { code: 'ABC' },
        { discount: '5%' },
      ],
    ],
  }
  expect(Object.keys(cases).toSorted()).toEqual([...shop.app.endpoints.keys()].toSorted())
  for (const [name, [good, bad]] of Object.entries(cases)) {
    for (const input of good)
      expect(shop.takes(name, input), `${name} ${JSON.stringify(input)}`.slice(0, 200)).toBe(true)
    for (const input of bad)
      expect(shop.takes(name, input), `${name} ${JSON.stringify(input)}`.slice(0, 200)).toBe(false)
  }
})
