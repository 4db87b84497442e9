import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { AppCaller, values } from './app-caller.ts'
import type { Row } from './app-caller.ts'
import { ask, buy, ever, storeDay, sum } from './teacher-marketplace-store.ts'

let store: AppCaller
beforeAll(async () => {
  store = await AppCaller.open('teacher-marketplace')
})
beforeEach(() => store.sandbox.reset())
afterAll(() => store.sandbox.close())

const products = (input: Row = {}, user?: string) =>
  store.every('list_products', 'products', { limit: 100, ...input }, undefined, user)
const questions = (input: Row = {}, user?: string) =>
  store.every('list_buyer_questions', 'questions', { limit: 100, ...input }, undefined, user)
const sales = (input: Row) => store.every('list_sales', 'sales', input)
const descending = (numbers: readonly number[]) => numbers.toSorted((a, b) => b - a)
const distinct = (rows: readonly Row[], key: string) => new Set(values(rows, key))
const productOf = (question: Row) => (question['product'] as Row)['product_id']

describe('products', () => {
  test('are listed newest first, 50 by default', async () => {
    const all = await products()
    expect(all.length).toBe(132)
    const numbers = values(all, 'product_id').map(Number)
    expect(numbers).toEqual(descending(numbers))
    expect(new Set(numbers).size).toBe(132)
    expect(await store.rows('list_products', 'products', {})).toEqual(all.slice(0, 50))
    expect(await products({ status: 'all', type: 'all' })).toEqual(all)
  })

  const filters: [string, unknown, Row][] = [
    ...['active', 'inactive'].map((status): [string, unknown, Row] => ['status', status, { status }]),
    ...['digital_download', 'bundle', 'video', 'cloud_resource'].map((type): [string, unknown, Row] => [
      'type',
      type,
      { type },
    ]),
    ...['Math Centers', 'Für Français & ESL', 'ספריית כיתה'].map((name): [string, unknown, Row] => [
      'custom_category',
      name,
      { custom_category: name },
    ]),
    ['custom_category', null, { custom_category: '' }],
  ]
  test.each(filters)('are told apart by %s %s', async (key, wanted, filter) => {
    const all = await products()
    const found = await products(filter)
    expect(found).toEqual(all.filter((product) => product[key] === wanted))
    expect(found.length).toBeGreaterThan(0)
    expect(found.length).toBeLessThan(all.length)
  })

  test('are found by several filters at once, and in a category that is not there are none', async () => {
    const both = await products({ status: 'inactive', type: 'bundle', custom_category: 'ספריית כיתה' })
    const wanted = { status: 'inactive', type: 'bundle', custom_category: 'ספריית כיתה' }
    expect(both.length).toBeGreaterThan(0)
    for (const one of both) expect(one).toMatchObject(wanted)
    expect(await products({ custom_category: 'math centers' })).toEqual([])
  })

  test.each(['digital_download', 'bundle', 'video', 'cloud_resource'])(
    'are read in full as they are listed: a %s',
    async (type) => {
      for (const { product_id, title, price_cents, status } of (await products({ type })).slice(0, 12)) {
        const full = await store.call('get_product', { product_id })
        expect(full).toMatchObject({ product_id, title, price_cents, status })
        expect(Number(full['additional_license_price_cents'])).toBeLessThanOrEqual(Number(price_cents))
        expect((full['files'] as Row[]).length).toBe(type === 'bundle' ? 0 : 1)
        expect((full['formats'] as string[]).length).toBeGreaterThan(0)
      }
    },
  )

  test('are free, or cost up to a thousand dollars', async () => {
    const prices = values(await products(), 'price_cents').map(Number)
    expect([Math.min(...prices), Math.max(...prices)]).toEqual([0, 100_000])
  })
})

