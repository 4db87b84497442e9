import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { dayFromNow, values } from './app-caller.ts'
import type { AppCaller, Row } from './app-caller.ts'
import {
  bought,
  buys,
  cents,
  creditsOf,
  downloads,
  effects,
  lettersOf,
  openShop,
  told,
} from './digital-products-shop.ts'

let shop: AppCaller
beforeAll(async () => {
  shop = await openShop()
})
beforeEach(() => shop.sandbox.reset())
afterAll(() => shop.sandbox.close())

const orders = (input: Row): Promise<Row[]> => shop.rows('list_orders', 'orders', input)
const products = (input: Row): Promise<Row[]> => shop.rows('list_products', 'products', input)
const coupons = (): Promise<Row[]> => shop.rows('list_coupons', 'coupons', {})
const orderOf = (order_id: unknown): Promise<Row> => shop.call('get_order', { order_id })
const visible = async (type: string): Promise<Row> => (await products({ type, visibility: 'visible' }))[0]!
const words = 'Zoë & <b>José</b> "ירושלים"\n😀 100%'
const mail = 'buyer+1@mail.example'

describe('an order', () => {
  test('takes notes, one after the other, that only the seller sees', async () => {
    const order_id = await bought((await visible('course'))['url'], mail)
    const first = await shop.call('add_order_note', { order_id, note: words })
    expect(first).toMatchObject({ order_id, note: words })
    expect(Math.abs(Date.parse(String(first['date'])) - Date.now())).toBeLessThan(60_000)
    const { note_id, date } = await shop.call('add_order_note', { order_id, note: 'é'.repeat(5000) })
    const { notes } = await orderOf(order_id)
    expect(notes).toEqual([
      { note_id: first['note_id'], note: words, date: first['date'] },
      { note_id, note: 'é'.repeat(5000), date },
    ])
    expect((await lettersOf(shop, order_id)).length).toBe(1)
    expect(await shop.refused('add_order_note', { order_id, note: ' \n' })).toBe('FIELD_REQUIRED')
    expect(await effects(shop, 'sale.remark')).toBe(2)
  })

  test('with files gets its downloads back, when some are used and when none is', async () => {
    const { product_id, url } = await visible('digital')
    const order_id = await bought(url, mail)
    const reset = () => shop.call('reset_download_credits', { order_id })
    expect(await reset()).toEqual({ order_id, download_credits: 5 })
    for (const left of [4, 3]) {
      await downloads(shop, order_id, product_id)
      expect(await creditsOf(shop, order_id)).toEqual([left])
    }
    expect(await reset()).toEqual({ order_id, download_credits: 5 })
    expect(await creditsOf(shop, order_id)).toEqual([5])
    expect(await effects(shop, 'sale.refill')).toBe(2)
  })

  test('without files, or wholly refunded, gets no downloads', async () => {
    const order_id = await bought((await visible('course'))['url'], mail)
    expect(await shop.refused('reset_download_credits', { order_id })).toBe('NOTHING_TO_FETCH')
    for (const refunded of await orders({ status: 'refunded', limit: 3 }))
      expect(await shop.refused('reset_download_credits', { order_id: refunded['order_id'] })).toBe('SALE_RETURNED')
    const partly = values(await orders({ status: 'partially_refunded', limit: 100 }), 'order_id')
    const outcomes: string[] = []
    for (const one of partly) outcomes.push(await shop.refused('reset_download_credits', { order_id: one }))
    expect(new Set(outcomes)).toEqual(new Set(['ok', 'NOTHING_TO_FETCH']))
  })

  test.each(['digital', 'course'])('has its receipt sent again and again: %s', async (type) => {
    const order_id = await bought((await visible(type))['url'], mail)
    const before = await lettersOf(shop, order_id)
    for (const count of [2, 3]) {
      const sent = await shop.call('resend_receipt', { order_id })
      const letters = await lettersOf(shop, order_id)
      expect(letters.length).toBe(count)
      expect(letters[0]).toMatchObject({ recipient: mail, words: before[0]?.['words'] })
      expect(sent).toEqual({ order_id, email: mail, sent_at: `${String(letters[0]?.['sent']).replace(' ', 'T')}Z` })
    }
    expect(String(before[0]?.['words']).includes('/get/')).toBe(type === 'digital')
    expect(await effects(shop, 'sale.receipt')).toBe(2)
  })

  test('has its receipt sent when it is refunded, too', async () => {
    const [refunded] = await orders({ status: 'refunded', limit: 1 })
    const { order_id, email } = refunded!
    expect(await shop.call('resend_receipt', { order_id })).toMatchObject({ order_id, email })
  })

  test('has its buyer blocked, once, who can buy nothing more', async () => {
    const { url } = await visible('digital')
    const [order_id, other] = [await bought(url, mail), await bought(url, mail)]
    expect(await shop.call('block_customer', { order_id })).toEqual({ order_id, email: mail, blocked: true })
    expect((await buys(url, mail)).status).toBe(403)
    expect((await buys(url, 'another@mail.example')).status).toBe(303)
    for (const again of [order_id, other])
      expect(await shop.refused('block_customer', { order_id: again })).toBe('BUYER_BARRED')
    const { barred } = await told(shop, 'my/barred')
    expect((barred as Row[])[0]).toMatchObject({ buyer_mail: mail, sale_no: order_id })
    expect(await effects(shop, 'buyer.bar')).toBe(1)
  })
})

