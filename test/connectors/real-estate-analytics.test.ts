import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { AppCaller, dayFromNow, values } from './app-caller.ts'
import type { Row } from './app-caller.ts'

/** What is read: searches, analyses, comparables, markets and presets. */
let desk: AppCaller
beforeAll(async () => {
  desk = await AppCaller.open('real-estate-analytics')
})
// The app lets an investor do only so much in ten seconds; a reset begins anew.
beforeEach(() => desk.sandbox.reset())
afterAll(() => desk.sandbox.close())

const austin = { cities: ['Austin, TX'] }
const find = (input: Row, user?: string) => desk.rows('find_properties', 'properties', input, user)
const ids = (rows: readonly Row[]) => values(rows, 'property_id')
const descending = (rows: readonly Row[], key: string) =>
  expect(values(rows, key)).toEqual(values(rows, key).toSorted((a, b) => Number(b) - Number(a)))

/** That a filter keeps some and leaves some out, and which. */
function keepsOnly(found: readonly Row[], all: readonly Row[], kept: (row: Row) => boolean): void {
  expect(found).toEqual(all.filter(kept))
  expect(found.length).toBeGreaterThan(0)
  expect(found.length).toBeLessThan(all.length)
}

describe('homes for sale', () => {
  test('are found by city, all of them, the highest cash-on-cash return first', async () => {
    const all = await find(austin)
    expect(new Set(ids(all)).size).toBe(120)
    descending(all, 'cash_on_cash')
    expect(await find({ cities: ['AUSTIN,  tx'] })).toEqual(all)
    expect(await find({ cities: ['San Jose, CA'] })).toEqual(await find({ cities: ['San José, CA'] }))
    const two = await find({ cities: ['Austin, TX', 'Round Rock, TX'] })
    expect(two.length).toBe(132)
    descending(two, 'cash_on_cash')
    keepsOnly(
      two.filter(({ address }) => String(address).includes('Austin, TX')),
      two,
      ({ property_id }) => ids(all).includes(property_id),
    )
    expect(all.some(({ bathrooms }) => !Number.isInteger(bathrooms))).toBe(true)
  })

  test('are filtered by price, bedrooms and bathrooms, the bounds included', async () => {
    const all = await find(austin)
    const price = Number(all[40]?.['price'])
    keepsOnly(await find({ ...austin, budget_min: price }), all, (home) => Number(home['price']) >= price)
    keepsOnly(await find({ ...austin, budget_max: price }), all, (home) => Number(home['price']) <= price)
    for (const least of [1, 2, 3, 4, 5]) {
      keepsOnly(await find({ ...austin, bedrooms: least }), all, (home) => Number(home['bedrooms']) >= least)
      const found = await find({ ...austin, bathrooms: least })
      expect(found).toEqual(all.filter((home) => Number(home['bathrooms']) >= least))
      expect(found.length).toBeGreaterThan(0)
    }
    keepsOnly(
      await find({ ...austin, bedrooms: 3, bathrooms: 2, budget_min: 200_000, budget_max: 400_000 }),
      all,
      ({ bedrooms, bathrooms, price: ask }) =>
        Number(bedrooms) >= 3 && Number(bathrooms) >= 2 && Number(ask) >= 200_000 && Number(ask) <= 400_000,
    )
  })

  test('show the returns of a strategy, or without one of the better one', async () => {
    const better = await find(austin)
    for (const rental_strategy of ['vacation', 'traditional']) {
      const found = await find({ ...austin, rental_strategy })
      descending(found, 'cash_on_cash')
      expect(found.length).toBe(better.length)
      expect(new Set(ids(found))).toEqual(new Set(ids(better)))
      expect(ids(found)).not.toEqual(ids(better))
      for (const home of [found[0], found[60], found[119]]) {
        const { cash_on_cash, cap_rate, property_id, price, address } = home!
        const analysis = await desk.call('get_property_analysis', { property_id })
        expect(analysis).toMatchObject({ property_id, price, address, [rental_strategy]: { cash_on_cash, cap_rate } })
        const both = [analysis['vacation'], analysis['traditional']].map((one) => (one as Row)['cash_on_cash'])
        expect(better.find((one) => one['property_id'] === property_id)?.['cash_on_cash']).toBe(
          Math.max(...both.map(Number)),
        )
      }
    }
  })

  test('are found so many miles around a single city', async () => {
    const near = await find({ cities: ['Round Rock, TX'], miles: 1 })
    const far = await find({ cities: ['Round Rock, TX'], miles: 60 })
    const country = await find({ cities: ['Round Rock, TX'], miles: 500 })
    expect(near.length).toBeLessThan(far.length)
    expect(far.length).toBeLessThan(country.length)
    for (const home of near) expect(far).toContainEqual(home)
    expect(far.some(({ address }) => String(address).includes('Austin, TX'))).toBe(true)
    expect(await desk.refused('find_properties', { cities: ['Austin, TX', 'Dallas, TX'], miles: 5 })).toBe(
      'RADIUS_NEEDS_ONE_CITY',
    )
  })

  test.each([
    [{ cities: ['Boise, ID'] }, 'PLACE_UNKNOWN'],
    [{ cities: ['Austin'] }, 'PLACE_UNKNOWN'],
    [{ cities: ['Austin, TX', ' '] }, 'PLACE_UNKNOWN'],
    [{ ...austin, budget_min: 2, budget_max: 1 }, 'RANGE_BACKWARDS'],
  ])('%j is refused by the app', async (input, code) => {
    expect(await desk.refused('find_properties', input)).toBe(code)
  })

  test('of another investor have ids of their own, which open nothing here', async () => {
    const theirs = await find(austin, 'stranger')
    const own = new Set(ids(await find(austin)))
    expect(theirs.length).toBe(120)
    expect(ids(theirs).filter((one) => own.has(one))).toEqual([])
    for (const property_id of [theirs[0]?.['property_id'], 'h-none']) {
      expect(await desk.refused('get_property_analysis', { property_id })).toBe('HOME_NOT_FOUND')
      expect(await desk.refused('get_property_comps', { property_id, type: 'sales' })).toBe('HOME_NOT_FOUND')
    }
  })
})

