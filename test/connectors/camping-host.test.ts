import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { names as campers } from '../../sandbox/camping-host/seed-words.ts'
import { AppCaller, dayFromNow, values } from './app-caller.ts'
import type { Row } from './app-caller.ts'

let host: AppCaller
beforeAll(async () => {
  host = await AppCaller.open('camping-host')
})
beforeEach(() => host.sandbox.reset())
afterAll(() => host.sandbox.close())

const today = dayFromNow(0)
const ever = { from: dayFromNow(-500), to: dayFromNow(500) }
const bookings = (input: Row, user?: string) => host.rows('list_bookings', 'bookings', input, user)
const requests = (input: Row = {}, user?: string) => host.rows('list_booking_requests', 'requests', input, user)
const listings = (user?: string) => host.rows('list_listings', 'listings', {}, user)
const reviews = (input: Row, user?: string) => host.rows('list_reviews', 'reviews', input, user)
const talks = (input: Row, user?: string) => host.rows('list_messages', 'conversations', input, user)
const payouts = (input: Row, user?: string) => host.rows('list_payouts', 'payouts', input, user)

/** Some rows, but not all, and nothing else than these. */
function expectPart(part: readonly Row[], all: readonly Row[], fits: (row: Row) => boolean): void {
  expect(part).toEqual(all.filter(fits))
  expect(part.length).toBeGreaterThan(0)
  expect(part.length).toBeLessThan(all.length)
}

const since1970 = (rows: readonly Row[], key: string): number[] =>
  values(rows, key).map((moment) => Date.parse(String(moment)))

test('listings come with their sites and base prices, in the currency of each', async () => {
  const all = await listings()
  expect(all.length).toBe(8)
  expect(all[0]).toMatchObject({ listing_id: 'L100001', name: 'Tjaldsvæðið við Ána', status: 'live' })
  expect(all.slice(-3).map(({ status }) => status)).toEqual(['live', 'paused', 'draft'])
  const sites = all.flatMap((listing) => listing['sites'] as Row[])
  expect(sites[0]).toEqual({ site_id: 'P100001', name: 'Tent pitch Á 1', base_price: 24.5, currency: 'EUR' })
  expect(sites.find(({ currency }) => currency === 'ISK')).toMatchObject({ base_price: 8250 })
  expect(new Set(values(sites, 'site_id')).size).toBe(25)
})

test.each([
  ['stranger', 'JPY', 0],
  ['narrow', 'TND', 3],
])('of %s, prices in %s have %d decimals at most', async (user, currency, digits) => {
  const sites = (await listings(user)).flatMap((listing) => listing['sites'] as Row[])
  const prices = values(
    sites.filter((site) => site['currency'] === currency),
    'base_price',
  )
  expect(prices.length).toBeGreaterThan(10)
  for (const price of prices) {
    expect(price).toBe(Number(Number(price).toFixed(digits)))
    expect(Number(price)).toBeGreaterThan(10)
    expect(Number(price)).toBeLessThan(20_000)
  }
})

