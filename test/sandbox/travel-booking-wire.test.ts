import { afterAll, beforeAll, expect, test } from 'vitest'
import { bookingOf, dayOn, open, order, search, whole, type Full } from './travel-booking-traveller.ts'
import { namesIn, type AppPerson, type OpenApp } from './open-app.ts'

let app: OpenApp
let demo: AppPerson
beforeAll(async () => {
  app = await open()
  demo = await app.person()
})
afterAll(() => app[Symbol.asyncDispose]())

/** The field names of the documents for this app. */
const documented =
  `trip_id mode operator departs arrives duration changes price amount currency legs from to fares fare_id class
  exchangeable refundable flex_available booking_id route status passengers first_name last_name fare flex total tickets passenger
  type url option_id price_difference fee options cancellable refund date return_date modes limit trips bookings`.split(
    /\s+/,
  )

test('at least half of the names on the wire are the app’s own, and so are days and money', async () => {
  const names = new Set<string>()
  const found = await search(demo, { backOn: dayOn(22) })
  const swappable = await Promise.all(
    (await whole(demo, 'AHEAD')).slice(0, 20).map((row) => bookingOf(demo, row.bookingRef)),
  )
  const ref = swappable.find((one) => one.tariff.swappable && one.standing === 'CONFIRMED')?.bookingRef
  namesIn(found, names)
  const paths = [`searches/${found.searchToken}/${found.there.hits[0]?.tripNo}`, 'bookings', 'letters', 'places', 'me']
  paths.push(`bookings/${ref}`, `bookings/${ref}/papers`, `bookings/${ref}/giveback`)
  paths.push(`bookings/${ref}/moves?day=${dayOn(30)}`)
  for (const path of paths) namesIn(await demo.read(`/trips/x/${path}`), names)
  expect(names.size).toBeGreaterThan(50)
  const shared = documented.filter((name) => names.has(name))
  expect(shared.length).toBeLessThanOrEqual(documented.length / 2)
  const [hit] = found.there.hits
  expect(hit?.leaves).toMatchObject({ day: dayOn(20), zone: 'Europe/Istanbul', minutesFromUtc: 180 })
  expect(hit?.cheapest).toEqual({ minor: expect.any(Number), currency: 'EUR', exponent: 2 })
})

test('seeds hold what is awkward: accents, right-to-left text, zones, empty and long texts, every state', async () => {
  await using other = await open()
  const who = await other.person()
  const scopes = ['AHEAD', 'BEHIND', 'CALLED_OFF']
  const rows = await Promise.all(scopes.map((scope) => whole(who, scope)))
  for (const list of rows) expect(list.length).toBeGreaterThanOrEqual(60)
  // The app's own rate does not let one read all of them at once.
  const sample = rows.flatMap((list) => list.slice(0, list === rows[0] ? 70 : 20))
  const all = await Promise.all(sample.map(({ bookingRef }) => bookingOf(who, bookingRef)))
  const values = (pick: (one: Full) => unknown): Set<unknown> => new Set(all.map(pick))
  expect(values((one) => one.vehicle)).toEqual(new Set(['RAIL', 'COACH', 'AIR', 'SEA']))
  expect(values((one) => one.standing)).toEqual(new Set(['CONFIRMED', 'AWAITING', 'CANCELLED']))
  expect(values((one) => one.leaves.zone).size).toBeGreaterThan(6)
  expect(values((one) => one.sum.exponent)).toEqual(new Set([0, 2, 3]))
  expect(new Set(all.flatMap(({ riders }) => riders.map(({ band }) => band))).size).toBe(4)
  const ready = all.slice(0, 70).filter(({ standing }) => standing === 'CONFIRMED')
  for (const fits of [
    (one: Full) => one.tariff.swappable && !one.flexCover,
    (one: Full) => one.tariff.swappable && one.flexCover,
    (one: Full) => one.tariff.givesBack,
    (one: Full) => one.flexCover,
    (one: Full) => !one.tariff.givesBack && !one.flexCover,
    (one: Full) => !one.tariff.swappable,
  ])
    expect(ready.filter(fits).length).toBeGreaterThan(5)
  expect(all.filter(({ standing }) => standing === 'AWAITING').length).toBeGreaterThan(5)
  expect(all.map(({ notice }) => notice)).toContain('')
  expect(Math.max(...all.map(({ notice }) => notice.length))).toBeGreaterThan(900)
  expect(all.flatMap(({ riders }) => riders.map(({ familyName }) => familyName))).toContain('')
  for (const awkward of [/[֐-ۿ]/, /[À-ſ]/, /<b/i]) expect(JSON.stringify(all)).toMatch(awkward)
})