describe('an analysis', () => {
  test('has the strategies that were asked for, both by default', async () => {
    const property_id = 'h-25as'
    const both = await desk.call('get_property_analysis', { property_id })
    const ask = (strategy: string) => desk.call('get_property_analysis', { property_id, strategy })
    expect(await ask('both')).toEqual(both)
    expect(await ask('vacation')).toEqual({ ...both, traditional: null })
    expect(await ask('traditional')).toEqual({ ...both, vacation: null })
    expect(both['vacation']).not.toBeNull()
    expect(both['traditional']).not.toBeNull()
  })

  test('adds up', async () => {
    for (const { property_id } of (await find(austin)).slice(0, 110).filter((_, at) => at % 20 === 0)) {
      const analysis = await desk.call('get_property_analysis', { property_id })
      for (const strategy of ['vacation', 'traditional']) {
        const one = analysis[strategy] as Readonly<Record<string, number>>
        expect(one['monthly_cash_flow']).toBe(
          one['monthly_revenue']! - one['monthly_operating_expenses']! - one['monthly_mortgage']!,
        )
        const yearly = (one['monthly_cash_flow']! * 1200) / Number(analysis['cash_invested'])
        expect(one['cash_on_cash']).toBeCloseTo(yearly, 1)
        const cap = ((one['monthly_revenue']! - one['monthly_operating_expenses']!) * 1200) / Number(analysis['price'])
        expect(one['cap_rate']).toBeCloseTo(cap, 1)
      }
    }
  })
})

