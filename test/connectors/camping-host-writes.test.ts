import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { AppCaller, dayFromNow, values } from './app-caller.ts'
import type { Row } from './app-caller.ts'

let host: AppCaller
beforeAll(async () => {
  host = await AppCaller.open('camping-host')
})
afterAll(() => host.sandbox.close())

const listing_id = 'L100001'

const details = (booking_id: string) => host.call('get_booking', { booking_id })
const actions = async () => (await host.control.effects()).map(({ action }) => action)
const requests = () => host.rows('list_booking_requests', 'requests', {})
const asked = async (booking_id: string) => values(await requests(), 'booking_id').includes(booking_id)

/** The nights of a listing's sites, by site. */
async function nights(from: number, to: number, site_id?: string): Promise<Row[][]> {
  const input = { listing_id, site_id, from: dayFromNow(from), to: dayFromNow(to) }
  return (await host.rows('get_calendar', 'sites', input)).map(({ days }) => days as Row[])
}
const states = async (from: number, to: number, site_id?: string) =>
  (await nights(from, to, site_id)).map((days) => values(days, 'state'))

describe('a booking request', () => {
  beforeEach(() => host.sandbox.reset())

  test.each<[string, { message?: string }]>([
    ['without a message', {}],
    ['with one', { message: ' ברוכים הבאים <b>&</b>\n🏕️ ' }],
    ['with a long one', { message: '🏕'.repeat(1000) }],
  ])('that is accepted %s is booked, and the camper is charged', async (_what, more) => {
    const before = await details('S100563')
    const { status: _asked, ...same } = before
    const answer = await host.call('accept_booking_request', { booking_id: 'S100563', ...more })
    expect(answer).toEqual({ ...same, status: 'booked', camper_charged: true })
    expect(await details('S100563')).toEqual({ ...same, status: 'upcoming' })
    expect(await asked('S100563')).toBe(false)
    const { arrival } = same
    const listed = await host.rows('list_bookings', 'bookings', { from: arrival, to: arrival, listing_id })
    expect(listed).toEqual([expect.objectContaining({ booking_id: 'S100563', total: before['total'] })])
    const calendar = { listing_id, site_id: 'P100004', from: arrival, to: same['departure'] }
    const [site] = await host.rows('get_calendar', 'sites', calendar)
    const booked = values(site!['days'] as Row[], 'state')
    expect(booked).toEqual([...booked.slice(1).map(() => 'booked'), 'available'])
    expect(await host.control.effects()).toMatchObject([{ action: 'ask.yes', body: { stay: 'S100563' } }])
    if (more.message === undefined) return
    const [talk] = await host.rows('list_messages', 'conversations', { filter: 'future', booking_id: 'S100563' })
    expect(talk).toMatchObject({ last_message: more.message, unread: false })
  })

  test('that is declined is not charged, and its nights stay available', async () => {
    const { status: _asked, ...same } = await details('S100560')
    const answer = await host.call('decline_booking_request', { booking_id: 'S100560', message: 'Sorry' })
    expect(answer).toEqual({ ...same, status: 'declined', camper_charged: false })
    expect(await details('S100560')).toEqual({ ...same, status: 'declined' })
    expect(await asked('S100560')).toBe(false)
    expect(await states(92, 92, 'P100001')).toEqual([['available']])
    const [talk] = await host.rows('list_messages', 'conversations', { filter: 'past', booking_id: 'S100560' })
    expect(talk).toMatchObject({ last_message: 'Sorry', unread: false })
    await host.call('decline_booking_request', { booking_id: 'S100561' })
    const declined = { action: 'ask.no', body: { charged: 0 } }
    expect(await host.control.effects()).toMatchObject([declined, declined])
  })

  test('is answered once', async () => {
    await host.call('accept_booking_request', { booking_id: 'S100560' })
    await host.call('decline_booking_request', { booking_id: 'S100561' })
    for (const name of ['accept_booking_request', 'decline_booking_request'])
      for (const booking_id of ['S100560', 'S100561', 'S100592'])
        expect(await host.refused(name, { booking_id })).toBe('ASK_ANSWERED')
    expect((await actions()).length).toBe(2)
  })

  test('cannot be accepted for nights that somebody else has by then, only declined', async () => {
    const { site, arrival } = await details('S100563')
    const rival = (await requests()).find(
      (row) => row['site'] === site && row['arrival'] === arrival && row['booking_id'] !== 'S100563',
    )
    const booking_id = String(rival!['booking_id'])
    await host.call('accept_booking_request', { booking_id })
    expect(await host.refused('accept_booking_request', { booking_id: 'S100563' })).toBe('NIGHTS_NOT_FREE')
    expect(await asked('S100563')).toBe(true)
    await host.call('decline_booking_request', { booking_id: 'S100563' })
    expect(await actions()).toEqual(['ask.yes', 'ask.no'])
  })

  test.each(['accept_booking_request', 'decline_booking_request'])(
    'cannot be answered with %s when it is none',
    async (name) => {
      expect(await host.refused(name, { booking_id: 'S100591' })).toBe('ASK_LAPSED')
      expect(await host.refused(name, { booking_id: 'S100001' })).toBe('ASK_ANSWERED')
      expect(await host.refused(name, { booking_id: 'S1' })).toBe('STAY_NOT_FOUND')
      expect(await host.refused(name, { booking_id: 'S100560' }, 'stranger')).toBe('STAY_NOT_FOUND')
      expect(await host.refused(name, { booking_id: 'S100560', message: ' \n' })).toBe('FIELD_REQUIRED')
      expect(await host.control.effects()).toEqual([])
    },
  )

  test('for blocked nights cannot be accepted', async () => {
    await host.call('block_dates', { listing_id, from: dayFromNow(92), to: dayFromNow(92) })
    expect(await host.refused('accept_booking_request', { booking_id: 'S100560' })).toBe('NIGHTS_NOT_FREE')
    expect(await asked('S100560')).toBe(true)
  })
})

