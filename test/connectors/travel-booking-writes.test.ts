import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { exchanged } from './local-app.ts'
import { dayFromNow, values } from './app-caller.ts'
import type { AppCaller, Row } from './app-caller.ts'
import { Traveller } from './travel-booking-traveller.ts'

let me: Traveller
let app: AppCaller
beforeAll(async () => {
  me = await Traveller.open()
  app = me.caller
})
beforeEach(() => app.sandbox.reset())
afterAll(() => app.sandbox.close())

const refundOf = async (booking_id: unknown) => {
  const { amount, currency } = (await app.call('get_cancellation_quote', { booking_id }))['refund'] as Row
  return { amount, currency }
}
const listed = async (booking_id: unknown, status: string) =>
  values(await app.rows('list_bookings', 'bookings', { status, limit: 100 }), 'booking_id').includes(booking_id)

describe('a booking that is made', () => {
  test.each([
    ['without flex', false, 'Saver, 2nd class'],
    ['with flex', true, 'Saver, 2nd class'],
    ['with another class', true, 'Standard, 2nd class'],
  ])('%s is charged its total, and is there at once', async (_what, flex, name) => {
    const order = await me.order({ modes: ['train'] }, name, flex)
    const made = await app.call('book_trip', order)
    expect(made).toMatchObject({
      route: 'İstanbul – Ankara',
      operator: 'Anadolu Hızlı',
      status: 'confirmed',
      passengers: order.passengers,
      fare: { class: name, refundable: false },
      flex,
      total: order.total,
    })
    expect(await me.booking(made['booking_id'])).toEqual(made)
    expect(await listed(made['booking_id'], 'upcoming')).toBe(true)
    expect((await app.rows('get_tickets', 'tickets', { booking_id: made['booking_id'] })).length).toBe(1)
    const quote = await app.call('get_cancellation_quote', { booking_id: made['booking_id'] })
    expect(quote['cancellable']).toBe(flex)
    expect(await me.actions()).toEqual(['order.place'])
  })

  test('has no flex unless the fare has it, and names as they were written', async () => {
    const order = await me.order({ passengers: { adult: 1, child: 1 } })
    const passengers = [
      { first_name: 'محمد', last_name: '<b>"Tables" & Sons' },
      { first_name: '🚆'.repeat(80), last_name: 'ö'.repeat(80) },
    ]
    const made = await app.call('book_trip', { ...order, passengers })
    expect(made).toMatchObject({ passengers, flex: false, total: order.total })
  })

  test('on the way back is of that day and direction', async () => {
    const found = await me.search({
      return_date: dayFromNow(20),
      limit: 2,
    })
    const [fare] = await app.rows('get_trip', 'fares', { trip_id: found[1]?.['trip_id'] })
    const passengers = [{ first_name: 'Mia', last_name: 'Núñez' }]
    const made = await app.call('book_trip', { fare_id: fare?.['fare_id'], passengers, total: fare?.['price'] })
    expect(made).toMatchObject({ route: 'Ankara – İstanbul', departs: found[1]?.['departs'] })
  })

  test('is pending until an operator who confirms by hand has done so', async () => {
    const order = await me.order({ from: 'Marseille', to: 'Tunis' })
    const { booking_id, status } = await app.call('book_trip', order)
    expect(status).toBe('pending')
    expect(await listed(booking_id, 'upcoming')).toBe(true)
    expect(await app.refused('get_tickets', { booking_id })).toBe('BOOKING_NOT_CONFIRMED')
    const refund = { amount: 0, currency: 'EUR' }
    expect(await app.refused('cancel_booking', { booking_id, refund })).toBe('BOOKING_NOT_CONFIRMED')
    expect(await me.agree(booking_id)).toBe(303)
    expect(await me.booking(booking_id)).toMatchObject({ status: 'confirmed' })
    expect((await app.rows('get_tickets', 'tickets', { booking_id })).length).toBe(1)
  })

  test('is refused at any other price, or for another party, and nothing is charged', async () => {
    const order = await me.order({ modes: ['train'] })
    const { amount, currency } = order.total
    const other = { first_name: 'Mia', last_name: 'Núñez' }
    const wrong: [Row, string][] = [
      [{ total: { amount: amount - 0.01, currency } }, 'SUM_DIFFERS'],
      [{ total: { amount: amount + 1, currency } }, 'SUM_DIFFERS'],
      [{ total: { amount, currency: 'USD' } }, 'SUM_DIFFERS'],
      [{ total: { amount: amount * 100, currency: 'JPY' } }, 'SUM_DIFFERS'],
      [{ fare_id: `${order.fare_id}.flex` }, 'SUM_DIFFERS'],
      [{ total: { amount: 10.001, currency } }, 'AGREED_INVALID'],
      [{ total: { amount: 1e21, currency } }, 'AGREED_INVALID'],
      [{ total: { amount: 10.5, currency: 'JPY' } }, 'AGREED_INVALID'],
      [{ passengers: [...order.passengers, other] }, 'PARTY_MISMATCH'],
      [{ passengers: [{ first_name: ' ', last_name: 'x' }] }, 'FIELD_REQUIRED'],
      [{ fare_id: order.fare_id.replace(/\w+$/, 'THRONE') }, 'TARIFF_NOT_FOUND'],
      [{ fare_id: order.fare_id.replace(/^\w+/, 'O99999') }, 'TRIP_NOT_FOUND'],
      [{ fare_id: order.fare_id.replace(/\.\w+$/, '') }, 'TARIFF_NOT_FOUND'],
    ]
    for (const [more, code] of wrong)
      expect(await app.refused('book_trip', { ...order, ...more }), JSON.stringify(more)).toBe(code)
    const first = (await me.fares({ modes: ['train'] })).find(({ flex_available }) => !flex_available)!
    const flexed = { ...order, fare_id: `${first.fare_id}.flex`, total: first.price }
    expect(await app.refused('book_trip', flexed)).toBe('FLEX_NOT_OFFERED')
    expect(await app.refused('book_trip', order, 'stranger')).toBe('SEARCH_UNKNOWN')
    expect(await me.actions()).toEqual([])
  })

  test('takes as many names, and as long ones, as it says', () => {
    const who = { first_name: 'a', last_name: 'b' }
    const order = { fare_id: 'x', passengers: [who], total: { amount: 0, currency: 'EUR' } }
    const takes = (more: Row) => app.takes('book_trip', { ...order, ...more })
    const good: Row[] = [
      {},
      { passengers: Array.from({ length: 9 }, () => who) },
      { passengers: [{ ...who, last_name: 'x'.repeat(80) }] },
    ]
    const bad: Row[] = [
      { passengers: [] },
      { passengers: Array.from({ length: 10 }, () => who) },
      { passengers: [{ ...who, first_name: '' }] },
      { passengers: [{ ...who, last_name: 'x'.repeat(81) }] },
      { passengers: [{ first_name: 'a' }] },
      { total: undefined },
      { total: { amount: -1, currency: 'EUR' } },
      { total: { amount: 1, currency: 'eur' } },
      { total: { amount: '1', currency: 'EUR' } },
      { flex: true },
      { fare_id: undefined },
    ]
    for (const more of good) expect(takes(more), JSON.stringify(more)).toBe(true)
    for (const more of bad) expect(takes(more), JSON.stringify(more)).toBe(false)
  })

  test('needs a card on file', async () => {
    const session = (await app.sandbox.accounts('travel-booking')).find(({ kind }) => kind === 'cardless')!.session
    const as = async (name: string, input: Row): Promise<Row> => {
      const endpoint = app.app.endpoints.get(name)!
      const { outcome } = await app.sandbox.call(app.app, endpoint, input, session)
      return outcome.kind === 'ok' ? outcome.output : { ...outcome }
    }
    const [{ departs } = {}] = await me.search({ limit: 1 })
    const found = await as('search_trips', { from: 'ist', to: 'ank', date: String(departs).slice(0, 10), limit: 1 })
    const trip = await as('get_trip', { trip_id: (found['trips'] as Row[])[0]?.['trip_id'] })
    const [fare] = trip['fares'] as Row[]
    const passengers = [{ first_name: 'a', last_name: 'b' }]
    const order = { fare_id: fare?.['fare_id'], passengers, total: fare?.['price'] }
    expect(await as('book_trip', order)).toMatchObject({ kind: 'rejected', appCode: 'CARD_MISSING' })
    expect(await me.actions()).toEqual([])
  })
})