describe('comparables', () => {
  const comps = (input: Row) => desk.rows('get_property_comps', 'comps', { property_id: 'h-25as', ...input })

  test.each([
    ['short_term', ['nightly_rate', 'occupancy']],
    ['long_term', ['leased_on', 'monthly_rent']],
    ['sales', ['sale_price', 'sold_on']],
  ])('%s are the nearest first, 20 by default and as many as asked for', async (type, own) => {
    const many = await comps({ type, limit: 50 })
    expect(many.length).toBe(50)
    const away = values(many, 'distance_miles')
    expect(away).toEqual(away.toSorted((a, b) => Number(a) - Number(b)))
    expect(away.every((miles) => Number(miles) <= 30)).toBe(true)
    expect(Math.max(...away.map(Number))).toBeGreaterThan(1)
    for (const comp of many) {
      expect(Object.keys(comp).toSorted()).toEqual(['address', 'bedrooms', 'distance_miles', ...own].toSorted())
      const day = comp['leased_on'] ?? comp['sold_on']
      if (type !== 'short_term') expect(typeof day === 'string' && day <= dayFromNow(0)).toBe(true)
    }
    expect(await comps({ type })).toEqual(many.slice(0, 20))
    expect(await comps({ type, limit: 1 })).toEqual(many.slice(0, 1))
    const answer = await desk.call('get_property_comps', { property_id: 'h-25as', type, limit: 1 })
    expect(answer).toMatchObject({ property_id: 'h-25as', type })
  })

  test('of a vacation rental leave the home itself out', async () => {
    const [one, other] = await desk.rows('run_filter_preset', 'listings', {
      preset_id: 'p-257l',
      location: 'Hyde Park',
      tab: 'vacation_comps',
      limit: 2,
    })
    const near = async (home: Row | undefined) =>
      values(await comps({ property_id: home?.['property_id'], type: 'short_term', limit: 50 }), 'address')
    expect(await near(one)).not.toContain(one?.['address'])
    expect(await near(one)).toContain(other?.['address'])
    expect(await near(other)).toContain(one?.['address'])
  })
})

describe('markets', () => {
  const search = (input: Row) => desk.rows('search_markets', 'markets', input)

  test('are all cities and neighborhoods, the highest score first', async () => {
    const all = await search({})
    expect(new Set(values(all, 'market_id')).size).toBe(64)
    descending(all, 'score')
    expect(all.filter(({ type }) => type === 'city').length).toBe(16)
    for (const { type, city } of all) expect(city === null).toBe(type === 'city')
  })

  test('are filtered by state in any case, grade, revenue and occupancy', async () => {
    const all = await search({})
    keepsOnly(await search({ state: 'tx' }), all, ({ state }) => state === 'TX')
    expect(await search({ state: 'AK' })).toEqual([])
    for (const grade of ['A', 'B', 'C', 'D'])
      keepsOnly(await search({ rating_meter: [grade] }), all, ({ rating_meter }) => rating_meter === grade)
    keepsOnly(await search({ rating_meter: ['A', 'D'] }), all, ({ rating_meter }) => /[AD]/.test(String(rating_meter)))
    const revenue = Number(all[10]?.['monthly_revenue'])
    keepsOnly(await search({ min_monthly_revenue: revenue }), all, (one) => Number(one['monthly_revenue']) >= revenue)
    keepsOnly(await search({ min_occupancy: 55 }), all, ({ occupancy }) => Number(occupancy) >= 55)
    expect(await search({ min_occupancy: 0 })).toEqual(all)
    expect(await search({ min_occupancy: 100 })).toEqual([])
  })

  test('average the rentals of the types asked for', async () => {
    const types = ['single_family', 'condo', 'townhouse', 'multi_family', 'manufactured']
    const rentals = async (input: Row): Promise<number> =>
      Number((await search({ state: 'TX', ...input })).find(({ name }) => name === 'Austin')?.['rentals'] ?? 0)
    const each = await Promise.all(types.map((type) => rentals({ property_types: [type] })))
    expect(each.every((count) => count > 0)).toBe(true)
    expect(each.reduce((sum, count) => sum + count, 0)).toBe(60)
    expect(await rentals({ property_types: types })).toBe(60)
    expect(await rentals({ property_types: types.slice(0, 2) })).toBe(each[0]! + each[1]!)
  })
})