describe('the calendar', () => {
  const span = { from: dayFromNow(-3), to: dayFromNow(84) }

  test('tells each night of every site, in order, and the same of one site alone', async () => {
    const [listing] = await listings()
    const own = listing!['sites'] as Row[]
    const sites = await host.rows('get_calendar', 'sites', { listing_id: 'L100001', ...span })
    expect(values(sites, 'site_id')).toEqual(values(own, 'site_id'))
    for (const [index, { days }] of sites.entries()) {
      const nights = days as Row[]
      expect(values(nights, 'date')).toEqual(Array.from({ length: 88 }, (_, at) => dayFromNow(at - 3)))
      const { base_price } = own[index]!
      for (const { nightly_price, special_price } of nights) expect(nightly_price === base_price).toBe(!special_price)
    }
    const one = { listing_id: 'L100001', site_id: 'P100001', ...span }
    expect(await host.rows('get_calendar', 'sites', one)).toEqual(sites.slice(0, 1))

    const [first] = sites
    const nights = first!['days'] as Row[]
    const seen = (from: number, to = from) =>
      nights.filter(({ date }) => date! >= dayFromNow(from) && date! <= dayFromNow(to))
    expect(seen(62, 66)).toMatchObject(
      Array.from({ length: 5 }, () => ({ state: 'available', nightly_price: 19.6, special_price: true })),
    )
    expect(values(seen(69, 75), 'state')).toEqual(['available', ...Array(5).fill('blocked'), 'available'])
    expect(values(seen(79, 84), 'state')).toEqual(['available', ...Array(4).fill('blocked'), 'available'])
    expect(seen(3, 5).every(({ special_price }) => special_price === true)).toBe(true)
  })

  test('has a night booked where a booking has it, and not that of its departure', async () => {
    const all = [
      ...(await bookings({ ...ever, listing_id: 'L100001' })),
      ...(await bookings({ ...ever, status: 'current', listing_id: 'L100001' })),
    ]
    const sites = await host.rows('get_calendar', 'sites', { listing_id: 'L100001', from: today, to: dayFromNow(60) })
    const names = ((await listings())[0]!['sites'] as Row[]).map(({ site_id, name }) => [site_id, name])
    const label = new Map(names as [unknown, unknown][])
    let booked = 0
    for (const { site_id, days } of sites) {
      for (const { date, state } of days as Row[]) {
        const taken = all.some(
          ({ site, arrival, departure }) => site === label.get(site_id) && arrival! <= date! && departure! > date!,
        )
        expect(state === 'booked', `${String(site_id)} ${String(date)}`).toBe(taken)
        booked += taken ? 1 : 0
      }
    }
    expect(booked).toBeGreaterThan(10)
  })

  test.each([
    [{ listing_id: 'L1', ...span }, 'LAND_NOT_FOUND'],
    [{ listing_id: 'L100001', site_id: 'P100006', ...span }, 'PITCH_NOT_FOUND'],
    [{ listing_id: 'L100001', from: dayFromNow(2), to: dayFromNow(1) }, 'SPAN_BACKWARDS'],
    [{ listing_id: 'L100001', from: today, to: dayFromNow(366) }, 'SPAN_TOO_LONG'],
  ])('of %j is refused', async (input, code) => {
    expect(await host.refused('get_calendar', input)).toBe(code)
  })

  test('goes up to 366 nights', async () => {
    const input = { listing_id: 'L100001', site_id: 'P100001', from: today, to: dayFromNow(365) }
    const [site] = await host.rows('get_calendar', 'sites', input)
    expect((site!['days'] as Row[]).length).toBe(366)
  })
})

describe('bookings', () => {
  const fits: Readonly<Record<string, (row: Row) => boolean>> = {
    upcoming: ({ arrival }) => arrival! > today,
    current: ({ arrival, departure }) => arrival! <= today && departure! > today,
    past: ({ departure }) => departure! <= today,
    cancelled: () => true,
  }

  test.each(Object.keys(fits))('that are %s are listed by arrival, and filtered by listing and day', async (status) => {
    const all = await bookings({ ...ever, status })
    expect(all.length).toBeGreaterThanOrEqual(9)
    for (const row of all) expect([row['status'], fits[status]!(row)]).toEqual([status, true])
    const arrivals = since1970(all, 'arrival')
    expect(arrivals).toEqual(arrivals.toSorted((a, b) => a - b))
    const listing_id = 'L100002'
    expectPart(await bookings({ ...ever, status, listing_id }), all, (row) => row['listing_id'] === listing_id)
    const [from, to] = [all[1]!['arrival']!, all.at(-2)!['arrival']!]
    const within = (row: Row) => row['arrival']! >= from && row['arrival']! <= to
    expect(await bookings({ from, to, status })).toEqual(all.filter(within))
    const [arrival] = values(all, 'arrival').slice(-1)
    const oneDay = await bookings({ from: arrival, to: arrival, status })
    expectPart(oneDay, all, (row) => row['arrival'] === arrival)
  })

  test('are by default those upcoming that arrive within 30 days', async () => {
    const all = await bookings(ever)
    expectPart(await bookings({}), all, ({ arrival }) => arrival! <= dayFromNow(30))
    const past = await bookings({ status: 'past', from: dayFromNow(-20) })
    expect(past.length).toBeGreaterThan(3)
    expect(await bookings({ status: 'past' })).toEqual([])
    const [from, to] = [dayFromNow(31), dayFromNow(61)]
    expect(await bookings({ from })).toEqual(await bookings({ from, to }))
    expect(await bookings({ from })).not.toEqual([])
    expect(await host.refused('list_bookings', { from, to: dayFromNow(30) })).toBe('SPAN_BACKWARDS')
    expect(await host.refused('list_bookings', { listing_id: 'L200001' })).toBe('LAND_NOT_FOUND')
  })

  test.each(Object.keys(fits))('that are %s show in full as in the list', async (status) => {
    const [listed] = await bookings({ ...ever, status })
    const { listing_id: _listing, ...common } = listed!
    const detail = await host.call('get_booking', { booking_id: common['booking_id'] })
    expect(detail).toMatchObject(common)
    const nights = (Date.parse(String(detail['departure'])) - Date.parse(String(detail['arrival']))) / 86_400_000
    expect(detail['nights']).toBe(nights)
    expect(Number(detail['nightly_price']) * nights).toBeCloseTo(Number(detail['total']))
  })

  test('tell no more of a camper than the first name and an initial', async () => {
    const past = await bookings({ ...ever, status: 'past' })
    const names = new Set(values(past, 'camper'))
    for (const name of ['Zoë M.', 'Łukasz Ż.', 'Prince', '<Bob> T.']) expect(names).toContain(name)
    const [booking_id] = values(past, 'booking_id')
    const everything = [past, await requests(), await host.call('get_booking', { booking_id })]
    for (const list of [reviews({}), talks({ filter: 'past' }), payouts({})]) everything.push(await list)
    const told = JSON.stringify(everything)
    for (const camper of told.matchAll(/"camper":"(.*?[^\\])"/g))
      expect(camper[1]).toMatch(/^\S+(?: \S+)*? \S\.$|^Prince$/u)
    const lastNames = campers.map(([, last]) => last).filter((last) => last !== '')
    for (const last of lastNames) expect([last, told.includes(last)]).toEqual([last, false])
  })
})

