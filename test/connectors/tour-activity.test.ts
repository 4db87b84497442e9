import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { AppCaller, dayFromNow, values } from './app-caller.ts'
import type { Row } from './app-caller.ts'
import {
  alcazar,
  buy,
  dayIn,
  departure,
  inReview,
  list,
  market,
  northernLights,
  shopOf,
} from './tour-activity-calls.ts'

let panel: AppCaller
beforeAll(async () => {
  panel = await AppCaller.open('tour-activity')
})
beforeEach(() => panel.sandbox.reset())
afterEach(() => void vi.useRealTimers())
afterAll(() => panel.sandbox.close())

const bookings = (input: Row, user?: string) => panel.every('list_bookings', 'bookings', input, undefined, user)
const days = async (from: number, to: number, activity_id = northernLights) =>
  panel.rows('get_availability', 'days', { activity_id, from: dayFromNow(from), to: dayFromNow(to) })
const span = (from: number, to = from, activity_id = northernLights) => ({
  activity_id,
  from: dayFromNow(from),
  to: dayFromNow(to),
})
const openOn = (row: Row | undefined) => list(row, 'slots').map(({ quota }) => quota !== 0)

describe('bookings', () => {
  test('are those of the days, the activity and the status, in order of departure over all zones', async () => {
    const input = { from: dayFromNow(-4), to: dayFromNow(10) }
    const all = await bookings({ ...input, status: 'all' })
    expect(new Set(values(all, 'booking_id')).size).toBe(all.length)
    expect(all.length).toBeGreaterThan(75)
    const departures = all.map(departure)
    expect(departures).toEqual(departures.toSorted((a, b) => a - b))
    for (const status of ['confirmed', 'cancelled']) {
      const found = await bookings({ ...input, status })
      expect(found).toEqual(all.filter((one) => one['status'] === status))
      expect(found.length).toBeGreaterThan(0)
      expect(found.length).toBeLessThan(all.length)
    }
    expect(await bookings(input)).toEqual(all.filter(({ status }) => status === 'confirmed'))
    const ofOne = await bookings({ ...input, status: 'all', activity_id: northernLights })
    expect(ofOne).toEqual(all.filter(({ activity_id }) => activity_id === northernLights))
    expect(ofOne.length).toBeGreaterThan(2)
    const two = await bookings({ from: dayFromNow(3), to: dayFromNow(4), status: 'all' })
    expect(two).toEqual(all.filter(({ date }) => date === dayFromNow(3) || date === dayFromNow(4)))
    expect(new Set(values(two, 'date')).size).toBe(2)
  })

  test('are by default those of today, in the zone of the provider, and seven days more', async () => {
    const [today, last] = [dayIn('Europe/Madrid', 0), dayIn('Europe/Madrid', 7)]
    const usual = await bookings({})
    expect(usual).toEqual(await bookings({ from: today, to: last, status: 'confirmed' }))
    expect(values(usual, 'date')).toContain(last)
    expect(await bookings({ from: dayFromNow(-4) })).toEqual(await bookings({ from: dayFromNow(-4), to: last }))
    const ahead = { from: dayFromNow(12) }
    expect(await bookings(ahead)).toEqual(await bookings({ ...ahead, to: dayFromNow(19) }))
    expect((await bookings(ahead)).length).toBeGreaterThan(0)
  })

  test('and reviews and days are found from the first year to the last', async () => {
    const ever = { activity_id: northernLights, from: '0000-01-01', to: '9999-12-31' }
    const near = { ...ever, from: dayFromNow(-450), to: dayFromNow(130) }
    expect(await bookings(ever)).toEqual(await bookings(near))
    expect((await bookings(near)).length).toBeGreaterThan(0)
    for (const from of ['2999-12-31', ever.to]) expect(await bookings({ from })).toEqual([])
    expect(await panel.rows('list_reviews', 'reviews', { since: ever.from })).toEqual(
      await panel.rows('list_reviews', 'reviews', {}),
    )
    expect(await panel.rows('list_reviews', 'reviews', { since: ever.to })).toEqual([])
    for (const [day, from] of [
      ['0000-01-03', '0000-01-03'],
      ['9999-12-31', '9999-12-30'],
    ]) {
      const input = { activity_id: alcazar, from, to: day === from ? day : undefined }
      expect(values(await panel.rows('get_availability', 'days', input), 'date')).toContain(day)
    }
  })

  test('come 25 a page, each once and none missing, while travellers book and others cancel', async () => {
    const input = { from: dayFromNow(-4), to: dayFromNow(10), status: 'all' }
    const shop = await shopOf(panel, alcazar)
    const before = values(await bookings(input), 'booking_id')
    let pages = 0
    const trips: string[] = []
    const read = await panel.every('list_bookings', 'bookings', input, async (page) => {
      pages = page
      const bought = await buy(shop, dayFromNow(page % 2 === 0 ? 1 : 9), '09:30')
      expect(bought.status).toBe(303)
      trips.push(bought.headers.get('location') ?? '')
      if (page === 3) {
        const cancelled = await fetch(`${panel.sandbox.url}${trips[0]}/cancel`, { method: 'POST' })
        expect(cancelled.ok).toBe(true)
      }
    })
    const ids = values(read, 'booking_id')
    expect(pages).toBe(Math.ceil(ids.length / 25))
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toEqual(expect.arrayContaining(before))
    expect(ids.length).toBeGreaterThan(before.length)
    expect((await bookings(input)).length).toBe(before.length + trips.length)
  })

  test('are read on over midnight as they began', async () => {
    const first = await panel.call('list_bookings', {})
    const last = dayIn('Europe/Madrid', 7)
    const rest = values(await bookings({}), 'booking_id').slice(25)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_400_000 })
    const { next_cursor } = first
    expect(list(first, 'bookings').length).toBe(25)
    const later = await panel.every('list_bookings', 'bookings', { cursor: next_cursor })
    expect(values(later, 'booking_id')).toEqual(rest)
    expect(values(later, 'date')).toContain(last)
  })

  test('show in full as in the list, with what is paid and who comes', async () => {
    const [row] = await panel.rows('list_bookings', 'bookings', span(30))
    const detail = await panel.call('get_booking', { booking_id: row?.['booking_id'] })
    expect(detail).toMatchObject({ ...row, price: { amount: '745.00', currency: 'EUR' } })
    expect(detail['reference']).toMatch(/^CM-\w{7}$/)
    const { email, phone } = detail['lead_traveler'] as Row
    expect([email, phone]).toEqual([expect.stringMatching(/^[^•]+@/), expect.stringMatching(/^\+\d+ \d+ 555\d+$/)])
  })

  test('hide who cancelled, and whoever comes from guides; no phone is null', async () => {
    const input = { from: dayFromNow(-60), to: dayFromNow(0), status: 'cancelled' }
    const people: Row[] = []
    for (const { booking_id } of (await panel.rows('list_bookings', 'bookings', input)).slice(0, 8)) {
      const { status, lead_traveler } = await panel.call('get_booking', { booking_id })
      expect(status).toBe('cancelled')
      people.push(lead_traveler as Row)
    }
    expect(people.every(({ email }) => String(email).includes('•••@'))).toBe(true)
    expect(values(people, 'phone')).toContain(null)
    expect(values(people, 'phone')).toContainEqual(expect.stringMatching(/^•••\d\d$/))
    const [theirs] = await panel.rows('list_bookings', 'bookings', {}, 'revoked')
    const { lead_traveler } = await panel.call('get_booking', { booking_id: theirs?.['booking_id'] }, 'revoked')
    expect((lead_traveler as Row)['email']).toContain('•••@')
  })

  test.each([
    ['JPY', 'stranger', /^\d+$/],
    ['USD', 'poor', /^\d+\.\d\d$/],
    ['TND', 'narrow', /^\d+\.\d{3}$/],
  ])('cost amounts with the decimals of %s', async (currency, user, form) => {
    const [row] = await panel.rows('list_bookings', 'bookings', {}, user)
    const { price } = await panel.call('get_booking', { booking_id: row?.['booking_id'] }, user)
    expect(price).toEqual({ amount: expect.stringMatching(form), currency })
  })
})