describe('each list', () => {
  test('of products is the same in small pages, also when one is made and others change their status', async () => {
    const before = await products({ status: 'active' })
    const paged = await store.every('list_products', 'products', { status: 'active', limit: 7 }, async (page) => {
      if (page === 1) await store.call('set_product_status', { product_id: '100132', status: 'inactive' })
      if (page === 2) await store.call('set_product_status', { product_id: '100002', status: 'active' })
      if (page === 3) {
        const file_url = 'https://files.example.com/a.pdf'
        await store.call('create_product', { title: 'Meanwhile', price_cents: 100, file_url, status: 'active' })
      }
    })
    expect(paged).toEqual(before)
    const now = await products({ status: 'active' })
    expect(now[0]).toMatchObject({ title: 'Meanwhile' })
    expect(values(now, 'product_id')).toContain('100002')
    expect(values(now, 'product_id')).not.toContain('100132')
  })

  test('of questions is the same in small pages, also when one is asked and one is answered', async () => {
    const before = await questions({ status: 'unanswered' })
    const [latest] = before
    const input = { status: 'unanswered', limit: 3 }
    const paged = await store.every('list_buyer_questions', 'questions', input, async (page) => {
      if (page === 1) await ask(store, '100132', 'Meanwhile?')
      const question_id = before.at(-1)?.['question_id']
      if (page === 2) await store.call('answer_buyer_question', { question_id, answer: 'Yes.' })
    })
    expect(values(paged, 'question_id')).toEqual(values(before, 'question_id'))
    const now = await questions({ status: 'unanswered' })
    expect(now[0]).toMatchObject({ question: 'Meanwhile?', answer: null, asked_by: 'Zoë Á.' })
    expect(now[1]).toEqual(latest)
    expect(now.length).toBe(before.length)
  })

  test('of sales has pages of 25, and is the same when something is sold meanwhile', async () => {
    const days = { from: storeDay(-30), to: storeDay(2) }
    const before = await sales(days)
    expect((await store.rows('list_sales', 'sales', days)).length).toBe(25)
    const paged = await store.every('list_sales', 'sales', days, async (page) => {
      if (page === 1) await buy(store, '100132', 'late@mail.example')
    })
    expect(paged).toEqual(before)
    expect(before.length).toBeGreaterThan(75)
    const [now] = await store.rows('list_sales', 'sales', days)
    expect(now).toMatchObject({ product_id: '100132', date: storeDay(0), sales_tax_cents: 0 })
  })

  test.each([
    ['list_products', 'products', 'product_id', { type: 'video' }],
    ['list_buyer_questions', 'questions', 'question_id', { product_id: '100128' }],
  ])('%s is read one by one, and with another limit from page to page', async (name, key, id, filter) => {
    const whole = await store.every(name, key, { ...filter, limit: 100 })
    expect(whole.length).toBeGreaterThan(2)
    expect(await store.every(name, key, { ...filter, limit: 1 })).toEqual(whole)
    const mixed: Row[] = []
    let cursor: unknown
    for (const limit of [5, 2, 100, 1, 100, 3, 3, 100, 100]) {
      if (cursor === null) break
      const answer = await store.call(name, { limit, ...(cursor === undefined ? {} : { cursor }) })
      const items = answer[key] as Row[]
      expect(items.length).toBeLessThanOrEqual(limit)
      mixed.push(...items)
      cursor = answer['next_cursor']
    }
    const all = values(await store.every(name, key, { limit: 100 }), id)
    expect(values(mixed, id)).toEqual(all.slice(0, mixed.length))
  })
})

describe('questions', () => {
  test('come newest first, 25 by default, with their product and any answer', async () => {
    const all = await questions()
    expect(all.length).toBe(96)
    expect(await store.rows('list_buyer_questions', 'questions', {})).toEqual(all.slice(0, 25))
    const asked = values(all, 'asked_at').map((moment) => Date.parse(String(moment)))
    expect(asked).toEqual(descending(asked))
    expect(distinct(all, 'question_id').size).toBe(96)
    expect(values(all, 'asked_by')).toContain(null)
    const titles = new Map((await products()).map(({ product_id, title }) => [product_id, title]))
    for (const { product, asked_at, answer } of all) {
      const { product_id, title } = product as Row
      expect(title).toBe(titles.get(product_id))
      const answered = (answer as Row | null)?.['answered_at'] ?? asked_at
      expect(Date.parse(String(answered))).toBeGreaterThanOrEqual(Date.parse(String(asked_at)))
    }
  })

  test('with and without an answer are told apart, and those about one product', async () => {
    const all = await questions()
    const open = await questions({ status: 'unanswered' })
    expect(open).toEqual(all.filter(({ answer }) => answer === null))
    expect(await questions({ status: 'answered' })).toEqual(all.filter(({ answer }) => answer !== null))
    expect(await questions({ status: 'all' })).toEqual(all)
    expect(open.length).toBe(32)
    const one = await questions({ product_id: '100128' })
    expect(one).toEqual(all.filter((question) => productOf(question) === '100128'))
    expect(one.length).toBe(3)
  })

  test.each([
    ['demo', '100132'],
    ['stranger', '200132'],
    ['poor', '300132'],
    ['narrow', '400132'],
    ['two_accounts', '600132'],
  ])('are dated in UTC, wherever the store is: %s', async (user, product) => {
    await ask(store, product, 'When is it?')
    const [latest] = await questions({ limit: 1, product_id: product }, user)
    expect(latest?.['question']).toBe('When is it?')
    expect(Math.abs(Date.now() - Date.parse(String(latest?.['asked_at'])))).toBeLessThan(120_000)
    const input = { question_id: latest?.['question_id'], answer: 'Now & then\n— +1' }
    const { answered_at } = await store.call('answer_buyer_question', input, user)
    expect(Math.abs(Date.now() - Date.parse(String(answered_at)))).toBeLessThan(120_000)
    const [now] = await questions({ limit: 1, product_id: product }, user)
    expect(now?.['answer']).toEqual({ text: 'Now & then\n— +1', answered_at })
  })
})