describe('booking requests', () => {
  test('are listed with those that expire soonest first, and are no bookings', async () => {
    const all = await requests()
    expect(all.length).toBe(31)
    const ends = since1970(all, 'expires_at')
    expect(ends).toEqual(ends.toSorted((a, b) => a - b))
    expect(ends[0]).toBeGreaterThan(Date.now())
    const listing_id = 'L100003'
    expectPart(await requests({ listing_id }), all, (row) => row['listing_id'] === listing_id)
    const asked = new Set(values(all, 'booking_id'))
    for (const status of ['upcoming', 'current', 'past', 'cancelled'])
      expect((await bookings({ ...ever, status })).filter(({ booking_id }) => asked.has(booking_id))).toEqual([])
    expect(await host.refused('list_booking_requests', { listing_id: 'L1' })).toBe('LAND_NOT_FOUND')
  })

  test('expire 24 hours after they arrived: of those that wait, none has longer', async () => {
    const ends = since1970(await requests(), 'expires_at')
    expect(Math.max(...ends)).toBeLessThan(Date.now() + 24 * 3_600_000)
    expect(Math.min(...ends)).toBeGreaterThan(Date.now() + 12 * 3_600_000)
  })

  test.each([
    ['S100560', 'pending_request'],
    ['S100591', 'expired'],
    ['S100592', 'declined'],
  ])('%s shows in full as %s', async (booking_id, status) => {
    const detail = await host.call('get_booking', { booking_id })
    expect(detail).toMatchObject({ booking_id, status, currency: 'EUR' })
    const listed = (await requests()).find((row) => row['booking_id'] === booking_id)
    if (status !== 'pending_request') return expect(listed).toBeUndefined()
    const { listing_id: _listing, expires_at: _end, ...common } = listed!
    expect(detail).toMatchObject(common)
  })
})

describe('conversations', () => {
  test('stand under what they are about, each once, the latest first', async () => {
    const open = new Set(values(await requests(), 'booking_id'))
    const ahead = new Set([
      ...values(await bookings(ever), 'booking_id'),
      ...values(await bookings({ ...ever, status: 'current' }), 'booking_id'),
    ])
    const fits: Readonly<Record<string, (about: unknown) => boolean>> = {
      pending: (about) => open.has(about),
      future: (about) => ahead.has(about),
      past: (about) => about !== null && !open.has(about) && !ahead.has(about),
      questions: (about) => about === null,
    }
    const all: Row[] = []
    for (const [filter, fit] of Object.entries(fits)) {
      const rows = await talks({ filter })
      expect(rows.length).toBeGreaterThan(5)
      expect(values(rows, 'booking_id').filter((about) => !fit(about))).toEqual([])
      const times = since1970(rows, 'last_message_at')
      expect(times).toEqual(times.toSorted((a, b) => b - a))
      all.push(...rows)
    }
    expect(new Set(values(all, 'conversation_id')).size).toBe(all.length)
    const unread = all.filter((row) => row['unread'] === true)
    expect(unread.length).toBeLessThan(all.length)
    const told = await talks({})
    expect(new Set(values(told, 'conversation_id'))).toEqual(new Set(values(unread, 'conversation_id')))
    expect(await talks({ filter: 'unread' })).toEqual(told)
  })

  test('are found by the booking that they are about, where they stand under the filter too', async () => {
    const [talk] = await talks({ filter: 'pending' })
    const { booking_id } = talk!
    expect(await talks({ filter: 'pending', booking_id })).toEqual([talk])
    expect(await talks({ filter: 'past', booking_id })).toEqual([])
    expect(await talks({ booking_id })).toEqual(talk!['unread'] === true ? [talk] : [])
    expect(await host.refused('list_messages', { booking_id: 'S1' })).toBe('STAY_NOT_FOUND')
  })
})

