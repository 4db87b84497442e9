import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { dayFromNow, values } from './app-caller.ts'
import type { AppCaller, Row } from './app-caller.ts'
import { Traveller } from './travel-booking-traveller.ts'
import type { Price } from './travel-booking-traveller.ts'

let me: Traveller
let app: AppCaller
beforeAll(async () => {
  me = await Traveller.open()
  app = me.caller
})
// Nothing is changed here, but more is asked than the app allows in ten seconds.
beforeEach(() => app.sandbox.reset())
afterAll(() => app.sandbox.close())

const departures = (rows: readonly Row[]) => values(rows, 'departs').map((moment) => Date.parse(String(moment)))

describe('bookings', () => {
  const list = (input: Row, user?: string) => app.rows('list_bookings', 'bookings', input, user)

  test.each([
    ['upcoming', 90, 1],
    ['past', 75, -1],
    ['cancelled', 70, -1],
    ['all', 100, -1],
  ])('that are %s are listed in their order, 20 by default and up to 100', async (status, count, order) => {
    const all = await list({ status, limit: 100 })
    expect(all.length).toBe(count)
    expect(await list({ status })).toEqual(all.slice(0, 20))
    expect(await list({ status, limit: 1 })).toEqual(all.slice(0, 1))
    expect(departures(all)).toEqual(departures(all).toSorted((a, b) => order * (a - b)))
    const ahead = departures(all).map((moment) => moment > Date.now())
    const statuses = new Set(values(all, 'status'))
    if (status === 'upcoming')
      expect([new Set(ahead), statuses]).toEqual([new Set([true]), new Set(['confirmed', 'pending'])])
    if (status === 'past') expect([new Set(ahead), statuses]).toEqual([new Set([false]), new Set(['confirmed'])])
    if (status === 'cancelled')
      expect([new Set(ahead), statuses]).toEqual([new Set([true, false]), new Set(['cancelled'])])
    if (status === 'all') expect(statuses).toEqual(new Set(['confirmed', 'pending', 'cancelled']))
  })

  test('are the upcoming ones by default, and takes the documented values alone', async () => {
    expect(await list({})).toEqual(await list({ status: 'upcoming' }))
    const takes = (input: Row) => app.takes('list_bookings', input)
    for (const input of [{ limit: 1 }, { limit: 100 }, { status: 'all' }]) expect(takes(input)).toBe(true)
    for (const input of [{ limit: 0 }, { limit: 101 }, { status: 'pending' }, { cursor: 'x' }])
      expect(takes(input)).toBe(false)
  })

  test('show in full as in the list, with names, rights and money of every currency', async () => {
    const all = await list({})
    const full = await Promise.all(all.map(({ booking_id }) => me.booking(booking_id)))
    expect(full.map(({ passengers: _p, fare: _f, flex: _x, total: _t, ...row }) => row)).toEqual(all)
    expect(full[0]).toMatchObject({
      route: 'İstanbul – تونس',
      passengers: [
        { first_name: 'José', last_name: 'García Márquez' },
        { first_name: 'Suharto', last_name: null },
        { first_name: 'Björk', last_name: 'Guðmundsdóttir' },
      ],
      fare: { class: 'Business', exchangeable: true, refundable: true },
      flex: false,
      total: { amount: 1393.82, currency: 'EUR' },
    })
    expect(full[2]).toMatchObject({ flex: true, total: { amount: 588.148, currency: 'TND' } })
    expect(full[6]).toMatchObject({ status: 'pending', total: { amount: 2675, currency: 'JPY' } })
  })

  test('are nobody else’s', async () => {
    const [{ booking_id } = {}] = await list({})
    const others = values(await list({ status: 'all', limit: 100 }, 'stranger'), 'booking_id')
    expect(others).not.toContain(booking_id)
    expect(others.length).toBe(100)
    const price = { amount: 1, currency: 'EUR' }
    const calls: [string, Row][] = [
      ['get_booking', {}],
      ['get_tickets', {}],
      ['get_change_options', { date: dayFromNow(20) }],
      ['get_cancellation_quote', {}],
      ['change_booking', { option_id: 'MV-259u-1-20-0', total: price }],
      ['cancel_booking', { refund: price }],
    ]
    for (const [name, more] of calls) {
      expect(await app.refused(name, { booking_id, ...more }, 'stranger'), name).toBe('BOOKING_NOT_FOUND')
      expect(await app.refused(name, { booking_id: 'FV0', ...more }), name).toBe('BOOKING_NOT_FOUND')
    }
    expect(await app.control.effects()).toEqual([])
  })

  test('have a ticket for each passenger where they are confirmed, of each type, that opens for anybody', async () => {
    const types = new Set<unknown>()
    for (const booking_id of ['FV259U', 'FV259Y', 'FV25A2', 'FV257V']) {
      const { passengers } = await me.booking(booking_id)
      const answer = await app.call('get_tickets', { booking_id })
      const tickets = answer['tickets'] as Row[]
      expect(answer['booking_id']).toBe(booking_id)
      const names = (passengers as Row[]).map((who) =>
        [who['first_name'], who['last_name']].filter((name) => typeof name === 'string').join(' '),
      )
      expect(values(tickets, 'passenger')).toEqual(names)
      expect((await fetch(String(tickets[0]?.['url']))).status).toBe(200)
      for (const type of values(tickets, 'type')) types.add(type)
    }
    expect(types).toEqual(new Set(['e-ticket', 'mobile', 'print-at-home']))
  })

  test('have none where they are not, and say so', async () => {
    expect(await app.refused('get_tickets', { booking_id: 'FV25A0' })).toBe('BOOKING_NOT_CONFIRMED')
    expect(await app.refused('get_tickets', { booking_id: 'FV259T' })).toBe('BOOKING_CANCELLED')
  })
})

