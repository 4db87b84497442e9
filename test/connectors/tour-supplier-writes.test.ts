import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { AppCaller, dayFromNow, values } from './app-caller.ts'
import type { Row } from './app-caller.ts'
import { cursorKey } from './local-app.ts'
import { books, cancels, circle, lights, tripOf, walk, writes } from './tour-supplier-guests.ts'

let portal: AppCaller
beforeAll(async () => {
  portal = await AppCaller.open('tour-supplier')
})
beforeEach(() => portal.sandbox.reset())
afterAll(() => portal.sandbox.close())

const { option_id } = walk
const date = dayFromNow(100)

/** The slots of the walk that day. */
async function slots(): Promise<Row[]> {
  const [day] = await portal.rows('get_availability', 'days', { option_id, from: date, to: date })
  return day?.['slots'] as Row[]
}

/** What the supplier did, guests left out. */
async function done(): Promise<Row[]> {
  const effects = await portal.control.effects()
  return effects.filter(({ action }) => !/^order|^guest/.test(action)).map(({ action, body }) => ({ action, body }))
}

async function pricesNow(user?: string): Promise<Row> {
  const [product] = await portal.rows('list_products', 'products', {}, user)
  const options = product?.['options'] as Row[]
  return options[0]!
}

/** What the bookings of the walk on that day cost, earliest booked first. */
async function paid(): Promise<unknown[]> {
  const rows = await portal.rows('list_bookings', 'bookings', { from: date, to: date, product_id: walk.product_id })
  const details = await Promise.all(
    rows.map(({ booking_reference }) => portal.call('get_booking', { booking_reference })),
  )
  return details.map(({ price }) => (price as Row)['amount'])
}

describe('availability', () => {
  test('is closed with 0 places and opened with more, and bookings stay', async () => {
    const trip = await books(portal, date, { adults: '2', children: '1' })
    const [before] = await portal.rows('list_bookings', 'bookings', { from: date, to: date })
    const closed = await portal.call('update_availability', { option_id, date, slots: { '09:00': 0, '15:00': 7 } })
    expect(closed).toEqual({
      option_id,
      date,
      slots: [
        { time: '09:00', vacancies: 0, status: 'closed' },
        { time: '11:30', vacancies: 18, status: 'open' },
        { time: '15:00', vacancies: 7, status: 'open' },
      ],
      bookings_on_date: 1,
    })
    expect(await slots()).toEqual([
      { time: '09:00', vacancies: 0, booked: 3 },
      { time: '11:30', vacancies: 18, booked: 0 },
      { time: '15:00', vacancies: 7, booked: 0 },
    ])
    expect(await portal.rows('list_bookings', 'bookings', { from: date, to: date })).toEqual([before])
    await expect(books(portal, date)).rejects.toThrow('SOLD_OUT')
    const again = await portal.call('update_availability', { option_id, date, slots: { '09:00': 0 } })
    expect(again).toEqual(closed)

    const opened = await portal.call('update_availability', { option_id, date, slots: { '09:00': 2 } })
    expect((opened['slots'] as Row[])[0]).toEqual({ time: '09:00', vacancies: 2, status: 'open' })
    await books(portal, date)
    await cancels(portal, trip)
    expect((await slots())[0]).toEqual({ time: '09:00', vacancies: 4, booked: 1 })
    expect(values(await portal.rows('list_bookings', 'bookings', { from: date, to: date }), 'travelers')).toEqual([
      { adult: 1, child: 0 },
    ])
    expect(values(await done(), 'action')).toEqual(['seats.set', 'seats.set', 'seats.set'])
  })

  test.each([
    [{ option_id, date, slots: { '09:00': 5, '09:31': 1 } }, 'DEPARTURE_UNKNOWN'],
    [{ option_id, date: dayFromNow(-3), slots: { '09:00': 5 } }, 'DAY_PASSED'],
    [{ option_id, date: dayFromNow(740), slots: { '09:00': 5 } }, 'DAY_TOO_FAR'],
    [{ option_id: lights.option_id, date: dayFromNow(0), slots: { '23:59': 5, '00:00': 5 } }, 'DEPARTED'],
    [{ option_id: '2999999', date, slots: { '09:00': 5 } }, 'VARIANT_NOT_FOUND'],
  ])('of %j is refused whole', async (input, code) => {
    const before = await slots()
    expect(await portal.refused('update_availability', input)).toBe(code)
    expect(await slots()).toEqual(before)
    expect(await portal.control.effects()).toEqual([])
  })

  test('tells what is wrong with slots', () => {
    const said = (wrong: Row): unknown =>
      portal.app.endpoints.get('update_availability')!.parseInput({ option_id, date, slots: wrong }, { cursorKey })
    const message = 'is not a name that this takes: it must be a time of day, written HH:MM, such as 09:30'
    expect(said({ '9:00': 5 })).toEqual({ ok: false, details: [{ path: 'slots.9:00', message }] })
    const bounds = 'must be a whole number from 0 to 999'
    expect(said({ '09:00': 1000 })).toEqual({ ok: false, details: [{ path: 'slots.09:00', message: bounds }] })
  })
})

