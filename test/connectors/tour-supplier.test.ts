import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { AppCaller, dayFromNow, values } from './app-caller.ts'
import type { Row } from './app-caller.ts'
import { books, cancels, circle, lights, rates, tripOf, walk, writes } from './tour-supplier-guests.ts'

let portal: AppCaller
beforeAll(async () => {
  portal = await AppCaller.open('tour-supplier')
})
beforeEach(() => portal.sandbox.reset())
afterAll(() => portal.sandbox.close())

const wide = { from: dayFromNow(-20), to: dayFromNow(30) }
const week = { from: dayFromNow(0), to: dayFromNow(7) }
type Between = (page: number) => Promise<unknown> | undefined
const bookings = (input: Row, between?: Between): Promise<Row[]> =>
  portal.every('list_bookings', 'bookings', input, between)
const conversations = (input: Row, between?: Between): Promise<Row[]> =>
  portal.every('list_messages', 'conversations', input, between)
const reviews = (input: Row, between?: Between): Promise<Row[]> =>
  portal.every('list_reviews', 'reviews', input, between)
const of = (row: Row | undefined, key: string): Row => row?.[key] as Row
const list = (row: Row | undefined, key: string): Row[] => row?.[key] as Row[]
const inOrder = ({ date, time, booking_reference }: Row): string => [date, time, booking_reference].join(' ')
/** Some of the rows, and not all of them. */
function picks(some: readonly Row[], all: readonly Row[], wanted: (row: Row) => boolean): void {
  expect(some).toEqual(all.filter(wanted))
  expect(some.length).toBeGreaterThan(0)
  expect(some.length).toBeLessThan(all.length)
}

describe('bookings', () => {
  test('are listed to the end by date and time, and filtered by status, product and days', async () => {
    const all = await bookings({ ...wide, status: 'all' })
    expect(all.length).toBeGreaterThan(150)
    expect(new Set(values(all, 'booking_reference')).size).toBe(all.length)
    expect(all.map(inOrder)).toEqual(all.map(inOrder).toSorted())
    for (const status of ['confirmed', 'cancelled'])
      picks(await bookings({ ...wide, status }), all, (row) => row['status'] === status)
    picks(
      await bookings({ ...wide, status: 'all', product_id: circle.product_id }),
      all,
      (row) => row['product_id'] === circle.product_id,
    )
    const [from, to] = [dayFromNow(2), dayFromNow(3)]
    picks(await bookings({ from, to, status: 'all' }), all, ({ date }) => date === from || date === to)
  })

  test('are the confirmed ones of today and a week by default', async () => {
    const preset = await bookings({})
    expect(preset).toEqual(await bookings({ ...week, status: 'confirmed' }))
    expect(new Set(values(preset, 'date'))).toEqual(new Set([0, 1, 2, 3, 4, 5, 6, 7].map(dayFromNow)))
    const late = await bookings({ from: dayFromNow(5) })
    expect(late).toEqual(preset.filter(({ date }) => String(date) >= dayFromNow(5)))
    const soon = await bookings({ to: dayFromNow(1) })
    expect(soon).toEqual(preset.filter(({ date }) => String(date) <= dayFromNow(1)))
    const [from, to] = [dayFromNow(8), dayFromNow(15)]
    expect(await bookings({ from })).toEqual(await bookings({ from, to }))
    expect(await bookings({ from })).not.toEqual([])
    expect(await portal.refused('list_bookings', { from, to: dayFromNow(7) })).toBe('SPAN_BACKWARDS')
    expect(await bookings({ from: '9999-12-30' })).toEqual([])
    expect(await portal.rows('list_bookings', 'bookings', { from: dayFromNow(20), to: dayFromNow(20) })).not.toEqual([])
  })

  test('are paged to the end while guests book and cancel: none twice, none missing', async () => {
    const before = await bookings({ status: 'all' })
    const mine: string[] = []
    const during = await bookings({ status: 'all' }, async (page) => {
      mine.push(await books(portal, dayFromNow(page)))
      if (page === 2) await cancels(portal, mine[0]!)
    })
    expect(mine.length).toBeGreaterThan(3)
    const seen = values(during, 'booking_reference')
    expect(new Set(seen).size).toBe(seen.length)
    expect(during.filter((row) => before.some((one) => inOrder(one) === inOrder(row)))).toEqual(before)
    expect((await bookings({ status: 'all' })).length).toBe(before.length + mine.length)
  })

  test.each([
    ['demo', 'EUR'],
    ['poor', 'JPY'],
    ['narrow', 'TND'],
  ])('show their product, price and lead traveler: %s in %s', async (user, currency) => {
    const rows = await portal.rows('list_bookings', 'bookings', { status: 'all' }, user)
    const products = await portal.rows('list_products', 'products', { status: 'all' }, user)
    for (const row of [
      ...rows.slice(0, 3),
      ...rows.filter(({ travelers }) => (travelers as Row)['child']).slice(0, 2),
    ]) {
      const detail = await portal.call('get_booking', { booking_reference: row['booking_reference'] }, user)
      const product = products.find((one) => one['product_id'] === row['product_id'])
      const option = list(product, 'options').find((one) => one['option_id'] === row['option_id'])
      const [each, people] = [of(option, 'price_categories'), of(row, 'travelers')]
      const amount = Number(each['adult']) * Number(people['adult']) + Number(each['child']) * Number(people['child'])
      expect(option?.['currency']).toBe(currency)
      expect(detail).toEqual({
        ...row,
        product: product?.['title'],
        price: { amount: Number(amount.toFixed(3)), currency },
        lead_traveler: { name: expect.stringMatching(/./), language: expect.stringMatching(/^[a-z]{2}(-[A-Z]{2})?$/) },
      })
    }
  })
})