describe('a product', () => {
  const file_url = 'https://files.example.com/posters/forêt.zip?v=2'

  test.each([
    [undefined, 'visible', 200],
    ['visible', 'visible', 200],
    ['unlisted', 'unlisted', 200],
    ['invisible', 'invisible', 404],
  ])('is made from a file, asked to be %s, and is %s', async (asked, visibility, status) => {
    const input = { file_url, title: words, price: '14.5', description: words }
    const made = await shop.call('create_product', asked === undefined ? input : { ...input, visibility: asked })
    expect(made).toMatchObject({ name: words, type: 'digital', price: '14.50', visibility })
    expect((await products({}))[0]).toEqual(made)
    const { ware } = await told(shop, `my/wares/${String(made['product_id'])}`)
    expect(ware).toMatchObject({ pitch: words, file: { file_from: file_url } })
    expect((await fetch(String(made['url']))).status).toBe(status)
    expect(await effects(shop, 'ware.add')).toBe(1)
  })

  test('is made at the bounds, without a description and for nothing', async () => {
    const made = await shop.call('create_product', { file_url, title: 'é'.repeat(200), price: '0' })
    expect(made['price']).toBe('0.00')
    const { ware } = await told(shop, `my/wares/${String(made['product_id'])}`)
    expect((ware as Row)['pitch']).toBe('')
    const long = { file_url, title: 'x', price: '100000.00', description: 'é'.repeat(10_000) }
    expect(await shop.call('create_product', long)).toMatchObject({ price: '100000.00' })
    expect(await shop.call('create_product', { ...long, price: '0.07' })).toMatchObject({ price: '0.07' })
  })

  test.each([
    [{ file_url: 'ftp://files.example.com/a.zip' }, 'FILE_INVALID'],
    [{ file_url: 'https://files.example.com/' }, 'FILE_INVALID'],
    [{ file_url: 'http://192.168.0.7/a.zip' }, 'FILE_NOT_PUBLIC'],
    [{ file_url: 'https://files.example.com/missing/a.zip' }, 'FILE_NOT_FOUND'],
    [{ title: ' ' }, 'FIELD_REQUIRED'],
    [{ price: '100000.01' }, 'NUMBER_INVALID'],
  ])('is not made of %j', async (more, code) => {
    expect(await shop.refused('create_product', { file_url, title: 'x', price: '1.00', ...more })).toBe(code)
    expect(await shop.control.effects()).toEqual([])
  })

  test('changes in what is given and in nothing else; past orders keep its name', async () => {
    const before = await visible('course')
    const { product_id } = before
    const order_id = await bought(before['url'], mail)
    const change = (input: Row): Promise<Row> => shop.call('update_product', { product_id, ...input })
    const { ware } = await told(shop, `my/wares/${String(product_id)}`)
    const was = { ...before, description: (ware as Row)['pitch'] }
    expect(await change({ title: words })).toEqual({ ...was, name: words })
    expect(await change({ price: '0.29' })).toEqual({ ...was, name: words, price: '0.29' })
    const priced = { ...was, name: words, price: '0.29' }
    expect(await change({ description: words })).toEqual({ ...priced, description: words })
    expect(await change({ description: '' })).toEqual({ ...priced, description: '' })
    for (const visibility of ['unlisted', 'invisible', 'visible'])
      expect(await change({ visibility })).toMatchObject({ visibility, name: words })
    const all = { title: 'All', price: '5', description: 'new', visibility: 'unlisted' }
    const { title, description, ...shown } = { ...all, price: '5.00' }
    expect(await change(all)).toEqual({ ...was, ...shown, name: title, description })
    expect((await products({ type: 'course' })).find((one) => one['product_id'] === product_id)).toEqual({
      ...before,
      ...shown,
      name: title,
    })
    expect((await orderOf(order_id))['items']).toEqual([{ product_id, name: before['name'], quantity: 1 }])
    expect(await effects(shop, 'ware.change')).toBe(8)
  })

  test.each([
    [{ title: ' ' }, 'FIELD_REQUIRED'],
    [{ price: '100000.01' }, 'NUMBER_INVALID'],
    [{ product_id: 'W-1', title: 'x' }, 'WARE_NOT_FOUND'],
  ])('does not change by %j', async (input, code) => {
    const { product_id } = await visible('course')
    expect(await shop.refused('update_product', { product_id, ...input })).toBe(code)
    expect(await shop.control.effects()).toEqual([])
  })

  test('does not change by nothing', () => {
    expect(shop.takes('update_product', { product_id: 'W-100044' })).toBe(false)
  })
})