test('seeds and timetable are the same after a reset and in another sandbox', async () => {
  const everything = async (who: AppPerson): Promise<unknown[]> => [
    await search(who, { backOn: dayOn(20) }),
    ...(await Promise.all(['bookings?take=100', 'letters?take=100'].map((path) => who.read(`/trips/x/${path}`)))),
  ]
  const before = await everything(demo)
  await demo.wrote('POST', '/trips/x/orders', await order(demo))
  expect(await everything(demo)).not.toEqual(before)
  await app.reset()
  await using other = await open()
  expect(await everything(await other.person())).toEqual(before)
  expect(await everything(demo)).toEqual(before)
})

test('no id is in two accounts, and what is a stranger’s does not exist', async () => {
  const people = await app.people()
  expect(people).toHaveLength(7)
  const lists = await Promise.all(people.map((who) => whole(who, 'EVERYTHING')))
  const refs = lists.flat().map(({ bookingRef }) => bookingRef)
  expect(new Set(refs).size).toBe(refs.length)
  const tokens = await Promise.all(people.map(async (who) => (await search(who, {})).searchToken))
  expect(new Set(tokens).size).toBe(people.length)
  const stranger = await app.person('stranger')
  const theirs = (await whole(stranger, 'AHEAD'))[0]?.bookingRef
  for (const path of ['', '/papers', '/giveback', `/moves?day=${dayOn(9)}`, '/moves/MV-1-1-1-1']) {
    expect(await demo.denied(`/trips/x/bookings/${theirs}${path}`)).toEqual([404, 'BOOKING_NOT_FOUND'])
  }
  for (const path of ['move', 'cancel']) {
    const fields = path === 'move' ? { moveId: 'MV-1-1-1-1', agreedMinor: '0' } : { agreedMinor: '0' }
    expect((await demo.form(`/trips/bookings/${theirs}/${path}`, fields)).status).toBe(404)
  }
  const wish = await order(stranger)
  const path = `/trips/x/searches/${wish.searchToken}/${wish.tripNo}`
  expect(await demo.denied(path)).toEqual([404, 'SEARCH_UNKNOWN'])
  expect(await demo.refused('POST', '/trips/x/orders', wish)).toEqual([404, 'SEARCH_UNKNOWN'])
  expect(await app.effects(demo)).toEqual([])
})

test('pages for people lead from a search to a booking, its change and its cancellation', async () => {
  const who = await app.newcomer()
  const wish = await order(who, {}, 'SUITE')
  const trip = `/trips/find/${wish.searchToken}/${wish.tripNo}`
  const found = `/trips/find?start=ist&goal=ank&day=${dayOn(20)}&backOn=${dayOn(21)}&kids=&by=COACH`
  for (const path of ['/', '/trips', '/trips?scope=CALLED_OFF', '/trips/letters', '/trips/find', found, trip]) {
    expect([path, (await who.get(path)).status]).toEqual([path, 200])
  }
  const booked = await who.form(trip, {
    tariffCode: 'SUITE',
    flexCover: 'no',
    agreedMinor: String(wish.agreed.minor),
    agreedCurrency: wish.agreed.currency,
    givenName: '山田',
    familyName: '<花子>',
  })
  expect(booked.status).toBe(303)
  const detail = (booked.headers.get('location') ?? '').replace('/travel-booking', '').replace('?done=booked', '')
  expect(detail).toMatch(/^\/trips\/bookings\/FV/)
  const text = await (await who.get(detail)).text()
  expect(text).toContain('&lt;花子&gt;')
  const [, back = ''] = /name="agreedMinor" value="(\d+)"/.exec(text) ?? []
  const moves = await (await who.get(`${detail}/moves?day=${dayOn(25)}`)).text()
  const [, moveId = '', agreedMinor = ''] = /"moveId" value="([^"]+)"[^]*?"agreedMinor" value="(\d+)"/.exec(moves) ?? []
  expect((await who.form(`${detail}/move`, { moveId, agreedMinor })).status).toBe(303)
  const now = await (await who.get(detail)).text()
  const [, later = ''] = /name="agreedMinor" value="(\d+)"/.exec(now) ?? []
  expect(Number(later)).toBeGreaterThanOrEqual(Number(back))
  expect((await who.form(`${detail}/cancel`, { agreedMinor: later })).status).toBe(303)
  expect((await app.effects(who)).map(({ action }) => action)).toEqual([
    'order.place',
    'booking.move',
    'booking.cancel',
  ])
})