describe('a quote', () => {
  test.each([
    ['FV259U', true, null, 1340.21, 'a refundable fare'],
    ['FV259W', true, null, 507.024, 'flex'],
    ['FV259V', false, 'Light, hand luggage only is not refundable.', 0, 'neither'],
    ['FV25A0', false, 'The carrier has not confirmed this booking yet.', 0, 'no confirmation'],
    ['FV259T', false, 'This booking is cancelled.', 0, 'a cancelled booking'],
    ['FV257V', false, 'This trip has left already.', 0, 'a past trip'],
  ])('of %s says %s', async (booking_id, cancellable, reason, amount, _why) => {
    const quote = await app.call('get_cancellation_quote', { booking_id })
    expect(quote).toMatchObject({ booking_id, cancellable, reason, refund: { amount } })
    const { total, flex } = await me.booking(booking_id)
    const { non_refundable, currency } = quote['refund'] as Row
    expect(currency).toBe((total as Price).currency)
    const kept = non_refundable as Record<string, number>
    expect(kept['service_fee']).toBeGreaterThan(0)
    expect(kept['flex']! > 0).toBe(flex)
    expect([kept['change_fees'], kept['kept_by_operator']]).toEqual([0, 0])
    if (cancellable) {
      const parts = amount + kept['service_fee']! + kept['flex']!
      expect(parts).toBeCloseTo((total as Price).amount, 3)
    }
  })
})

describe('change options', () => {
  test('are the other departures of a day, with what is dearer and the fee', async () => {
    const options = await me.options('FV25A3', 20)
    expect(options.length).toBe(3)
    expect(departures(options)).toEqual(departures(options).toSorted((a, b) => a - b))
    const amounts = options.map(({ price_difference, fee, total }) => [price_difference, fee, total] as Price[])
    for (const [difference, fee, total] of amounts) {
      expect(fee?.amount).toBe(10)
      expect(total?.amount).toBeCloseTo(Math.max(0, difference!.amount) + fee!.amount, 2)
    }
    expect(amounts.some(([difference]) => difference!.amount < 0)).toBe(true)
    expect(amounts.some(([difference]) => difference!.amount > 0)).toBe(true)
    const own = await me.booking('FV25A3')
    const sameDay = await me.options('FV25A3', 11)
    expect(sameDay.length).toBe(2)
    expect(values(sameDay, 'departs')).not.toContain(own['departs'])
    expect((await me.options('FV259Z', 20))[0]).toMatchObject({ fee: { amount: 0, currency: 'EUR' } })
  })

  test.each([
    ['FV259V', 'TARIFF_NOT_SWAPPABLE'],
    ['FV25A0', 'BOOKING_NOT_CONFIRMED'],
    ['FV259T', 'BOOKING_CANCELLED'],
    ['FV257V', 'BOOKING_DEPARTED'],
  ])('of %s do not exist, and it says why: %s', async (booking_id, code) => {
    expect(await app.refused('get_change_options', { booking_id, date: dayFromNow(20) })).toBe(code)
  })

  test('are of days on sale', async () => {
    const ask = (date: string) => app.refused('get_change_options', { booking_id: 'FV25A3', date })
    expect(await ask(dayFromNow(-2))).toBe('DAY_PAST')
    expect(await ask(dayFromNow(183))).toBe('DAY_TOO_FAR')
    expect(await ask(dayFromNow(179))).toBe('ok')
    for (const date of ['2027-02-29', undefined, '01 Mar 2028'])
      expect(app.takes('get_change_options', { booking_id: 'FV25A3', date })).toBe(false)
  })
})
