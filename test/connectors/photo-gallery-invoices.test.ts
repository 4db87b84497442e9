import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { AppCaller, dayFromNow, values } from './app-caller.ts'
import type { Row } from './app-caller.ts'

let studio: AppCaller
beforeAll(async () => {
  studio = await AppCaller.open('photo-gallery')
})
beforeEach(() => studio.sandbox.reset())
afterAll(() => studio.sandbox.close())

describe('sessions', () => {
  const sessions = (input: Row, user?: string) => studio.rows('list_sessions', 'sessions', input, user)

  test('are those of the next 7 days by default, earliest first', async () => {
    const week = await sessions({})
    expect(week).toEqual(await sessions({ from: dayFromNow(0), to: dayFromNow(7) }))
    const times = values(week, 'starts_at').map((time) => Date.parse(String(time)))
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(await sessions({ from: dayFromNow(3) })).toEqual(await sessions({ from: dayFromNow(3), to: dayFromNow(10) }))
    expect((await sessions({ to: dayFromNow(20) })).length).toBeGreaterThan(week.length)
    for (const { client, type } of week) expect([client, type]).not.toContain('')
  })

  test.each(['demo', 'stranger', 'narrow'])('of each day make up the whole, without overlap, for %s', async (user) => {
    const whole = await sessions({ from: dayFromNow(-3), to: dayFromNow(5) }, user)
    const single: Row[] = []
    for (let day = -3; day <= 5; day++) {
      const some = await sessions({ from: dayFromNow(day), to: dayFromNow(day) }, user)
      if (user === 'demo')
        for (const { starts_at } of some) expect(String(starts_at).slice(0, 10)).toBe(dayFromNow(day))
      single.push(...some)
    }
    expect(single).toEqual(whole)
    expect(whole.length).toBeGreaterThan(3)
  })

  test('of any days that calendars have can be asked for', async () => {
    const all = await sessions({ from: '1900-01-01', to: '9999-12-31' })
    expect(await sessions({ from: '0001-01-01', to: '9999-12-31' })).toEqual(all)
    expect(all.length).toBeGreaterThan(50)
    expect(await sessions({ from: '9999-12-30' })).toEqual([])
  })

  test('of a window that ends before it begins are refused', async () => {
    expect(await studio.refused('list_sessions', { from: dayFromNow(2), to: dayFromNow(1) })).toBe('SPAN_BACKWARDS')
  })
})

describe('invoices', () => {
  const draft = (more: Row = {}) => ({
    contact_id: 'ppl_259e',
    line_items: [
      { description: 'Session', unit_price: 240.5 },
      { description: 'Print', quantity: 3, unit_price: 0.07 },
    ],
    ...more,
  })

  test('that are not wholly paid are told from the others', async () => {
    const all = await studio.every('list_invoices', 'invoices', { limit: 100 })
    const unpaid = await studio.every('list_invoices', 'invoices', { unpaid_only: true, limit: 100 })
    expect(unpaid).toEqual(all.filter(({ paid, total }) => Number(paid) < Number(total)))
    expect(unpaid.length).toBeGreaterThan(0)
    expect(unpaid.length).toBeLessThan(all.length)
    expect(unpaid.some(({ paid }) => Number(paid) > 0)).toBe(true)
    expect(await studio.every('list_invoices', 'invoices', { unpaid_only: false, limit: 100 })).toEqual(all)
  })

  test('are drafted with their sum, and then sent once', async () => {
    const { status, ...made } = await studio.call(
      'create_invoice',
      draft({ due_date: dayFromNow(30), currency: 'JPY' }),
    )
    const { invoice_id } = made
    expect(status).toBe('draft')
    expect(made).toMatchObject({ client: 'Özge Petrov', total: 240.71, paid: 0, currency: 'JPY' })
    expect(made['due_date']).toBe(dayFromNow(30))
    expect((await studio.rows('list_invoices', 'invoices', { limit: 1 }))[0]).toEqual(made)
    expect((await studio.control.effects()).length).toBe(1)
    expect(await studio.call('send_invoice', { invoice_id })).toEqual({ invoice_id, status: 'sent' })
    expect(await studio.refused('send_invoice', { invoice_id })).toBe('BILL_ALREADY_SENT')
    expect((await studio.control.effects()).length).toBe(2)
  })

  test("are due in 14 days and in the studio's currency when nothing else is said", async () => {
    expect(await studio.call('create_invoice', draft())).toMatchObject({ due_date: dayFromNow(14), currency: 'EUR' })
    expect(await studio.call('create_invoice', draft({ due_date: dayFromNow(0) }))).toMatchObject({
      due_date: dayFromNow(0),
    })
  })

  test.each([
    ['a sent one', 'bil_259w', 'BILL_ALREADY_SENT'],
    ['a partly paid one', 'bil_259t', 'BILL_ALREADY_SENT'],
    ['a paid one', 'bil_259s', 'BILL_ALREADY_SENT'],
    ['one of a client without an address', 'bil_259x', 'PAYER_WITHOUT_MAIL'],
    ['a made-up one', 'bil_none', 'BILL_NOT_FOUND'],
  ])('are not sent: %s', async (_what, invoice_id, code) => {
    expect(await studio.refused('send_invoice', { invoice_id })).toBe(code)
    expect(await studio.control.effects()).toEqual([])
  })

  const priced = (unit_price: number) => ({ line_items: [{ description: 'x', unit_price }] })
  test.each([
    ['a price with three decimals', priced(10.005), 'AMOUNT_INVALID'],
    ['a sum like 0.1 + 0.2', priced(0.1 + 0.2), 'AMOUNT_INVALID'],
    ['a price beyond all numbers', priced(1e21), 'AMOUNT_INVALID'],
    ['nothing to pay', priced(0), 'SUM_ZERO'],
    ['more than the app takes', priced(10_000_000.01), 'SUM_TOO_HIGH'],
    ['a due date that is past', { due_date: dayFromNow(-2) }, 'DUE_DAY_PAST'],
    ['a contact that does not exist', { contact_id: 'ppl_none' }, 'PERSON_NOT_FOUND'],
  ])('are not drafted with %s', async (_what, more, code) => {
    expect(await studio.refused('create_invoice', draft(more))).toBe(code)
    expect(await studio.control.effects()).toEqual([])
  })

  test.each([0.01, 0.1, 1, 12.5, 999.99, 10_000_000])('keep a price of %d as it is', async (unit_price) => {
    expect(await studio.call('create_invoice', draft(priced(unit_price)))).toMatchObject({ total: unit_price })
  })

  test('and contacts of another studio do not exist', async () => {
    expect(await studio.refused('send_invoice', { invoice_id: 'bil_259y' }, 'stranger')).toBe('BILL_NOT_FOUND')
    expect(await studio.refused('create_invoice', draft(), 'stranger')).toBe('PERSON_NOT_FOUND')
    const mine = values(await studio.every('list_invoices', 'invoices', { limit: 100 }), 'invoice_id')
    const theirs = values(await studio.rows('list_invoices', 'invoices', { limit: 100 }, 'stranger'), 'invoice_id')
    expect(theirs.length).toBe(100)
    expect(theirs.filter((one) => mine.includes(one))).toEqual([])
    expect(await studio.control.effects()).toEqual([])
  })
})
