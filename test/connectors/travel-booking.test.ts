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
const cost = (row: Row) => (row['price'] as Price).amount

describe('a search', () => {
  test('finds the trips of a day by departure, 20 by default and up to 50', async () => {
    const all = await me.search({ limit: 50 })
    expect(all.length).toBe(50)
    expect(await me.search()).toEqual(all.slice(0, 20))
    expect(await me.search({ limit: 1 })).toEqual(all.slice(0, 1))
    expect(departures(all)).toEqual(departures(all).toSorted((a, b) => a - b))
    expect(all.every(({ departs }) => String(departs).startsWith(`${dayFromNow(20)}T`))).toBe(true)
    expect(new Set(values(all, 'trip_id')).size).toBe(50)
    for (const { departs, arrives, duration } of all) {
      const minutes = (Date.parse(String(arrives)) - Date.parse(String(departs))) / 60_000
      expect(duration).toBe(`${Math.trunc(minutes / 60)}h ${minutes % 60}m`)
    }
  })

  test('is narrowed to modes, each of them, several, and all', async () => {
    const all = await me.search({ limit: 50 })
    expect(new Set(values(all, 'mode'))).toEqual(new Set(['train', 'bus', 'flight']))
    for (const modes of [['train'], ['bus'], ['flight'], ['train', 'flight']]) {
      const found = await me.search({ modes, limit: 50 })
      expect(new Set(values(found, 'mode'))).toEqual(new Set(modes))
    }
    expect(await me.search({ modes: ['ferry'] })).toEqual([])
    expect(values(await me.search({ to: 'Bursa', modes: ['ferry'] }), 'mode')).toEqual(Array(6).fill('ferry'))
    expect(await me.search({ modes: ['train', 'bus', 'flight', 'ferry'], limit: 50 })).toEqual(all)
  })

  test('takes cities in any spelling, and stations, from which alone it leaves then', async () => {
    const all = await me.search({ limit: 50 })
    const details = (rows: readonly Row[]) => rows.map(({ trip_id: _id, ...rest }) => rest)
    expect(details(await me.search({ from: 'CONSTANTINOPLE', to: ' ankara ', limit: 50 }))).toEqual(details(all))
    const station = await me.search({ from: 'sogutlucesme', limit: 50 })
    expect(details(station)).toEqual(details(await me.search({ modes: ['train'], limit: 50 })))
    expect(await me.search({ from: 'Reykjavík' })).toEqual([])
    const [leg] = await me.caller.rows('get_trip', 'legs', { trip_id: station[0]?.['trip_id'] })
    const fromTheLeg = await me.search({ from: leg?.['from'], to: leg?.['to'], limit: 50 })
    expect(details(fromTheLeg)).toEqual(details(station))
    expect(await me.refusal({ from: 'Ankara, Söğütlüçeşme', to: 'Konya' })).toBe('PLACE_UNKNOWN')
  })

  test('tells the lowest price for the whole party, on the clocks of each place', async () => {
    const price = async (passengers: Row) => cost((await me.search({ limit: 1, passengers }))[0]!)
    const adult = await price({ adult: 1 })
    expect(cost((await me.search({ limit: 1 }))[0]!)).toBe(adult)
    // The app's service fee, 4 % of the fare or 1.50, is in all prices.
    const fare = Math.min(adult - 1.5, adult / 1.04)
    const paid = (share: number): number => share * fare + Math.max(1.5, 0.04 * share * fare)
    expect(await price({ adult: 2 })).toBeCloseTo(paid(2), 1)
    expect(await price({ youth: 1 })).toBeCloseTo(paid(0.75), 1)
    expect(await price({ senior: 1 })).toBeCloseTo(paid(0.8), 1)
    expect(await price({ adult: 1, child: 1 })).toBeCloseTo(paid(1.5), 1)
    const [trip] = await me.search({ limit: 1, passengers: { adult: 1, child: 1 } })
    const fares = await me.fares({ passengers: { adult: 1, child: 1 } })
    expect(cost(trip!)).toBe(Math.min(...fares.map(cost)))

    const [flight] = await me.search({ from: 'London', to: 'NYC' })
    expect(flight).toMatchObject({ mode: 'flight', operator: 'Albion Wings', duration: '8h 5m', changes: 0 })
    expect(flight?.['arrives']).toMatch(/T\d\d:\d\d:00-0[45]:00$/)
    expect(flight?.['departs']).toMatch(/T10:00:00\+0[01]:00$/)
  })

  test('prices in the currency of the account, with its decimals', async () => {
    const prices = await Promise.all(
      ['demo', 'stranger', 'narrow', 'revoked'].map(
        async (user) => (await me.search({ limit: 1 }, user))[0]?.['price'],
      ),
    )
    expect((prices as Price[]).map(({ currency }) => currency)).toEqual(['EUR', 'GBP', 'JPY', 'TND'])
    const [euros, , yen, dinars] = (prices as Price[]).map(({ amount }) => amount)
    expect(yen! / euros!).toBeCloseTo(162, 0)
    expect(dinars! / euros!).toBeCloseTo(3.36, 2)
    expect(Number.isInteger(yen)).toBe(true)
  })

  test('with a way back shares the limit between both, and gives the room of one to the other', async () => {
    const ways = async (more: Row) => {
      const found = await me.search({ return_date: dayFromNow(22), ...more })
      return values(found, 'trip_id').map((id) => String(id)[0])
    }
    expect(await ways({ limit: 5 })).toEqual(['O', 'O', 'O', 'B', 'B'])
    expect((await ways({})).filter((way) => way === 'B').length).toBe(10)
    const found = await me.search({
      from: 'Sfax',
      to: 'Tunis',
      modes: ['train'],
      return_date: dayFromNow(20),
      limit: 50,
    })
    expect(values(found, 'trip_id').map((id) => String(id)[0])).toEqual([...Array(6).fill('O'), ...Array(6).fill('B')])
    const late = await me.search({ from: 'Istanbul', to: 'Izmir', return_date: dayFromNow(21), limit: 4 })
    expect(late.length).toBe(4)
    const { legs } = await app.call('get_trip', { trip_id: found.at(-1)?.['trip_id'] })
    expect(legs).toMatchObject([{ from: 'تونس, محطة برشلونة' }])
    expect(await ways({ limit: 1 })).toEqual(['O'])
  })

  test.each<[string, Row]>([
    ['PLACE_UNKNOWN', { from: 'Atlantis' }],
    ['PLACE_UNKNOWN', { to: 'Atlantis' }],
    ['SAME_PLACE', { to: 'İstanbul' }],
    ['DAY_PAST', { date: dayFromNow(-2) }],
    ['DAY_TOO_FAR', { date: dayFromNow(183) }],
    ['BACK_BEFORE_DAY', { return_date: dayFromNow(19) }],
    ['KIDS_ALONE', { passengers: { child: 1 } }],
    ['PARTY_EMPTY', { passengers: { adult: 0 } }],
    ['PARTY_TOO_BIG', { passengers: { adult: 9, youth: 1 } }],
  ])('is refused: %s %j', async (code, more) => {
    expect(await me.refusal(more)).toBe(code)
  })

  test('takes every value and bound of its inputs, and nothing beyond', async () => {
    const input = { from: 'a', to: 'b', date: '2028-02-29' }
    const takes = (more: Row) => app.takes('search_trips', { ...input, ...more })
    const good: Row[] = [
      {},
      { limit: 1 },
      { limit: 50 },
      { return_date: '2028-03-01' },
      { from: 'x'.repeat(200) },
      { passengers: { adult: 9, youth: 0, child: 9, senior: 9 } },
      { modes: ['train', 'bus', 'flight', 'ferry'] },
    ]
    const bad: Row[] = [
      { limit: 0 },
      { limit: 51 },
      { limit: 1.5 },
      { date: '2027-02-29' },
      { date: undefined },
      { return_date: '01 Mar 2028' },
      { from: '' },
      { to: 'x'.repeat(201) },
      { passengers: {} },
      { passengers: { adult: 10 } },
      { passengers: { adult: -1 } },
      { passengers: { dog: 1 } },
      { modes: [] },
      { modes: ['car'] },
      { modes: ['train', 'train'] },
      { cursor: 'a' },
    ]
    for (const more of good) expect(takes(more), JSON.stringify(more)).toBe(true)
    for (const more of bad) expect(takes(more), JSON.stringify(more)).toBe(false)
    const nine = { adult: 1, youth: 3, child: 3, senior: 2 }
    expect((await me.search({ passengers: nine, date: dayFromNow(179), limit: 1 })).length).toBe(1)
  })
})

