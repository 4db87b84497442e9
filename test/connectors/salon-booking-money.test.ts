import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { AppCaller, dayFromNow, values } from './app-caller.ts'
import type { Row } from './app-caller.ts'
import { list } from './salon-booking-calls.ts'

let salon: AppCaller
beforeAll(async () => {
  salon = await AppCaller.open('salon-booking')
})
beforeEach(() => salon.sandbox.reset())
afterEach(() => void vi.useRealTimers())
afterAll(() => salon.sandbox.close())

const sums = ['items_sold', 'sales', 'discounts', 'refunds'] as const
/** In hundredths, so that sums are exact. */
const hundredths = (amount: unknown): number => Math.round(Number(amount) * 100)
const added = (rows: readonly Row[]): Row =>
  Object.fromEntries(sums.map((key) => [key, rows.reduce((sum, row) => sum + hundredths(row[key]), 0)]))

describe('the sales summary', () => {
  const month = { from: dayFromNow(-30), to: dayFromNow(-1) }

  test.each(['payment_method', 'discount_name', 'discount_type'])('by %s adds up to its total', async (group_by) => {
    const { groups, total, ...rest } = await salon.call('get_sales_summary', { ...month, group_by })
    expect(rest).toEqual({ ...month, currency: 'EUR' })
    const rows = groups as Row[]
    expect(rows.length).toBeGreaterThan(2)
    for (const row of rows) expect(Object.keys(row)).toEqual([group_by, ...sums])
    expect(new Set(values(rows, group_by)).size).toBe(rows.length)
    expect(values(rows, group_by).includes(null)).toBe(group_by !== 'payment_method')
    expect(added(rows)).toEqual(added([total as Row]))
    const { groups: none, total: same } = await salon.call('get_sales_summary', month)
    expect(none).toEqual([])
    expect(same).toEqual(total)
  })

  test('of each day and of each location adds up to the whole', async () => {
    const week = { from: dayFromNow(-7), to: dayFromNow(-1) }
    const { total } = await salon.call('get_sales_summary', week)
    const days: Row[] = []
    for (let day = -7; day <= -1; day++) {
      const one = await salon.call('get_sales_summary', { from: dayFromNow(day) })
      expect(one).toMatchObject({ from: dayFromNow(day), to: dayFromNow(day) })
      days.push(one['total'] as Row)
    }
    expect(added(days)).toEqual(added([total as Row]))
    const team = list(await salon.call('list_team_members', {}), 'team_members')
    const places: Row[] = []
    for (const location_id of new Set(team.flatMap(({ locations }) => locations as unknown[])))
      places.push((await salon.call('get_sales_summary', { ...week, location_id }))['total'] as Row)
    expect(places.length).toBeGreaterThan(1)
    expect(added(places)).toEqual(added([total as Row]))
    expect(await salon.refused('get_sales_summary', { from: dayFromNow(1), to: dayFromNow(0) })).toBe('PARAM_INVALID')
  })

  test.each([
    ['demo', 'EUR', /^\d+\.\d\d$/],
    ['stranger', 'TND', /^\d+\.\d{3}$/],
    ['poor', 'JPY', /^\d+$/],
  ])("of %s is in the account's own currency, %s, with its decimals", async (user, currency, form) => {
    const summary = await salon.call('get_sales_summary', month, user)
    expect(summary['currency']).toBe(currency)
    for (const key of ['sales', 'discounts', 'refunds']) expect((summary['total'] as Row)[key], key).toMatch(form)
    const services = list(await salon.call('list_services', {}, user), 'services')
    for (const { price, currency: own } of services) {
      expect(price).toMatch(form)
      expect(own).toBe(currency)
    }
    const payouts = list(await salon.call('list_payouts', {}, user), 'payouts')
    for (const { amount } of payouts) expect(amount).toMatch(form)
  })
})

describe('payouts', () => {
  const every = (input: Row): Promise<Row[]> => salon.every('list_payouts', 'payouts', input)

  test('are paged to the end, newest first, each without its fees', async () => {
    const all = await every({ from: dayFromNow(-90) })
    expect(all.length).toBeGreaterThanOrEqual(60)
    expect(list(await salon.call('list_payouts', { from: dayFromNow(-90) }), 'payouts').length).toBe(25)
    const days = values(all, 'date').map(String)
    expect(days).toEqual(days.toSorted().toReversed())
    expect(new Set(all.map((row) => JSON.stringify(row))).size).toBe(all.length)
    for (const { amount, fees, net_amount } of all)
      expect(hundredths(amount) - hundredths(fees)).toBe(hundredths(net_amount))
  })

  test('are those of the last 30 days, or between two days', async () => {
    const all = await every({ from: dayFromNow(-90) })
    const between = (from: number, to: number): Row[] =>
      all.filter(({ date }) => String(date) >= dayFromNow(from) && String(date) <= dayFromNow(to))
    expect(await every({})).toEqual(between(-30, 0))
    expect(await every({ from: dayFromNow(-10) })).toEqual(between(-10, 0))
    expect(await every({ from: dayFromNow(1) })).toEqual([])
    expect(await every({ to: dayFromNow(-10) })).toEqual(between(-30, -10))
    expect(await every({ from: dayFromNow(-20), to: dayFromNow(-10) })).toEqual(between(-20, -10))
    expect(between(-20, -10).length).toBeGreaterThan(0)
    expect(all.length).toBeGreaterThan(between(-30, 0).length)
  })

  test('are read on over midnight as they began', async () => {
    const all = await every({})
    const { next_cursor: cursor } = await salon.call('list_payouts', {})
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_400_000 })
    expect(await every({ cursor })).toEqual(all.slice(25))
    expect(values(all.slice(25), 'date')).toContain(new Date(Date.now() - 31 * 86_400_000).toISOString().slice(0, 10))
  })
})

describe('permissions', () => {
  test.each([
    ['get_sales_summary', { from: dayFromNow(0) }, 'two_accounts', 'RIGHT_MISSING'],
    ['list_payouts', {}, 'two_accounts', 'RIGHT_MISSING'],
    ['list_clients', {}, 'two_accounts', 'ok'],
    ['get_sales_summary', { from: dayFromNow(0) }, 'revoked', 'ok'],
    ['list_payouts', {}, 'revoked', 'PAYMENTS_OFF'],
  ])('%s %j of %s comes to %s', async (name, input, user, code) => {
    expect(await salon.refused(name, input, user)).toBe(code)
  })
})