describe('activities and their calendar', () => {
  test('are live, paused or in review', async () => {
    const activities = await panel.rows('list_activities', 'activities', {})
    expect(values(activities, 'status')).toEqual([...Array.from({ length: 10 }, () => 'live'), 'paused', 'in_review'])
    expect(activities[1]).toEqual({
      activity_id: 'T1002',
      name: 'Tuk-tuk pela Alfama',
      destination: 'Lisboa',
      status: 'live',
    })
    expect(await days(0, 30, inReview)).toEqual([])
  })

  test('show the days with departures, by default today and thirty more in the zone of the activity', async () => {
    const read = (input: Row) => panel.rows('get_availability', 'days', input)
    for (const [activity_id, zone] of [
      [northernLights, 'Atlantic/Reykjavik'],
      ['T1009', 'Pacific/Auckland'],
      ['T1010', 'America/Sao_Paulo'],
    ] as const) {
      const usual = await read({ activity_id })
      expect(usual.length).toBe(31)
      expect([usual[0]?.['date'], usual.at(-1)?.['date']]).toEqual([dayIn(zone, 0), dayIn(zone, 30)])
    }
    const past = await read({ activity_id: northernLights, from: dayFromNow(-3) })
    expect([past.length, past.at(-1)?.['date']]).toEqual([34, dayFromNow(30)])
    const later = await read({ activity_id: northernLights, from: dayFromNow(100) })
    expect([later.length, later.at(-1)?.['date']]).toEqual([31, dayFromNow(130)])
    const weekdays = (await days(0, 13, market)).map(({ date }) => new Date(String(date)).getUTCDay())
    expect(weekdays.length).toBe(10)
    expect(new Set(weekdays)).toEqual(new Set([1, 2, 4, 5, 6]))
  })

  test('show closed days, closed departures and quotas', async () => {
    const seeded = await days(11, 22)
    expect(values(seeded, 'status').map((status) => status === 'closed')).toEqual(
      Array.from({ length: 12 }, (_, at) => at >= 9),
    )
    expect(seeded.map(openOn).slice(0, 4)).toEqual([
      [true, true],
      [false, true],
      [false, true],
      [true, true],
    ])
    expect(seeded[0]?.['slots']).toEqual([
      { time: '10:00', quota: 32 },
      { time: '16:00', quota: 32 },
    ])
    expect(values(list(seeded[4], 'slots'), 'quota')).toEqual([28, 28])
  })

  test.each([
    ['get_availability', { activity_id: 'T9' }],
    ['list_bookings', { activity_id: 'T9' }],
    ['list_reviews', { activity_id: 'T9' }],
    ['close_dates', span(30, 31, 'T9')],
    ['open_dates', span(20, 21, 'T9')],
    ['set_quota', { ...span(30, 31, 'T9'), quota: 20 }],
  ])('%s finds no made-up activity, nor one of another provider', async (name, input) => {
    expect(await panel.refused(name, input)).toBe('TOUR_NOT_FOUND')
    expect(await panel.refused(name, { ...input, activity_id: northernLights }, 'stranger')).toBe('TOUR_NOT_FOUND')
    expect(await panel.control.effects()).toEqual([])
  })
})