describe('a trip', () => {
  test('shows its legs and its fares, with what each costs with and without flex', async () => {
    const passengers = { adult: 1, senior: 1 }
    const [found] = await me.search({ from: 'London', to: 'Barcelona', passengers, limit: 1 })
    expect(found).toMatchObject({ mode: 'train', changes: 2 })
    const { trip_id, mode, operator, departs, arrives } = found!
    const trip = await app.call('get_trip', { trip_id })
    expect(trip).toMatchObject({ trip_id, mode, operator })
    const legs = trip['legs'] as Row[]
    expect(values(legs, 'from')).toEqual(['London, St Pancras', 'Paris, Gare du Nord', 'Lyon, Part-Dieu'])
    expect(values(legs, 'to')).toEqual(['Paris, Gare du Nord', 'Lyon, Part-Dieu', 'Barcelona, Sants'])
    expect([legs[0]?.['departs'], legs[2]?.['arrives']]).toEqual([departs, arrives])
    const fares = await me.fares({ from: 'London', to: 'Barcelona', passengers })
    expect(trip['fares']).toEqual(fares)
    const rights = fares.map((fare) => [fare['exchangeable'], fare['refundable'], fare.flex_available])
    expect(rights).toEqual([
      [false, false, true],
      [false, false, true],
      [true, false, true],
      [true, false, true],
      [true, true, false],
    ])
    const documented = ['fare_id', 'class', 'price', 'exchangeable', 'refundable', 'flex_available'].toSorted()
    for (const fare of fares) expect(Object.keys(fare).toSorted()).toEqual(documented)
    const [saver, flexible] = fares
    expect(flexible?.class).toBe(`${saver?.class}, with flex`)
    expect(saver?.price).toEqual(found?.['price'])
    const fare = saver!.price.amount / 1.04
    expect(flexible!.price.amount).toBeCloseTo(fare * 1.16, 1)
  })

  test('is the own search’s alone, and only one that it found', async () => {
    const [{ trip_id } = {}] = await me.search({ limit: 1 })
    expect(await app.refused('get_trip', { trip_id }, 'stranger')).toBe('SEARCH_UNKNOWN')
    for (const [id, code] of [
      [`O99999.${String(trip_id).split('.')[1]}`, 'TRIP_NOT_FOUND'],
      ['nothing', 'TRIP_NOT_FOUND'],
      ['../../me', 'TRIP_NOT_FOUND'],
      ['O1.made-up', 'SEARCH_UNKNOWN'],
      [`${String(trip_id)}.SEAT`, 'TRIP_NOT_FOUND'],
    ])
      expect(await app.refused('get_trip', { trip_id: id }), id).toBe(code)
    for (const id of ['', 'x'.repeat(201)]) expect(app.takes('get_trip', { trip_id: id })).toBe(false)
  })
})