describe('a booking that is changed', () => {
  test('goes on with another departure and new tickets, for the total of the option', async () => {
    const before = await me.booking('FV25A3')
    const [ticket] = await app.rows('get_tickets', 'tickets', { booking_id: 'FV25A3' })
    const options = await me.options('FV25A3', 20)
    const [option, next] = options.filter(({ total }) => total.amount > 10)
    const { option_id, total } = option!
    const input = { booking_id: 'FV25A3', option_id, total }
    expect(await app.call('change_booking', input)).toEqual({ ...input, status: 'confirmed' })
    const paid = (before['total'] as { amount: number }).amount + total.amount
    const after = await me.booking('FV25A3')
    expect(after).toEqual({
      ...before,
      departs: option!['departs'],
      total: { amount: expect.closeTo(paid, 2), currency: 'EUR' },
    })
    expect((await fetch(String(ticket?.['url']))).status).toBe(404)
    expect(await app.refused('change_booking', { ...input, option_id: next!.option_id })).toBe('MOVE_NOT_FOUND')
    expect(await me.actions()).toEqual(['booking.move'])
    const quote = await app.call('get_cancellation_quote', { booking_id: 'FV25A3' })
    expect(quote['refund']).toMatchObject({ non_refundable: { change_fees: 10 } })
  })

  test('to a cheaper departure pays the fee alone, or nothing with flex, in its own currency', async () => {
    const cheaper = (await me.options('FV25A3', 20)).find(({ total }) => total.amount === 10)!
    const { option_id, total } = cheaper
    expect(await app.call('change_booking', { booking_id: 'FV25A3', option_id, total })).toMatchObject({ total })
    const free = (await me.options('FV259W', 20)).find((option) => option.total.amount === 0)!
    const input = { booking_id: 'FV259W', option_id: free.option_id, total: { amount: 0, currency: 'TND' } }
    expect(await app.call('change_booking', input)).toMatchObject({ total: input.total })
    const dearer = (await me.options('FV259W', 21)).find((option) => option.total.amount > 0)!
    const again = { booking_id: 'FV259W', option_id: dearer.option_id, total: dearer.total }
    expect(await app.call('change_booking', again)).toMatchObject({ total: dearer.total })
  })

  test('is refused at another price, in another currency, and where it cannot be', async () => {
    const [{ option_id, total } = { option_id: '', total: { amount: 0, currency: 'EUR' } }] = await me.options(
      'FV25A3',
      20,
    )
    const good = { booking_id: 'FV25A3', option_id, total }
    const wrong: [Row, string][] = [
      [{ total: { ...total, amount: total.amount - 0.01 } }, 'SUM_DIFFERS'],
      [{ total: { ...total, currency: 'USD' } }, 'SUM_DIFFERS'],
      [{ total: { amount: 0.001, currency: 'EUR' } }, 'AGREED_INVALID'],
      [{ option_id: 'MV-1-1-1-1' }, 'MOVE_NOT_FOUND'],
      [{ booking_id: 'FV25A5' }, 'MOVE_NOT_FOUND'],
      [{ booking_id: 'FV259V' }, 'TARIFF_NOT_SWAPPABLE'],
      [{ booking_id: 'FV25A0' }, 'BOOKING_NOT_CONFIRMED'],
      [{ booking_id: 'FV259T' }, 'BOOKING_CANCELLED'],
      [{ booking_id: 'FV257V' }, 'BOOKING_DEPARTED'],
    ]
    for (const [more, code] of wrong)
      expect(await app.refused('change_booking', { ...good, ...more }), JSON.stringify(more)).toBe(code)
    expect(await me.actions()).toEqual([])
    expect(app.takes('change_booking', good)).toBe(true)
    for (const more of [{ total: undefined }, { option_id: '' }, { booking_id: 'a/b' }])
      expect(app.takes('change_booking', { ...good, ...more })).toBe(false)
  })
})