describe('sales', () => {
  test('are stopped and started again; the bookings stay', async () => {
    const shop = await shopOf(panel, northernLights)
    const before = await bookings(span(29, 32))
    const onThem = values(before, 'booking_id').filter((_, at) => before[at]?.['date'] !== dayFromNow(32))
    expect(onThem.length).toBeGreaterThan(0)
    const closed = { closed_slots: 4, bookings_on_closed_slots: onThem.length, booking_ids: onThem }
    expect(await panel.call('close_dates', span(30, 31))).toEqual({ ...span(30, 31), ...closed })
    expect(values(await days(29, 32), 'status')).toEqual(['open', 'closed', 'closed', 'open'])
    expect(await bookings(span(29, 32))).toEqual(before)
    expect((await buy(shop, dayFromNow(31), '10:00')).status).toBe(409)
    expect(await panel.refused('close_dates', span(30, 31))).toBe('ALREADY_SHUT')

    expect(await panel.call('open_dates', span(29, 31))).toEqual({ ...span(29, 31), opened_slots: 4 })
    expect(values(await days(29, 32), 'status')).toEqual(['open', 'open', 'open', 'open'])
    expect((await buy(shop, dayFromNow(31), '10:00')).status).toBe(303)
    expect(await panel.refused('open_dates', span(29, 31))).toBe('ALREADY_OPEN')
    const actions = (await panel.control.effects()).map(({ action }) => action)
    expect(actions).toEqual(['sales.shut', 'sales.reopen', 'trip.book'])
  })

  test('are stopped and started again by an id with zeros before it, and told by their own', async () => {
    const zeros = northernLights.replace('T', 'T00')
    expect(await panel.call('close_dates', span(30, 31, zeros))).toMatchObject({ ...span(30, 31), closed_slots: 4 })
    expect(await panel.call('open_dates', span(30, 31, zeros))).toMatchObject({ ...span(30, 31), opened_slots: 4 })
  })

  test('are stopped and started again at some times only; what is so already does not count', async () => {
    const ten = { times: ['10:00'] }
    expect(await panel.call('close_dates', { ...span(50, 51), ...ten })).toMatchObject({ closed_slots: 2 })
    expect((await days(50, 52)).map(openOn)).toEqual([
      [false, true],
      [false, true],
      [true, true],
    ])
    expect(await panel.call('close_dates', span(50, 52))).toMatchObject({ closed_slots: 4 })
    expect(await panel.call('open_dates', { ...span(50, 52), times: ['10:00', '16:00'] })).toMatchObject({
      opened_slots: 6,
    })
    expect(await panel.refused('open_dates', { ...span(50), ...ten })).toBe('ALREADY_OPEN')
  })

  test('of departures with many bookings tell how many these are, and the first hundred of them', async () => {
    const shop = await shopOf(panel, northernLights)
    for (let bought = 0; bought < 101; bought++) {
      const sold = await buy(shop, dayFromNow(bought % 2 === 0 ? 51 : 52), bought % 4 < 2 ? '10:00' : '16:00')
      expect(sold.status).toBe(303)
    }
    const all = values(await bookings(span(51, 52)), 'booking_id')
    expect(all.length).toBeGreaterThan(100)
    expect(await panel.call('close_dates', span(51, 52))).toMatchObject({
      closed_slots: 4,
      bookings_on_closed_slots: all.length,
      booking_ids: all.slice(0, 100),
    })
  })

  test('are limited to a quota, which no traveller gets past', async () => {
    const shop = await shopOf(panel, northernLights)
    const sold = (await bookings(span(30))).reduce((sum, { people }) => sum + Number(people), 0)
    const quota = sold + 1
    const answer = await panel.call('set_quota', { ...span(30, 31), times: ['10:00'], quota })
    expect(answer).toEqual({ ...span(30, 31), quota, slots_changed: 2 })
    expect((await days(30, 32)).map(({ slots }) => values(slots as Row[], 'quota'))).toEqual([
      [quota, 32],
      [quota, 32],
      [32, 32],
    ])
    expect((await buy(shop, dayFromNow(30), '10:00')).status).toBe(303)
    expect((await buy(shop, dayFromNow(30), '10:00')).status).toBe(409)
    expect(await panel.refused('set_quota', { ...span(30, 31), quota: sold })).toBe('BELOW_SOLD')
    expect(await panel.call('set_quota', { ...span(50), quota: 0 })).toMatchObject({ quota: 0, slots_changed: 2 })
    expect(await panel.call('set_quota', { ...span(50), quota: 500 })).toMatchObject({ quota: 500 })
    expect((await buy(shop, dayFromNow(50), '16:00')).status).toBe(303)
  })

  test('of closed departures are limited too, and they stay closed', async () => {
    expect(await panel.call('set_quota', { ...span(21), quota: 9 })).toMatchObject({ slots_changed: 2 })
    const seen = async (at: number) => {
      const [day] = await days(at, at)
      return [day?.['status'], ...values(list(day, 'slots'), 'quota')]
    }
    expect(await seen(21)).toEqual(['closed', 9, 9])
    await panel.call('open_dates', span(21))
    expect(await seen(21)).toEqual(['open', 9, 9])
    await panel.call('close_dates', { ...span(21), times: ['10:00'] })
    expect(await seen(21)).toEqual(['open', 0, 9])
  })

  test.each([
    [{ from: dayFromNow(-2) }, 'DAY_PASSED'],
    [{ from: dayFromNow(32) }, 'SPAN_BACKWARDS'],
    [{ from: dayFromNow(600), to: dayFromNow(732) }, 'DAY_TOO_FAR'],
    [{ to: dayFromNow(30 + 366) }, 'SPAN_TOO_LONG'],
    [{ times: ['10:00', '10:01'] }, 'HOUR_UNKNOWN'],
    [{ activity_id: inReview }, 'NO_DEPARTURES'],
  ])('do not change with %j', async (wrong, code) => {
    const input = { ...span(30, 31), ...wrong }
    for (const name of ['close_dates', 'open_dates']) expect(await panel.refused(name, input)).toBe(code)
    expect(await panel.refused('set_quota', { ...input, quota: 20 })).toBe(code)
    expect(await panel.control.effects()).toEqual([])
  })

  test('are none of a guide’s business', async () => {
    const [first] = await panel.rows('list_activities', 'activities', {}, 'revoked')
    const input = span(30, 31, String(first?.['activity_id']))
    for (const name of ['close_dates', 'open_dates'])
      expect(await panel.refused(name, input, 'revoked')).toBe('RIGHT_MISSING')
    expect(await panel.refused('set_quota', { ...input, quota: 20 }, 'revoked')).toBe('RIGHT_MISSING')
  })
})