describe('a coupon', () => {
  const none = { product_id: null, collection: null, uses: 0, usage_limit: null, expiry_date: null }

  test('is for any order by default, without a limit or an end', async () => {
    const made = await shop.call('create_coupon', { code: 'All-12', discount: '12.5%' })
    expect(made).toEqual({ ...none, code: 'All-12', discount: '12.5%', scope: 'order' })
    expect(await coupons()).toHaveLength(25)
    expect((await coupons())[0]).toEqual(made)
    expect(await effects(shop, 'voucher.create')).toBe(1)
  })

  test('is for one product or for one collection, by its name in any capitals', async () => {
    const { product_id } = await visible('course')
    const more = { usage_limit: 1_000_000, expiry_date: dayFromNow(0) }
    const ofProduct = { code: 'A-1', discount: '100000.00', scope: 'product', product_id, ...more }
    expect(await shop.call('create_coupon', ofProduct)).toEqual({ ...none, ...ofProduct })
    const ofCollection = { code: 'A-2', discount: '100%', scope: 'collection', usage_limit: 1 }
    for (const [at, collection] of ['Été <indigo>', 'كتب ودفاتر', 'Archive (empty)'].entries()) {
      const input = { ...ofCollection, code: `C-${at}`, collection: collection.toUpperCase() }
      expect(await shop.call('create_coupon', input)).toEqual({ ...none, ...input, collection })
    }
    expect(new Set(values(await coupons(), 'scope'))).toEqual(new Set(['order', 'product', 'collection']))
  })

  test.each([
    ['12.5%', '12.5%', 0.875],
    ['0.01%', '0.01%', 0.9999],
    ['007%', '7%', 0.93],
    ['3.5', '3.50', undefined],
    ['0.29', '0.29', undefined],
  ])('of %s takes it off a price', async (discount, shown, rest) => {
    const { url, price } = await visible('course')
    const made = await shop.call('create_coupon', { code: 'off', discount, usage_limit: 1 })
    expect(made['discount']).toBe(shown)
    const order_id = await bought(url, mail, { voucher: 'off' })
    const order = await orderOf(order_id)
    expect(order['coupon_code']).toBe('off')
    const left = rest === undefined ? cents(price) - cents(discount) : Math.round(cents(price) * rest)
    expect(cents(order['amount_gross'])).toBe(left)
    expect((await coupons())[0]).toEqual({ ...made, uses: 1 })
    expect((await buys(url, mail, { voucher: 'off' })).status).toBe(422)
  })

  test.each([
    [{ code: 'wELCOME-0' }, 'CODE_TAKEN'],
    [{ discount: '0%' }, 'NUMBER_INVALID'],
    [{ discount: '100.01%' }, 'NUMBER_INVALID'],
    [{ discount: '0.00' }, 'NUMBER_INVALID'],
    [{ discount: '100000.01' }, 'NUMBER_INVALID'],
    [{ expiry_date: dayFromNow(-1) }, 'DAY_PAST'],
    [{ scope: 'product', product_id: 'W-200044' }, 'WARE_NOT_FOUND'],
    [{ scope: 'collection', collection: 'No such shelf' }, 'COLLECTION_UNKNOWN'],
  ])('is not made with %j', async (more, code) => {
    expect(await shop.refused('create_coupon', { code: 'NEW', discount: '5%', ...more })).toBe(code)
    expect(await coupons()).toHaveLength(24)
    expect(await shop.control.effects()).toEqual([])
  })
})