describe('nights', () => {
  beforeEach(() => host.sandbox.reset())

  const span = { listing_id, from: dayFromNow(60), to: dayFromNow(61) }
  const one = { ...span, site_id: 'P100002' }

  test('of one site are blocked and unblocked again, and only these', async () => {
    const before = await nights(59, 62)
    const told = { listing_id, site_ids: ['P100002'], from: span.from, to: span.to }
    expect(await host.call('block_dates', one)).toEqual({ ...told, nights_blocked: 2 })
    expect(await states(59, 62, 'P100002')).toEqual([['available', 'blocked', 'blocked', 'available']])
    expect((await nights(59, 62)).toSpliced(1, 1)).toEqual(before.toSpliced(1, 1))
    expect(await host.refused('block_dates', one)).toBe('ALREADY_SHUT')
    expect(await host.call('unblock_dates', one)).toEqual({ ...told, nights_unblocked: 2 })
    expect(await nights(59, 62)).toEqual(before)
    expect(await host.refused('unblock_dates', one)).toBe('NOTHING_SHUT')
    expect(await actions()).toEqual(['nights.shut', 'nights.open'])
  })

  test('of a whole listing are blocked where they are available, and unblocked where they are blocked', async () => {
    await host.call('block_dates', { ...one, to: span.from })
    const answer = await host.call('block_dates', span)
    expect(answer).toMatchObject({
      nights_blocked: 9,
      site_ids: ['P100001', 'P100002', 'P100003', 'P100004', 'P100005'],
    })
    expect(await states(60, 61)).toEqual(Array.from({ length: 5 }, () => ['blocked', 'blocked']))
    const wider = { ...span, from: dayFromNow(50), to: dayFromNow(79), site_id: 'P100001' }
    expect(await host.call('unblock_dates', wider)).toMatchObject({ nights_unblocked: 7 })
    expect(await host.call('unblock_dates', span)).toMatchObject({ nights_unblocked: 8 })
    expect(await states(60, 61)).toEqual(Array.from({ length: 5 }, () => ['available', 'available']))
  })

  test('are blocked or priced all or none: one that is booked refuses them', async () => {
    const before = await nights(0, 56)
    const whole = { listing_id, from: dayFromNow(0), to: dayFromNow(56) }
    expect(await host.refused('block_dates', whole)).toBe('NIGHTS_BOOKED')
    const dates = [dayFromNow(56), dayFromNow(0)]
    expect(await host.refused('update_pricing', { listing_id, dates, nightly_price: 9 })).toBe('NIGHTS_BOOKED')
    expect(await nights(0, 56)).toEqual(before)
    expect(await host.control.effects()).toEqual([])
  })

  test('get a special price and the base price again, on one site or all', async () => {
    const before = await nights(57, 66)
    const dates = [dayFromNow(60), dayFromNow(57)]
    const answer = await host.call('update_pricing', { listing_id, site_id: 'P100002', dates, nightly_price: 19.99 })
    const told = { listing_id, dates: dates.toReversed(), currency: 'EUR' }
    expect(answer).toEqual({ ...told, site_ids: ['P100002'], nightly_price: 19.99, nights_priced: 2 })
    const after = await nights(57, 66)
    expect(after.toSpliced(1, 1)).toEqual(before.toSpliced(1, 1))
    const priced = (night: Row) =>
      dates.includes(String(night['date'])) ? { ...night, nightly_price: 19.99, special_price: true } : night
    expect(after[1]).toEqual(before[1]!.map(priced))
    const again = await host.call('update_pricing', { listing_id, dates, nightly_price: null })
    expect(again).toMatchObject({ ...told, nightly_price: null, nights_priced: 10 })
    expect(await nights(57, 66)).toEqual(before)
    expect(await actions()).toEqual(['nights.price', 'nights.price'])
  })

  test('that are blocked can be priced, and stay blocked', async () => {
    await host.call('update_pricing', { listing_id, dates: [dayFromNow(80)], nightly_price: 100_000 })
    const night = { date: dayFromNow(80), state: 'blocked', nightly_price: 100_000, special_price: true }
    expect(await nights(80, 80)).toEqual(Array.from({ length: 5 }, () => [night]))
    await host.call('unblock_dates', { listing_id, from: dayFromNow(80), to: dayFromNow(80) })
    expect(await nights(80, 80)).toEqual(Array.from({ length: 5 }, () => [{ ...night, state: 'available' }]))
  })

  test('that are priced leave requests as they were made', async () => {
    const before = await details('S100560')
    await host.call('update_pricing', { listing_id, dates: [dayFromNow(92)], nightly_price: 500 })
    expect(await details('S100560')).toEqual(before)
  })

  test.each([
    ['demo', 'L100005', 'ISK', 9000, 9000.5],
    ['narrow', 'L400001', 'TND', 48.125, 48.1255],
    ['stranger', 'L200001', 'JPY', 4800, 4800.5],
  ])('of %s on %s are priced in %s, never rounded', async (user, listing, currency, good, bad) => {
    const input = { listing_id: listing, dates: [dayFromNow(61)] }
    expect(await host.refused('update_pricing', { ...input, nightly_price: bad }, user)).toBe('PRICE_INVALID')
    expect(await host.control.effects()).toEqual([])
    const answer = await host.call('update_pricing', { ...input, nightly_price: good }, user)
    expect(answer).toMatchObject({ nightly_price: good, currency })
    const span61 = { listing_id: listing, from: dayFromNow(61), to: dayFromNow(61) }
    const [site] = await host.rows('get_calendar', 'sites', span61, user)
    expect(site!['days']).toMatchObject([{ nightly_price: good, special_price: true }])
  })

  test('at their bounds are accepted by the app too', async () => {
    const from = dayFromNow(173)
    await host.call('block_dates', { listing_id, from, to: dayFromNow(173 + 365) })
    await host.call('update_pricing', {
      listing_id,
      dates: Array.from({ length: 366 }, (_, at) => dayFromNow(173 + at)),
      nightly_price: 0.01,
    })
    await host.call('update_pricing', { listing_id: 'L100005', dates: [from], nightly_price: 10_000_000 })
    expect((await actions()).length).toBe(3)
  })
})