describe('products', () => {
  test('are those on sale unless others are asked for', async () => {
    const all = await portal.rows('list_products', 'products', { status: 'all' })
    const active = await portal.rows('list_products', 'products', {})
    picks(active, all, ({ status }) => status === 'active')
    expect(await portal.rows('list_products', 'products', { status: 'active' })).toEqual(active)
    picks(
      await portal.rows('list_products', 'products', { status: 'inactive' }),
      all,
      (one) => one['status'] === 'inactive',
    )
    expect(list(all[0], 'options').length).toBe(2)
    expect(all.flatMap((one) => list(one, 'options')).some((one) => of(one, 'price_categories')['child'] === 0)).toBe(
      true,
    )
  })

  test('perform as their bookings of the span say, one alone or all', async () => {
    const span = { from: dayFromNow(-9), to: dayFromNow(4) }
    const sold = await bookings({ ...span, status: 'all' })
    const answer = await portal.call('get_performance', span)
    expect(answer).toMatchObject(span)
    const all = list(answer, 'products')
    expect(values(all, 'product_id')).toEqual(
      values(await portal.rows('list_products', 'products', { status: 'all' }), 'product_id'),
    )
    for (const { product_id, figures } of all) {
      const own = sold.filter((row) => row['product_id'] === product_id)
      const live = own.filter(({ status }) => status === 'confirmed')
      const people = live.map((row) => Number(of(row, 'travelers')['adult']) + Number(of(row, 'travelers')['child']))
      expect(figures).toMatchObject({
        bookings: live.length,
        cancellations: own.length - live.length,
        travelers: people.reduce((sum, count) => sum + count, 0),
      })
    }
    const one = await portal.rows('get_performance', 'products', { ...span, product_id: circle.product_id })
    expect(one).toEqual(all.filter(({ product_id }) => product_id === circle.product_id))
    let revenue = 0
    for (const { booking_reference } of sold.filter(
      (row) => row['product_id'] === circle.product_id && row['status'] === 'confirmed',
    ))
      revenue += Number(of(await portal.call('get_booking', { booking_reference }), 'price')['amount'])
    expect(revenue).toBeGreaterThan(0)
    expect(of(one[0], 'figures')['revenue']).toEqual({ amount: revenue, currency: 'EUR' })
    expect(Number(of(one[0], 'figures')['page_views'])).toBeGreaterThan(0)
  })

  test('have places by day and time: what is booked is what bookings took', async () => {
    const span = { from: dayFromNow(-2), to: dayFromNow(9) }
    const answer = await portal.call('get_availability', { option_id: circle.option_id, ...span })
    expect(answer['option_id']).toBe(circle.option_id)
    const days = list(answer, 'days')
    expect(values(days, 'date')).toEqual(Array.from({ length: 12 }, (_, at) => dayFromNow(at - 2)))
    const sold = await bookings({ ...span, product_id: circle.product_id })
    let most = 0
    for (const day of days) {
      const slots = list(day, 'slots')
      expect(values(slots, 'time')).toEqual(['08:30', '13:00'])
      for (const { time, booked } of slots) {
        const taken = sold
          .filter((row) => row['option_id'] === circle.option_id && row['date'] === day['date'] && row['time'] === time)
          .map((row) => Number(of(row, 'travelers')['adult']) + Number(of(row, 'travelers')['child']))
          .reduce((sum, count) => sum + count, 0)
        expect(booked, `${String(day['date'])} ${String(time)}`).toBe(taken)
        most = Math.max(most, taken)
      }
    }
    expect(most).toBeGreaterThan(0)
    const weekdays = await portal.rows('get_availability', 'days', { option_id: '2100014', ...span })
    expect(new Set(weekdays.map((day) => list(day, 'slots').length))).toEqual(new Set([0, 2]))
  })

  test('tell the places of 366 days at most', async () => {
    const days = (to: number): Row => ({ option_id: lights.option_id, from: dayFromNow(0), to: dayFromNow(to) })
    expect((await portal.rows('get_availability', 'days', days(365))).length).toBe(366)
    expect(await portal.refused('get_availability', days(366))).toBe('SPAN_TOO_LONG')
    expect(await portal.refused('get_availability', days(-1))).toBe('SPAN_BACKWARDS')
  })
})