describe('figures', () => {
  const figures = (input: Row) => store.call('get_store_stats', input)
  const month = { from: storeDay(-40), to: storeDay(-10) }
  const counts = ['earnings_cents', 'units_sold', 'carts', 'views']

  test('of the store are those of its sales, up to the day', async () => {
    const sold = await sales(month)
    const stats = await figures(month)
    expect(stats).toMatchObject({ ...month, buyer_type: 'all', units_sold: sold.length })
    expect(stats['earnings_cents']).toBe(sum(sold, 'earnings_cents'))
    expect(stats['conversion']).toBeCloseTo(sold.length / Number(stats['views']), 3)
    expect(sold.length).toBeGreaterThan(50)
    const halves = [
      await figures({ from: storeDay(-40), to: storeDay(-25) }),
      await figures({ from: storeDay(-24), to: storeDay(-10) }),
    ]
    for (const key of counts) expect(sum(halves, key)).toBe(stats[key])
  })

  test('of first-time and repeat buyers make up those of all', async () => {
    const all = await figures({ ...ever, buyer_type: 'all' })
    expect(await figures(ever)).toEqual(all)
    const parts = [
      await figures({ ...ever, buyer_type: 'first_time' }),
      await figures({ ...ever, buyer_type: 'repeat' }),
    ]
    expect(values(parts, 'buyer_type')).toEqual(['first_time', 'repeat'])
    for (const key of counts) {
      expect(sum(parts, key)).toBe(all[key])
      for (const part of parts) expect(Number(part[key])).toBeGreaterThan(0)
    }
    expect(all['unique_buyers']).toBe(parts[0]?.['units_sold'])
  })

  test.each(['first_time', 'repeat'])(
    'of %s buyers are there in a month, too: nothing sold was in no cart',
    async (buyer_type) => {
      const stats = await figures({ ...month, buyer_type })
      expect(Number(stats['units_sold'])).toBeGreaterThan(0)
      expect(Number(stats['carts'])).toBeGreaterThanOrEqual(Number(stats['units_sold']))
      expect(Number(stats['views'])).toBeGreaterThanOrEqual(Number(stats['carts']))
      expect(Number(stats['conversion'])).toBeGreaterThan(0)
    },
  )

  test('of some products are the sum of those of each, twice named or not', async () => {
    const ids = ['100119', '100037', '100128', '100006']
    const each = await Promise.all(ids.map((product_id) => store.call('get_product_stats', { ...ever, product_id })))
    const some = await figures({ ...ever, product_ids: [...ids, '100119'] })
    for (const key of ['earnings_cents', 'units_sold', 'views']) expect(some[key]).toBe(sum(each, key))
    expect(Number(some['units_sold'])).toBeGreaterThan(0)
    expect(Number(some['units_sold'])).toBeLessThan(Number((await figures(ever))['units_sold']))
    for (const one of each.slice(0, 2)) {
      const sold = await sales({ ...ever, product_id: one['product_id'] })
      expect(one).toMatchObject({ ...ever, units_sold: sold.length, earnings_cents: sum(sold, 'earnings_cents') })
      expect(distinct(sold, 'product_id')).toEqual(new Set([one['product_id']]))
      expect(one['conversion']).toBeCloseTo(sold.length / Number(one['views']), 3)
      expect(Number(one['wish_listed'])).toBeGreaterThan(0)
      expect(Number(one['saved_for_later'])).toBeGreaterThan(0)
    }
  })

  test('of what nobody looked at are nothing', async () => {
    const nothing = { earnings_cents: 0, units_sold: 0, views: 0, conversion: 0 }
    const none = { ...nothing, wish_listed: 0, saved_for_later: 0 }
    expect(await store.call('get_product_stats', { ...ever, product_id: '100132' })).toMatchObject(none)
    expect(await figures({ ...ever, product_ids: ['100132'] })).toMatchObject({ ...nothing, unique_buyers: 0 })
  })

  test('of sales are one line per item in the days asked for, latest first', async () => {
    const all = await sales({ from: storeDay(-60), to: ever['to'] })
    const dates = values(all, 'date').map(String)
    expect(dates).toEqual(dates.toSorted().toReversed())
    const some = await sales(month)
    expect(some).toEqual(all.filter(({ date }) => String(date) >= month.from && String(date) <= month.to))
    expect(distinct(some, 'date')).toContain(month.from)
    expect(values(some, 'sales_tax_cents')).toContain(0)
    expect(sum(some, 'sales_tax_cents')).toBeGreaterThan(0)
  })

  test('of searches come most visits first, and add up by day and stay within those of the store by product', async () => {
    const days = { from: '2025-01-01', to: ever['to'] }
    const search = (input: Row) => store.rows('get_search_keywords', 'keywords', input)
    const all = await search(days)
    const visits = values(all, 'visits').map(Number)
    expect(visits).toEqual(descending(visits))
    expect(distinct(all, 'keyword').size).toBe(all.length)
    expect(sum(all, 'conversions')).toBeGreaterThan(0)
    expect(sum(all, 'earnings_cents')).toBeGreaterThan(0)
    const parts = [
      ...(await search({ from: '2025-01-01', to: storeDay(-30) })),
      ...(await search({ from: storeDay(-29), to: storeDay(2) })),
    ]
    for (const key of ['visits', 'conversions', 'earnings_cents']) expect(sum(parts, key)).toBe(sum(all, key))
    const one = await search({ ...days, product_id: '100119' })
    expect(one.length).toBeGreaterThan(0)
    expect(sum(one, 'visits')).toBeLessThan(sum(all, 'visits'))
    expect(await search({ ...days, product_id: '100132' })).toEqual([])
  })
})