describe('prices', () => {
  const set = (prices: Row, more: Row = {}, user?: string): Promise<Row> =>
    portal.call('update_pricing', { option_id, prices, ...more }, user)

  test('hold from today when no day is given, and each category on its own', async () => {
    const before = await pricesNow()
    const { adult } = before['price_categories'] as Row
    const answer = await set({ child: 19.99 })
    expect(answer).toEqual({ option_id, prices: { adult, child: 19.99 }, currency: 'EUR', valid_from: dayFromNow(0) })
    expect(await pricesNow()).toEqual({ ...before, price_categories: { adult, child: 19.99 } })
    expect(await set({ child: 0, adult: 0.01 })).toMatchObject({ prices: { adult: 0.01, child: 0 } })
    expect(await pricesNow()).toMatchObject({ price_categories: { adult: 0.01, child: 0 } })
    expect(await set({ child: 100_000, adult: 100_000 })).toMatchObject({ prices: { adult: 1e5, child: 1e5 } })
  })

  test('hold for departures from their day on, replace later ones, and leave bookings as they are', async () => {
    const { price_categories } = await pricesNow()
    const { adult, child } = price_categories as Row
    await books(portal, date)
    const late = await set({ adult: 77.77 }, { valid_from: date })
    expect(late).toEqual({ option_id, prices: { adult: 77.77, child }, currency: 'EUR', valid_from: date })
    await books(portal, date)
    await set({ adult: 88 }, { valid_from: dayFromNow(99) })
    await books(portal, date)
    expect(await paid()).toEqual([adult, 77.77, 88])
    expect(await pricesNow()).toMatchObject({ price_categories })
    expect(values(await done(), 'body')).toMatchObject([
      { variantId: option_id, adults: 7777 },
      { variantId: option_id, adults: 8800 },
    ])
  })

  test.each([
    ['poor', 'JPY', 4800, 4800.5],
    ['narrow', 'TND', 48.125, 48.1255],
    ['stranger', 'BRL', 48.12, 48.125],
  ])('are in the currency of the account, never rounded: %s in %s', async (user, currency, good, bad) => {
    const own = String((await pricesNow(user))['option_id'])
    const wrong = { option_id: own, prices: { adult: bad } }
    expect(await portal.refused('update_pricing', wrong, user)).toBe('PRICE_INVALID')
    expect(await portal.control.effects()).toEqual([])
    expect(await set({ adult: good }, { option_id: own }, user)).toMatchObject({ prices: { adult: good }, currency })
    expect(await pricesNow(user)).toMatchObject({ price_categories: { adult: good }, currency })
  })

  test.each([
    [{ prices: { adult: 10.005 } }, 'PRICE_INVALID'],
    [{ prices: { adult: 0.1 + 0.2 } }, 'PRICE_INVALID'],
    [{ prices: { adult: 100_000.01 } }, 'PRICE_INVALID'],
    [{ prices: { adult: 1e21 } }, 'PRICE_INVALID'],
    [{ prices: { adult: 1e-7 } }, 'PRICE_INVALID'],
    [{ prices: { child: 100_000.01 } }, 'PRICE_INVALID'],
    [{ prices: { adult: 10 }, valid_from: dayFromNow(-3) }, 'DAY_PASSED'],
  ])('of %j are refused', async (input, code) => {
    expect(await portal.refused('update_pricing', { option_id, ...input })).toBe(code)
    expect(await portal.control.effects()).toEqual([])
  })
})