describe('a subscription', () => {
  test('that is active is cancelled, once: billing stops and access ends', async () => {
    const [active] = await shop.rows('list_subscribers', 'subscribers', { status: 'active', limit: 1 })
    const { subscription_id } = active!
    const cancelled = await shop.call('cancel_subscription', { subscription_id })
    expect(cancelled).toEqual({ ...active, status: 'cancelled' })
    const listed = await shop.rows('list_subscribers', 'subscribers', { status: 'cancelled', limit: 100 })
    expect(listed).toContainEqual(cancelled)
    const { members } = await told(shop, 'my/members?per=100&state=ended')
    const member = (members as Row[]).find(({ member_no }) => member_no === subscription_id)
    expect(member).toMatchObject({ may_enter: false, billed: false })
    expect(await shop.refused('cancel_subscription', { subscription_id })).toBe('PLAN_NOT_RUNNING')
    expect(await effects(shop, 'member.end')).toBe(1)
  })

  test.each(['trialing', 'cancelled', 'paused', 'unpaid', 'past_due', 'incomplete', 'incomplete_expired'])(
    'that is %s is not',
    async (status) => {
      const [one] = await shop.rows('list_subscribers', 'subscribers', { status, limit: 1 })
      const input = { subscription_id: one?.['subscription_id'] }
      expect(await shop.refused('cancel_subscription', input)).toBe('PLAN_NOT_RUNNING')
      expect(await shop.control.effects()).toEqual([])
    },
  )
})

const order_id = 'S-101717'
test.each([
  ['add_order_note', { order_id, note: 'x' }, 'SALE_NOT_FOUND'],
  ['reset_download_credits', { order_id }, 'SALE_NOT_FOUND'],
  ['resend_receipt', { order_id }, 'SALE_NOT_FOUND'],
  ['block_customer', { order_id }, 'SALE_NOT_FOUND'],
  ['update_product', { product_id: 'W-100044', title: 'x' }, 'WARE_NOT_FOUND'],
  ['cancel_subscription', { subscription_id: 'M-101811' }, 'MEMBER_NOT_FOUND'],
  ['create_coupon', { code: 'NEW', discount: '1%', scope: 'product', product_id: 'W-100044' }, 'WARE_NOT_FOUND'],
])('%s reaches nothing of another shop, and is not for helpers', async (name, input, code) => {
  expect(await shop.refused(name, input, 'stranger')).toBe(code)
  expect(await shop.refused(name, input, 'revoked')).toBe('OWNER_ONLY')
  expect(await shop.control.effects()).toEqual([])
  expect(await shop.refused(name, input)).toMatch(/^(ok|NOTHING_TO_FETCH)$/)
})
