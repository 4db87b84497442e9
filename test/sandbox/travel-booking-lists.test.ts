import { afterAll, beforeAll, expect, test } from 'vitest'
import { dayOn, msOf, open, order, search, whole, type Hit } from './travel-booking-traveller.ts'
import type { AppPerson, OpenApp } from './open-app.ts'

let app: OpenApp
let demo: AppPerson
beforeAll(async () => {
  app = await open()
  demo = await app.person()
})
afterAll(() => app[Symbol.asyncDispose]())

test('bookings are listed by scope, each in its order, and everything is the three together', async () => {
  const [ahead, behind, off, all] = await Promise.all(
    ['AHEAD', 'BEHIND', 'CALLED_OFF', 'EVERYTHING'].map((scope) => whole(demo, scope, 37)),
  )
  if (!ahead || !behind || !off || !all) throw new Error('A list is missing.')
  expect(ahead.every(({ standing, leaves }) => standing !== 'CANCELLED' && msOf(leaves) > Date.now())).toBe(true)
  expect(behind.every(({ standing, leaves }) => standing === 'CONFIRMED' && msOf(leaves) < Date.now())).toBe(true)
  expect(off.every(({ standing }) => standing === 'CANCELLED')).toBe(true)
  const times = (rows: typeof all): number[] => rows.map(({ leaves }) => msOf(leaves))
  expect(times(ahead)).toEqual(times(ahead).toSorted((a, b) => a - b))
  for (const rows of [behind, off, all]) expect(times(rows)).toEqual(times(rows).toSorted((a, b) => b - a))
  const refs = (rows: typeof all): string[] => rows.map(({ bookingRef }) => bookingRef).toSorted()
  expect(refs(all)).toEqual(refs([...ahead, ...behind, ...off]))
  expect((await demo.read<{ bookings: unknown }>('/trips/x/bookings')).bookings).toEqual(ahead.slice(0, 25))
})

test('a list is read to its end while bookings are added: nothing twice, nothing missing', async () => {
  const who = await app.newcomer()
  for (const scope of ['AHEAD', 'EVERYTHING']) {
    const before = (await whole(who, scope)).map(({ bookingRef }) => bookingRef)
    let added = 0
    const seen = await whole(who, scope, scope === 'AHEAD' ? 2 : 25, async () => {
      if (++added > 5) return
      await who.wrote('POST', '/trips/x/orders', await order(who, { day: dayOn(added * 12) }))
    })
    expect(added).toBeGreaterThan(3)
    const refs = seen.map(({ bookingRef }) => bookingRef)
    expect(new Set(refs).size).toBe(refs.length)
    expect(refs).toEqual(expect.arrayContaining(before))
  }
})

test('a search finds trips by departure, all ways of travelling or some, there and back', async () => {
  const all = await search(demo, { take: '60', backOn: dayOn(21) })
  expect(all.there.found).toBe(63)
  expect(all.there.hits).toHaveLength(60)
  expect(all.back?.found).toBe(63)
  for (const { hits } of [all.there, all.back ?? all.there]) {
    expect(hits.map(({ leaves }) => msOf(leaves))).toEqual(
      hits.map(({ leaves }) => msOf(leaves)).toSorted((a, b) => a - b),
    )
    for (const hit of hits) expect(msOf(hit.reaches) - msOf(hit.leaves)).toBe(hit.minutes * 60_000)
  }
  expect(new Set(all.there.hits.map(({ vehicle }) => vehicle))).toEqual(new Set(['RAIL', 'COACH', 'AIR']))
  expect(new Set(all.back?.hits.map(({ leaves }) => leaves.day))).toEqual(new Set([dayOn(21)]))
  const some = await search(demo, { by: 'RAIL,AIR' })
  expect(new Set(some.there.hits.map(({ vehicle }) => vehicle))).toEqual(new Set(['RAIL', 'AIR']))
  expect(some.there.found).toBe(27)
  const station = await search(demo, { start: 'sogutlucesme', goal: 'ANKARA' })
  expect(new Set(station.there.hits.map(({ vehicle }) => vehicle))).toEqual(new Set(['RAIL']))
  expect((await search(demo, { start: 'Bursa', goal: 'Lisbon' })).there).toEqual({ found: 0, hits: [] })
})