describe('a conversation', () => {
  test('that is answered has nothing unread and comes first; the traveler can write again', async () => {
    const unread = await portal.every('list_messages', 'conversations', { unread_only: true, limit: 50 })
    const before = unread.at(-1)!
    const { conversation_id } = before
    for (const message of ['  שלום! <b>See you</b> & "bring" water 💧\nBye ', '💧'.repeat(2000)]) {
      const answer = await portal.call('reply_to_message', { conversation_id, message })
      expect(answer).toEqual({
        conversation_id,
        message_id: expect.stringMatching(/^6\d+$/),
        sent_at: expect.stringMatching(/Z$/),
      })
      const [first] = await portal.rows('list_messages', 'conversations', { limit: 1 })
      expect(first).toEqual({ ...before, unread: 0, last_message: message, updated_at: answer['sent_at'] })
    }
    const left = await portal.every('list_messages', 'conversations', { unread_only: true, limit: 50 })
    expect(left).toEqual(unread.slice(0, -1))
    await writes(portal, await tripOf(portal, before), 'One more thing')
    const [again] = await portal.rows('list_messages', 'conversations', { unread_only: true, limit: 1 })
    expect(again).toMatchObject({ conversation_id, unread: 1, last_message: 'One more thing' })
    expect(values(await done(), 'action')).toEqual(['thread.answered', 'thread.answered'])
  })

  test('takes no blank message', async () => {
    const input = { conversation_id: '5100083', message: ' \n' }
    expect(await portal.refused('reply_to_message', input)).toBe('WORDS_REQUIRED')
    expect(await portal.control.effects()).toEqual([])
  })
})

test('a review takes one reply, of up to 1000 characters', async () => {
  const [one, two] = await portal.rows('list_reviews', 'reviews', { unanswered_only: true })
  const reply = 'شكرا — à bientôt\n'.padEnd(999, '💧'.repeat(500))
  const replied = { ...one, reply }
  const { review_id } = one!
  expect(await portal.call('reply_to_review', { review_id, reply })).toEqual(replied)
  const all = await portal.every('list_reviews', 'reviews', {})
  expect(all.find((review) => review['review_id'] === review_id)).toEqual(replied)
  expect((await portal.rows('list_reviews', 'reviews', { unanswered_only: true }))[0]).toEqual(two)
  expect(await portal.refused('reply_to_review', { review_id, reply: 'Again' })).toBe('FEEDBACK_ANSWERED')
  const blank = { review_id: two?.['review_id'], reply: ' ' }
  expect(await portal.refused('reply_to_review', blank)).toBe('WORDS_REQUIRED')
  expect((await portal.control.effects()).length).toBe(1)
})

test('a dispatcher may neither set prices nor see the performance', async () => {
  const accounts = await portal.sandbox.accounts('tour-supplier')
  const { session } = accounts.find(({ kind }) => kind === 'dispatcher')!
  const did = async (name: string, input: Row): Promise<unknown> =>
    (await portal.sandbox.call(portal.app, portal.app.endpoints.get(name)!, input, session)).outcome
  const products = await did('list_products', {})
  const own = /"option_id":"(\d+)"/.exec(JSON.stringify(products))?.[1]
  const refusal = { kind: 'rejected', appCode: 'RIGHT_MISSING' }
  expect(await did('update_pricing', { option_id: own, prices: { adult: 10 } })).toMatchObject(refusal)
  expect(await did('get_performance', { from: date, to: date })).toMatchObject(refusal)
  expect(await did('list_messages', {})).toMatchObject({ kind: 'ok' })
  expect(await portal.control.effects()).toEqual([])
})