const span = { from: storeDay(-9), to: storeDay(-1) }
test.each([
  ['get_product', { product_id: '100003' }],
  ['get_product_stats', { product_id: '100003', ...span }],
  ['get_store_stats', { product_ids: ['100003'], ...span }],
  ['list_sales', { product_id: '100003', ...span }],
  ['get_search_keywords', { product_id: '100003', ...span }],
  ['list_buyer_questions', { product_id: '100003' }],
])('%s finds neither a product of another store nor a made-up one', async (name, input) => {
  await store.call(name, input)
  expect(await store.refused(name, input, 'stranger')).toBe('GOOD_NOT_FOUND')
  for (const made of ['999', 'figures', '-1', '1e5', '0100003']) {
    const made_up = 'product_ids' in input ? { ...input, product_ids: [made] } : { ...input, product_id: made }
    expect(await store.refused(name, made_up)).toBe('GOOD_NOT_FOUND')
  }
})

test('another store has its own products, questions and sales', async () => {
  const theirs = values(await products({}, 'stranger'), 'product_id')
  expect(theirs.length).toBe(132)
  const mine = distinct(await products(), 'product_id')
  expect(theirs.filter((one) => mine.has(one))).toEqual([])
  for (const question of await questions({}, 'stranger')) expect(theirs).toContain(productOf(question))
  for (const sale of await store.rows('list_sales', 'sales', ever, 'stranger'))
    expect(theirs).toContain(sale['product_id'])
})

test.each(['get_store_stats', 'list_sales', 'get_search_keywords', 'get_product_stats'])(
  '%s refuses days that end before they begin',
  async (name) => {
    const product = name === 'get_product_stats' ? { product_id: '100003' } : {}
    expect(await store.refused(name, { ...product, from: '2026-02-02', to: '2026-02-01' })).toBe('SPAN_BACKWARDS')
    await store.call(name, { ...product, from: '2026-02-01', to: '2026-02-01' })
  },
)