describe('a booking that is cancelled', () => {
  test.each([
    ['with a refundable fare', 'FV25A6'],
    ['with flex, in dinars', 'FV259W'],
  ])('%s is refunded as quoted, for ever', async (_what, booking_id) => {
    const refund = await refundOf(booking_id)
    expect(await app.call('cancel_booking', { booking_id, refund })).toEqual({
      booking_id,
      status: 'cancelled',
      refund,
    })
    expect(await me.booking(booking_id)).toMatchObject({ status: 'cancelled' })
    expect([await listed(booking_id, 'upcoming'), await listed(booking_id, 'cancelled')]).toEqual([false, true])
    expect(await app.refused('get_tickets', { booking_id })).toBe('BOOKING_CANCELLED')
    expect(await app.refused('cancel_booking', { booking_id, refund })).toBe('BOOKING_CANCELLED')
    expect(await app.call('get_cancellation_quote', { booking_id })).toMatchObject({ cancellable: false })
    expect(await me.actions()).toEqual(['booking.cancel'])
  })

  test('is refused with another refund, in another currency, and where it cannot be', async () => {
    const refund = await refundOf('FV25A6')
    const good = { booking_id: 'FV25A6', refund }
    const wrong: [Row, string][] = [
      [{ refund: { ...refund, amount: 911.41 } }, 'SUM_DIFFERS'],
      [{ refund: { ...refund, amount: 911 } }, 'SUM_DIFFERS'],
      [{ refund: { ...refund, currency: 'USD' } }, 'SUM_DIFFERS'],
      [{ refund: { ...refund, amount: 911.401 } }, 'AGREED_INVALID'],
      [{ booking_id: 'FV259V' }, 'TARIFF_KEEPS_MONEY'],
      [{ booking_id: 'FV25A0' }, 'BOOKING_NOT_CONFIRMED'],
      [{ booking_id: 'FV257V' }, 'BOOKING_DEPARTED'],
    ]
    for (const [more, code] of wrong)
      expect(await app.refused('cancel_booking', { ...good, ...more }), JSON.stringify(more)).toBe(code)
    expect(await me.actions()).toEqual([])
    expect(app.takes('cancel_booking', good)).toBe(true)
    expect(app.takes('cancel_booking', { booking_id: 'FV25A6' })).toBe(false)
    const { outcome } = await exchanged(app.sandbox, app.app, 'cancel_booking', {
      ...good,
      refund: { ...refund, amount: 1 },
    })
    expect(outcome).toMatchObject({ appMessage: expect.stringContaining('EUR 911.40') })
  })
})