test('reviews are filtered by listing, day and response, newest first', async () => {
  const all = await reviews({})
  const times = since1970(all, 'created_at')
  expect(times).toEqual(times.toSorted((a, b) => b - a))
  expect(new Set(values(all, 'recommended'))).toEqual(new Set([true, false]))
  expect(values(all, 'text')).toContain('')
  const listing_id = 'L100002'
  expectPart(await reviews({ listing_id }), all, (row) => row['listing_id'] === listing_id)
  const since = String(all[10]!['created_at']).slice(0, 10)
  expectPart(await reviews({ since }), all, (row) => String(row['created_at']) >= since)
  expect(await reviews({ since: '0000-01-01' })).toEqual(all)
  expect(await reviews({ since: '9999-12-31' })).toEqual([])
  expectPart(await reviews({ responded: false }), all, ({ response }) => response === null)
  expectPart(await reviews({ responded: true }), all, ({ response }) => response !== null)
  const both = (row: Row) => row['listing_id'] === listing_id && row['response'] === null
  expectPart(await reviews({ listing_id, responded: false }), all, both)
})

test('payouts cover bookings that are over, and add up, newest first', async () => {
  const all = await payouts({ since: ever.from })
  const days = since1970(all, 'date')
  expect(days).toEqual(days.toSorted((a, b) => b - a))
  expect(new Set(values(all, 'status'))).toEqual(new Set(['scheduled', 'in_transit', 'paid']))
  expect(new Set(values(all, 'currency'))).toEqual(new Set(['EUR', 'ISK']))
  for (const { status, date } of all) expect(status === 'scheduled').toBe(date! > today)
  for (const { amount, bookings: covered } of all) {
    const sum = values(covered as Row[], 'amount').reduce((total: number, part) => total + Number(part), 0)
    expect(sum).toBeCloseTo(Number(amount))
  }
  const covered = all.flatMap((payout) => payout['bookings'] as Row[])
  const past = new Map((await bookings({ ...ever, status: 'past' })).map((row) => [row['booking_id'], row]))
  expect(new Set(values(covered, 'booking_id'))).toEqual(new Set(past.keys()))
  expect(covered.length).toBe(past.size)
  for (const { booking_id, listing_id, camper, amount } of covered.slice(0, 20)) {
    expect(past.get(booking_id)).toMatchObject({ listing_id, camper })
    expect(Number(amount)).toBeLessThan(Number(past.get(booking_id)!['total']))
  }
  expectPart(await payouts({}), all, ({ date }) => date! >= dayFromNow(-90))
  expectPart(await payouts({ since: today }), all, ({ date }) => date! >= today)
})

test('another host sees nothing of these', async () => {
  const lists: [string, string, string, Row][] = [
    ['list_listings', 'listings', 'listing_id', {}],
    ['list_bookings', 'bookings', 'booking_id', ever],
    ['list_booking_requests', 'requests', 'booking_id', {}],
    ['list_messages', 'conversations', 'conversation_id', { filter: 'past' }],
    ['list_reviews', 'reviews', 'review_id', {}],
  ]
  for (const [name, key, id, input] of lists) {
    const mine = new Set(values(await host.rows(name, key, input), id))
    const theirs = values(await host.rows(name, key, input, 'stranger'), id)
    expect(theirs.length).toBeGreaterThan(5)
    expect(theirs.filter((one) => mine.has(one))).toEqual([])
  }
  const theirs = await payouts({}, 'stranger')
  const ids = theirs.flatMap((payout) => values(payout['bookings'] as Row[], 'booking_id'))
  expect(ids.length).toBeGreaterThan(5)
  expect(ids.filter((one) => !String(one).startsWith('S2'))).toEqual([])
  const nights = { listing_id: 'L100001', from: today, to: today }
  expect(await host.refused('get_calendar', nights, 'stranger')).toBe('LAND_NOT_FOUND')
  expect(await host.refused('get_booking', { booking_id: 'S100560' }, 'stranger')).toBe('STAY_NOT_FOUND')
})