describe('conversations', () => {
  test('come by their latest message, all or those with unread ones, 20 by default', async () => {
    const all = await conversations({ limit: 50 })
    expect(all.length).toBeGreaterThan(100)
    const times = all.map(({ updated_at }) => Date.parse(String(updated_at)))
    expect(times).toEqual(times.toSorted((a, b) => b - a))
    picks(await conversations({ unread_only: true, limit: 50 }), all, ({ unread }) => Number(unread) > 0)
    expect(await portal.rows('list_messages', 'conversations', {})).toEqual(all.slice(0, 20))
    expect(await portal.rows('list_messages', 'conversations', { unread_only: false, limit: 1 })).toEqual(
      all.slice(0, 1),
    )
    expect(values(all, 'last_message')).toContain('')
    const { booking_reference, traveler } = all[0]!
    const booking = await portal.call('get_booking', { booking_reference })
    expect(of(booking, 'lead_traveler')['name']).toBe(traveler)
  })

  test('are read to the end in small pages while travelers write and are answered', async () => {
    const filter = { unread_only: true }
    const before = await conversations({ ...filter, limit: 50 })
    const trip = await books(portal, dayFromNow(5))
    const during = await conversations({ ...filter, limit: 3 }, async (page) => {
      await writes(portal, trip, `Message ${page}`)
      if (page === 2)
        await portal.call('reply_to_message', { conversation_id: before[0]?.['conversation_id'], message: 'Yes' })
    })
    expect(values(during, 'conversation_id')).toEqual(values(before, 'conversation_id'))
    const [first] = await conversations({ ...filter, limit: 50 })
    expect(first).toMatchObject({ traveler: 'Meanwhile', last_message: expect.stringMatching(/^Message \d+$/) })
    expect(Number(first?.['unread'])).toBeGreaterThan(10)
    expect(values(before, 'conversation_id')).not.toContain(first?.['conversation_id'])
  })
})