test('trips cross zones and nights and have changes, in the clocks of each stop', async () => {
  const far = await search(demo, { start: 'London', goal: 'Barcelona' })
  expect(far.there.hits[0]).toMatchObject({ swaps: 2, minutes: 140 + 118 + 300 + 2 * 25 })
  const [night] = (await search(demo, { start: 'Victoria Coach Station', goal: 'Paris' })).there.hits
  expect(night?.leaves.day).not.toBe(night?.reaches.day)
  expect(night?.reaches.minutesFromUtc).toBe((night?.leaves.minutesFromUtc ?? 0) + 60)
  const { searchToken, there } = await search(demo, { goal: 'Konya', by: 'RAIL' })
  const path = `/trips/x/searches/${searchToken}/${there.hits[0]?.tripNo}`
  const { trip } = await demo.read<{ trip: Hit & { hops: unknown[]; tariffs: { fare: { minor: number } }[] } }>(path)
  expect(trip.hops).toHaveLength(trip.swaps + 1)
  expect(Math.min(...trip.tariffs.map(({ fare }) => fare.minor))).toBe(there.hits[0]?.cheapest.minor)
})

test('prices are for the whole party, in the currency of the account', async () => {
  const prices = async (query: Record<string, string>, who = demo) => (await search(who, query)).there.hits[0]?.cheapest
  const one = (await prices({}))?.minor ?? 0
  expect((await prices({ grownUps: '2' }))?.minor).toBe(2 * one)
  const family = (await prices({ grownUps: '1', kids: '2' }))?.minor ?? 0
  expect(Math.abs(family - 2 * one)).toBeLessThanOrEqual(2)
  expect((await prices({ elders: '1' }))?.minor).toBeLessThan(one)
  expect(await prices({}, await app.person('narrow'))).toMatchObject({ currency: 'JPY', exponent: 0 })
  expect(await prices({}, await app.person('revoked'))).toMatchObject({ currency: 'TND', exponent: 3 })
})

test('what a read does not know is refused with its name', async () => {
  const refused = async (query: string, code: string, status = 422): Promise<void> => {
    const parameters = new URLSearchParams({ start: 'ist', goal: 'ank', day: dayOn(3) })
    for (const [name, value] of new URLSearchParams(query)) parameters.set(name, value)
    const address = `/trips/x/searches?${parameters.toString()}`
    expect([query, await demo.denied(address)]).toEqual([query, [status, code]])
  }
  await refused('start=Atlantis', 'PLACE_UNKNOWN', 404)
  await refused('goal=', 'FIELD_REQUIRED')
  await refused('goal=İstanbul', 'SAME_PLACE')
  await refused('day=2027-02-28', 'DAY_INVALID')
  await refused('day=30 Feb 2027', 'DAY_INVALID')
  await refused(`day=${dayOn(-2)}`, 'DAY_PAST')
  await refused(`day=${dayOn(190)}`, 'DAY_TOO_FAR')
  await refused(`backOn=${dayOn(2)}`, 'BACK_BEFORE_DAY')
  await refused('by=SPACE', 'VEHICLE_UNKNOWN')
  await refused('kids=2', 'KIDS_ALONE')
  await refused('grownUps=0', 'PARTY_EMPTY')
  await refused('grownUps=8&elders=2', 'PARTY_TOO_BIG')
  await refused('grownUps=ten', 'PARAMETER_INVALID', 400)
  await refused('take=61', 'PARAMETER_INVALID', 400)
  await refused('colour=red', 'PARAMETER_UNKNOWN', 400)
  for (const query of ['scope=ALL', 'take=0', 'take=101', 'take=2&take=2']) {
    expect(await demo.denied(`/trips/x/bookings?${query}`)).toEqual([400, 'PARAMETER_INVALID'])
  }
  const { after } = await demo.read<{ after: string }>('/trips/x/bookings?scope=BEHIND&take=5')
  for (const query of ['after=made-up', `after=${after}`]) {
    expect(await demo.denied(`/trips/x/bookings?${query}`)).toEqual([400, 'AFTER_UNKNOWN'])
  }
  const { searchToken } = await search(demo, {})
  expect(await demo.denied(`/trips/x/searches/${searchToken}/O00199`)).toEqual([404, 'TRIP_NOT_FOUND'])
  expect(await demo.denied(`/trips/x/searches/${searchToken}x1/O00100`)).toEqual([404, 'SEARCH_UNKNOWN'])
})
