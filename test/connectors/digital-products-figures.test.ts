import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { dayFromNow, values } from './app-caller.ts'
import type { AppCaller, Row } from './app-caller.ts'
import { bought, cents, openShop, signedIn, told, total } from './digital-products-shop.ts'

let shop: AppCaller
beforeAll(async () => {
  shop = await openShop()
})
beforeEach(() => shop.sandbox.reset())
afterAll(() => shop.sandbox.close())

const orders = (input: Row): Promise<Row[]> => shop.every('list_orders', 'orders', { limit: 100, ...input })
const course = async (): Promise<Row> =>
  (await shop.rows('list_products', 'products', { type: 'course', visibility: 'visible' }))[0]!
const items = (order: Row | undefined): Row[] => order?.['items'] as Row[]
const day = (order: Row): string => String(order['date']).slice(0, 10)

describe('figures', () => {
  const stats = (from: string, to: string, user?: string): Promise<Row> =>
    shop.call('get_sales_stats', { from, to }, user)

  test('add up what was sold, day by day and by product, whatever was refunded later', async () => {
    const [from, to] = [dayFromNow(-40), dayFromNow(-10)]
    const figures = await stats(from, to)
    const sold = await orders({ from, to })
    const daily = figures['daily_sales'] as Row[]
    expect(values(daily, 'date')).toEqual(Array.from({ length: 31 }, (_, at) => dayFromNow(at - 40)))
    expect(values(figures['daily_views'] as Row[], 'date')).toEqual(values(daily, 'date'))
    for (const { date, amount } of daily) {
      const ofDay = sold.filter((order) => day(order) === date)
      expect(cents(amount)).toBe(total(values(ofDay, 'amount_gross')))
    }
    const byProduct = figures['sales_by_product'] as Row[]
    expect(total(values(byProduct, 'amount'))).toBe(total(values(sold, 'amount_gross')))
    expect(new Set(values(byProduct, 'product_id'))).toEqual(
      new Set(sold.flatMap((order) => values(items(order), 'product_id'))),
    )
    const amounts = values(byProduct, 'amount').map(cents)
    expect(amounts).toEqual(amounts.toSorted((a, b) => b - a))
    expect(values(sold, 'status')).toContain('refunded')
  })

  test('count the views of those who are not logged in, and what is sold today', async () => {
    const today = dayFromNow(0)
    const { product_id, name, url, price } = await course()
    const none = { daily_views: [{ date: today, views: 0 }], daily_sales: [{ date: today, amount: '0.00' }] }
    expect(await stats(today, today)).toEqual({ ...none, sales_by_product: [] })
    for (const headers of [{}, {}, await signedIn(shop)]) await fetch(String(url), { headers })
    await bought(url, 'a@mail.example')
    expect(await stats(today, today)).toEqual({
      daily_views: [{ date: today, views: 2 }],
      daily_sales: [{ date: today, amount: price }],
      sales_by_product: [{ product_id, name, amount: price }],
    })
  })

  test('are of days in their order, at most 3660, also of days to come', async () => {
    expect(await shop.refused('get_sales_stats', { from: '2026-02-02', to: '2026-02-01' })).toBe('SPAN_BACKWARDS')
    expect(await shop.refused('get_sales_stats', { from: '2014-01-01', to: '2026-01-01' })).toBe('SPAN_TOO_LONG')
    const ahead = await stats(dayFromNow(1), dayFromNow(2))
    expect(values(ahead['daily_sales'] as Row[], 'amount')).toEqual(['0.00', '0.00'])
  })

  test('of a month add up its orders, and tell what the app has in its books', async () => {
    const month = dayFromNow(-62).slice(0, 7)
    const [year, number] = month.split('-').map(Number) as [number, number]
    const last = new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10)
    const sold = await orders({ from: `${month}-01`, to: last })
    expect(sold.length).toBeGreaterThan(20)
    const details: Row[] = []
    for (const { order_id } of sold) details.push(await shop.call('get_order', { order_id }))
    const report = await shop.call('get_sales_report', { month })
    const { books } = (await told(shop, `my/books/${month.replace('-', '')}`)) as { books: Row }
    expect(report['month']).toBe(month)
    expect(cents(report['processor_fees'])).toBe(total(values(details, 'processor_fee')))
    expect(cents(report['platform_fees'])).toBe(total(values(details, 'platform_fee')))
    const [taxes, others] = [cents(report['eu_uk_vat']), cents(report['custom_taxes'])]
    expect([taxes, others, cents(report['affiliate_commission']), report['affiliate_sales']]).toEqual([
      books['euro_brit_tax'],
      books['other_taxes'],
      books['partner_cents'],
      books['partner_deals'],
    ])
    for (const amount of [taxes, others, report['affiliate_sales']]) expect(amount).toBeGreaterThan(0)
    const copies = (rows: readonly Row[], key: string): number =>
      values(rows, key).reduce<number>((a, b) => a + Number(b), 0)
    const productsSold = report['products_sold'] as Row[]
    expect(copies(productsSold, 'items')).toBe(copies(sold.flatMap(items), 'quantity'))
    const [most] = productsSold
    const ofMost = sold.flatMap(items).filter(({ name }) => name === most?.['name'])
    expect(most?.['items']).toBe(copies(ofMost, 'quantity'))
  })

  test('of a month that goes on grow; one to come has none', async () => {
    const month = dayFromNow(0).slice(0, 7)
    const before = await shop.call('get_sales_report', { month })
    const { url, price } = await course()
    await bought(url, 'a@mail.example')
    const after = await shop.call('get_sales_report', { month })
    expect(cents(after['platform_fees'])).toBe(cents(before['platform_fees']) + Math.round(cents(price) * 0.05))
    expect(await shop.refused('get_sales_report', { month: dayFromNow(40).slice(0, 7) })).toBe('MONTH_AHEAD')
  })
})