describe('reviews', () => {
  test('come newest first, by product, day and reply', async () => {
    const all = await reviews({})
    expect(all.length).toBeGreaterThan(100)
    expect(new Set(values(all, 'review_id')).size).toBe(all.length)
    const days = all.map(({ date }) => String(date))
    expect(days).toEqual(days.toSorted().toReversed())
    expect(new Set(values(all, 'rating'))).toEqual(new Set([1, 2, 3, 4, 5]))
    const { product_id } = circle
    picks(await reviews({ product_id }), all, (one) => one['product_id'] === product_id)
    picks(await reviews({ since: dayFromNow(-30) }), all, ({ date }) => String(date) >= dayFromNow(-30))
    const open = await reviews({ unanswered_only: true })
    picks(open, all, ({ reply }) => reply === null)
    picks(await reviews({ unanswered_only: true, product_id, since: dayFromNow(-60) }), open, (one) => {
      return one['product_id'] === product_id && String(one['date']) >= dayFromNow(-60)
    })
    expect(await portal.rows('list_reviews', 'reviews', { unanswered_only: false })).toEqual(all.slice(0, 25))
  })

  test('are read to the end while travelers rate and are answered', async () => {
    const before = await reviews({ unanswered_only: true })
    const rated = new Set(values(await reviews({}), 'review_id')).size
    const gone = await bookings({ from: dayFromNow(-2), to: dayFromNow(-1) })
    const trips = await Promise.all(gone.slice(0, 2).map((booking) => tripOf(portal, booking)))
    const during = await reviews({ unanswered_only: true }, async (page) => {
      const trip = trips.pop()
      if (trip !== undefined) await rates(portal, trip, 4, `Late, but good ${page}`)
      await portal.call('reply_to_review', { review_id: before[page]?.['review_id'], reply: 'Thank you' })
    })
    expect(during).toEqual(before)
    expect(trips).toEqual([])
    const after = await reviews({})
    expect(after.length).toBe(rated + 2)
    expect(after[0]).toMatchObject({ rating: 4, text: 'Late, but good 2', date: dayFromNow(0), reply: null })
  })
})

test.each([
  ['list_bookings', { product_id: walk.product_id }, 'ACTIVITY_NOT_FOUND'],
  ['get_booking', { booking_reference: '7100288' }, 'ORDER_NOT_FOUND'],
  ['get_availability', { option_id: walk.option_id, ...week }, 'VARIANT_NOT_FOUND'],
  ['get_performance', { product_id: walk.product_id, ...week }, 'ACTIVITY_NOT_FOUND'],
  ['list_reviews', { product_id: walk.product_id }, 'ACTIVITY_NOT_FOUND'],
  [
    'update_availability',
    { option_id: walk.option_id, date: dayFromNow(5), slots: { '09:00': 1 } },
    'VARIANT_NOT_FOUND',
  ],
  ['update_pricing', { option_id: walk.option_id, prices: { adult: 10 } }, 'VARIANT_NOT_FOUND'],
  ['reply_to_message', { conversation_id: '5100083', message: 'Hello' }, 'THREAD_NOT_FOUND'],
  ['reply_to_review', { review_id: '4100148', reply: 'Thanks' }, 'FEEDBACK_NOT_FOUND'],
])('%s finds neither what is made up nor what is of another supplier', async (name, input, code) => {
  expect(await portal.refused(name, input, 'stranger')).toBe(code)
  const ids = ['booking_reference', 'product_id', 'option_id', 'conversation_id', 'review_id']
  const made = Object.fromEntries(Object.entries(input).map(([key, value]) => [key, ids.includes(key) ? 'x' : value]))
  expect(await portal.refused(name, made)).toMatch(/_NOT_FOUND$|^PARAM_INVALID$/)
  expect(await portal.control.effects()).toEqual([])
})

test('nothing of one supplier is in the lists of another', async () => {
  for (const [name, key, id] of [
    ['list_bookings', 'bookings', 'booking_reference'],
    ['list_products', 'products', 'product_id'],
    ['list_messages', 'conversations', 'conversation_id'],
    ['list_reviews', 'reviews', 'review_id'],
  ] as const) {
    const own = new Set(values(await portal.every(name, key, {}), id))
    const others = values(await portal.every(name, key, {}, undefined, 'stranger'), id)
    expect(others.length).toBeGreaterThan(5)
    expect(others.filter((one) => own.has(one))).toEqual([])
  }
})