describe('presets', () => {
  const place = 'Hyde Park, Austin, TX'
  const run = (input: Row) => desk.call('run_filter_preset', { location: place, ...input })
  const listings = async (input: Row) => (await run(input))['listings'] as Row[]

  test('are listed by name with what they ask for', async () => {
    const presets = await desk.rows('list_filter_presets', 'presets', {})
    expect(presets.length).toBe(14)
    const filters = new Map(presets.map((preset) => [preset['name'], preset['filters']]))
    expect(filters.get('Everything')).toEqual({})
    expect(filters.get('Manufactured & cheap')).toEqual({ price_max: 400_000, property_type: 'manufactured' })
    expect(filters.get('Middle of the road')).toEqual({
      price_min: 200_000,
      price_max: 500_000,
      bedrooms_min: 2,
      bathrooms_min: 1,
      cash_on_cash_min: -3,
    })
    const theirs = values(await desk.rows('list_filter_presets', 'presets', {}, 'stranger'), 'preset_id')
    expect(theirs.filter((one) => values(presets, 'preset_id').includes(one))).toEqual([])
    expect(await desk.refused('run_filter_preset', { preset_id: theirs[0], location: place })).toBe('PRESET_NOT_FOUND')
  })

  test('run on a place, each finds what it asks for', async () => {
    const all = await listings({ preset_id: 'p-257l', limit: 100 })
    expect(all.length).toBe(40)
    const typed: unknown[] = []
    for (const { preset_id, name, filters } of await desk.rows('list_filter_presets', 'presets', {})) {
      const answer = await run({ preset_id, limit: 100 })
      expect(answer).toMatchObject({ preset: name, location: place, tab: 'investment' })
      const found = answer['listings'] as Row[]
      const { price_min, price_max, bedrooms_min, bathrooms_min, cash_on_cash_min, property_type } = filters as Row
      const fits = all.filter(
        ({ price, bedrooms, bathrooms, cash_on_cash }) =>
          Number(price) >= Number(price_min ?? 0) &&
          Number(price) <= Number(price_max ?? Infinity) &&
          Number(bedrooms) >= Number(bedrooms_min ?? 0) &&
          Number(bathrooms) >= Number(bathrooms_min ?? 0) &&
          Number(cash_on_cash) >= Number(cash_on_cash_min ?? -Infinity),
      )
      if (property_type === undefined) expect(found, String(name)).toEqual(fits)
      else {
        expect(found.length).toBeLessThan(fits.length)
        expect(fits.filter((home) => ids(found).includes(home['property_id']))).toEqual(found)
        typed.push(...ids(found))
      }
    }
    expect(typed.length).toBeGreaterThan(10)
    expect(new Set(typed).size).toBe(typed.length)
  })

  test.each([
    ['vacation_comps', 'vacation'],
    ['rental_comps', 'traditional'],
  ])('run on the tab %s show homes let that way, the highest revenue first', async (tab, strategy) => {
    const found = await listings({ preset_id: 'p-257l', tab, limit: 100 })
    const sale = await listings({ preset_id: 'p-257l', tab: 'investment', limit: 100 })
    expect(found.length).toBeGreaterThan(10)
    expect(ids(found).filter((one) => ids(sale).includes(one))).toEqual([])
    const revenues: number[] = []
    for (const { property_id, cash_on_cash, cap_rate } of found.slice(0, 5)) {
      const analysis = await desk.call('get_property_analysis', { property_id, strategy })
      expect(analysis[strategy]).toMatchObject({ cash_on_cash, cap_rate })
      revenues.push(Number((analysis[strategy] as Row)['monthly_revenue']))
    }
    expect(revenues).toEqual(revenues.toSorted((a, b) => b - a))
  })

  test('give 25 homes by default, or as many as asked for, in a city too', async () => {
    const city = { preset_id: 'p-257l', location: 'austin, tx' }
    const many = await listings({ ...city, limit: 100 })
    expect(many.length).toBe(100)
    expect(await listings(city)).toEqual(many.slice(0, 25))
    expect(await listings({ ...city, limit: 1 })).toEqual(many.slice(0, 1))
    expect(await run({ ...city, limit: 1 })).toMatchObject({ location: 'Austin, TX' })
  })

  test.each([
    ['p-257l', 'Downtown', 'PLACE_AMBIGUOUS'],
    ['p-257l', 'Nowhere', 'PLACE_UNKNOWN'],
    ['p-257l', ' ', 'FIELD_INVALID'],
    ['p-none', 'Zilker', 'PRESET_NOT_FOUND'],
  ])('%s on %j is refused by the app: %s', async (preset_id, location, code) => {
    expect(await desk.refused('run_filter_preset', { preset_id, location })).toBe(code)
  })

  test('run on a name that one place has, without its city', async () => {
    expect(await run({ preset_id: 'p-257l', location: 'hyde park', limit: 1 })).toMatchObject({ location: place })
  })
})