describe('inputs', () => {
  const id = (count: number): string => 'x'.repeat(count)
  const span = { from: '2024-02-29', to: '2024-02-29' }
  const cases: [string, Row[], Row[]][] = [
    [
      'list_bookings',
      [{}, span, { product_id: id(200) }, ...['confirmed', 'cancelled', 'all'].map((status) => ({ status }))],
      [
        { from: '2023-02-29' },
        { to: '1/1/2026' },
        { status: 'ANY' },
        { limit: 5 },
        { cursor: 'x' },
        { product_id: '' },
      ],
    ],
    ['get_booking', [{ booking_reference: id(200) }], [{}, { booking_reference: '' }, { booking_reference: id(201) }]],
    [
      'list_products',
      [{}, ...['active', 'inactive', 'all'].map((status) => ({ status }))],
      [{ status: 'ONLINE' }, { cursor: 'x' }],
    ],
    [
      'get_availability',
      [{ option_id: 'a', ...span }],
      [span, { option_id: 'a', from: span.from }, { option_id: 'a', to: span.to }],
    ],
    [
      'list_messages',
      [{}, { limit: 1 }, { limit: 50 }, { unread_only: true }, { unread_only: false }],
      [{ limit: 0 }, { limit: 51 }, { limit: 1.5 }, { unread_only: 'true' }, { cursor: 'made-up' }],
    ],
    [
      'list_reviews',
      [{}, { since: '2024-02-29', product_id: 'a', unanswered_only: true }, { unanswered_only: false }],
      [{ since: 'today' }, { limit: 5 }, { unanswered_only: 1 }, { cursor: 'made-up' }],
    ],
    [
      'get_performance',
      [span, { ...span, product_id: 'a' }],
      [{ from: span.from }, { to: span.to }, { ...span, product_id: '' }],
    ],
    [
      'update_availability',
      [{ '00:00': 0 }, { '23:59': 999 }, { '09:30': 1, '19:59': 2 }].map((one) => ({ option_id, date, slots: one })),
      [
        ...[{}, { '24:00': 1 }, { '09:60': 1 }, { '9:30': 1 }, { '09:30:00': 1 }, { '0930': 1 }],
        ...[{ '09:30': -1 }, { '09:30': 1000 }, { '09:30': 1.5 }, { '09:30': '1' }, { '09:30': null }],
      ].map((one) => ({ option_id, date, slots: one })),
    ],
    [
      'update_pricing',
      [{ adult: 0.01 }, { child: 0 }, { adult: 1, child: 1 }].map((prices) => ({ option_id, prices })),
      [{}, { adult: 0 }, { adult: -1 }, { child: -0.01 }, { senior: 1 }, { adult: '10' }].map((prices) => ({
        option_id,
        prices,
      })),
    ],
    [
      'reply_to_message',
      [id(1), id(2000)].map((message) => ({ conversation_id: 'a', message })),
      ['', id(2001), undefined].map((message) => ({ conversation_id: 'a', message })),
    ],
    [
      'reply_to_review',
      [id(1), id(1000)].map((reply) => ({ review_id: 'a', reply })),
      ['', id(1001), undefined].map((reply) => ({ review_id: 'a', reply })),
    ],
  ]

  test.each(cases)('of %s are accepted up to their bounds and not beyond', (name, good, bad) => {
    for (const input of good) expect(portal.takes(name, input), JSON.stringify(input).slice(0, 200)).toBe(true)
    for (const input of bad) expect(portal.takes(name, input), JSON.stringify(input).slice(0, 200)).toBe(false)
  })

  test('at their bounds are accepted by the app too', async () => {
    const widest = { option_id: circle.option_id, date: dayFromNow(725), slots: { '08:30': 999, '13:00': 1 } }
    const { slots: set } = await portal.call('update_availability', widest)
    expect(values(set as Row[], 'vacancies')).toEqual([999, 1])
    expect(
      await portal.call('update_pricing', { option_id, prices: { adult: 1 }, valid_from: dayFromNow(400) }),
    ).toEqual({
      option_id,
      prices: { adult: 1, child: ((await pricesNow())['price_categories'] as Row)['child'] },
      currency: 'EUR',
      valid_from: dayFromNow(400),
    })
  })
})