describe('what is wrong', () => {
  beforeAll(() => host.sandbox.reset())

  const span = { listing_id, from: dayFromNow(60), to: dayFromNow(61) }
  const pricing = { listing_id, dates: [dayFromNow(61)], nightly_price: 30 }
  test.each<[string, Row, string, string?]>([
    ['block_dates', { ...span, listing_id: 'L1' }, 'LAND_NOT_FOUND'],
    ['block_dates', span, 'LAND_NOT_FOUND', 'stranger'],
    ['unblock_dates', { ...span, listing_id: 'L1' }, 'LAND_NOT_FOUND'],
    ['block_dates', { ...span, site_id: 'P100006' }, 'PITCH_NOT_FOUND'],
    ['unblock_dates', { ...span, site_id: 'P100006' }, 'PITCH_NOT_FOUND'],
    ['block_dates', { ...span, to: dayFromNow(59) }, 'SPAN_BACKWARDS'],
    ['unblock_dates', { ...span, to: dayFromNow(59) }, 'SPAN_BACKWARDS'],
    ['block_dates', { ...span, to: dayFromNow(60 + 366) }, 'SPAN_TOO_LONG'],
    ['block_dates', { ...span, from: dayFromNow(-2) }, 'DAY_PASSED'],
    ['unblock_dates', { ...span, to: dayFromNow(740) }, 'DAY_TOO_FAR'],
    ['update_pricing', { ...pricing, listing_id: 'L1' }, 'LAND_NOT_FOUND'],
    ['update_pricing', { ...pricing, listing_id: 'L1', nightly_price: null }, 'LAND_NOT_FOUND'],
    ['update_pricing', pricing, 'LAND_NOT_FOUND', 'stranger'],
    ['update_pricing', { ...pricing, site_id: 'P100006' }, 'PITCH_NOT_FOUND'],
    ['update_pricing', { ...pricing, dates: [dayFromNow(-2)] }, 'DAY_PASSED'],
    ['update_pricing', { ...pricing, dates: [dayFromNow(740)] }, 'DAY_TOO_FAR'],
    ['update_pricing', { ...pricing, nightly_price: 10.005 }, 'PRICE_INVALID'],
    ['update_pricing', { ...pricing, nightly_price: 1e-7 }, 'PRICE_INVALID'],
    ['update_pricing', { ...pricing, nightly_price: 100_000.01 }, 'NUMBER_INVALID'],
  ])('%s %j is refused: %s', async (name, input, code, user) => {
    expect(await host.refused(name, input, user)).toBe(code)
    expect(await host.control.effects()).toEqual([])
  })
})
