import { afterAll, beforeAll, expect, test } from 'vitest'
import { AppCaller } from './app-caller.ts'
import type { Row } from './app-caller.ts'

let desk: AppCaller
beforeAll(async () => {
  desk = await AppCaller.open('real-estate-analytics')
})
afterAll(() => desk.sandbox.close())

const austin = { cities: ['Austin, TX'] }

test('inputs of reads are accepted up to their bounds and not beyond', () => {
  const cases: [string, Row[], Row[]][] = [
    [
      'find_properties',
      [
        { miles: 1 },
        { miles: 500 },
        { budget_min: 0 },
        { budget_max: 999_999_999 },
        { bedrooms: 1 },
        { bedrooms: 5 },
        { bathrooms: 1 },
        { bathrooms: 5 },
        { rental_strategy: 'vacation' },
        { rental_strategy: 'traditional' },
        { cities: Array.from({ length: 50 }, () => 'x'.repeat(100)) },
      ].map((one) => ({ ...austin, ...one })),
      [
        { miles: 0 },
        { miles: 501 },
        { miles: 1.5 },
        { budget_min: -1 },
        { budget_max: 1_000_000_000 },
        { bedrooms: 0 },
        { bedrooms: 6 },
        { bathrooms: 0 },
        { bathrooms: 6 },
        { bathrooms: 1.5 },
        { rental_strategy: 'both' },
        { cities: [] },
        { cities: [''] },
        { cities: 'Austin, TX' },
        { cities: Array.from({ length: 51 }, () => 'x') },
        { cities: ['x'.repeat(101)] },
        { cities: undefined },
      ].map((one) => ({ ...austin, ...one })),
    ],
    [
      'run_filter_preset',
      [{ limit: 1 }, { limit: 100 }, { tab: 'investment' }, { tab: 'vacation_comps' }, { tab: 'rental_comps' }].map(
        (one) => ({ preset_id: 'p', location: 'x', ...one }),
      ),
      [{ limit: 0 }, { limit: 101 }, { tab: 'buy' }, { location: '' }, { location: undefined }].map((one) => ({
        preset_id: 'p',
        location: 'x',
        ...one,
      })),
    ],
    [
      'get_property_analysis',
      ['vacation', 'traditional', 'both'].map((strategy) => ({ property_id: 'h', strategy })),
      [{}, { property_id: '' }, { property_id: 'h', strategy: 'nightly' }],
    ],
    [
      'get_property_comps',
      [{ limit: 1 }, { limit: 50 }, { type: 'long_term' }, { type: 'sales' }].map((one) => ({
        property_id: 'h',
        type: 'short_term',
        ...one,
      })),
      [{ limit: 0 }, { limit: 51 }, { type: 'sold' }, { type: undefined }].map((one) => ({
        property_id: 'h',
        type: 'short_term',
        ...one,
      })),
    ],
    [
      'search_markets',
      [
        {},
        { state: 'TX' },
        { rating_meter: ['A', 'B', 'C', 'D'] },
        { min_occupancy: 0 },
        { min_occupancy: 100 },
        { min_monthly_revenue: 0 },
        { property_types: ['single_family', 'condo', 'townhouse', 'multi_family', 'manufactured'] },
      ],
      [
        { state: 'TEX' },
        { state: 'T' },
        { rating_meter: ['E'] },
        { rating_meter: [] },
        { min_occupancy: -1 },
        { min_occupancy: 101 },
        { min_occupancy: 50.5 },
        { min_monthly_revenue: -1 },
        { property_types: ['SFR'] },
        { property_types: [] },
      ],
    ],
    ['list_filter_presets', [{}], [{ limit: 1 }]],
  ]
  for (const [name, good, bad] of cases) {
    for (const input of good) expect(desk.takes(name, input), `${name} ${JSON.stringify(input)}`).toBe(true)
    for (const input of bad) expect(desk.takes(name, input), `${name} ${JSON.stringify(input)}`).toBe(false)
  }
})

test('inputs of lists and writes are accepted up to their bounds and not beyond', () => {
  const home = (more: Row) => ({ property_id: 'h', ...more })
  const address = (more: Row) => ({ address: 'x', ...more })
  const alert = (more: Row) => ({ location: 'x', email_frequency: 'daily', ...more })
  const filtered = (filters: Row) => alert({ filters })
  const list: [Row[], Row[]] = [
    [{}, { limit: 1 }, { limit: 100 }],
    [{ limit: 0 }, { limit: 101 }, { cursor: 'made-up' }],
  ]
  const cases: [string, Row[], Row[]][] = [
    ['list_saved_homes', ...list],
    ['list_property_alerts', ...list],
    [
      'save_home',
      [home({ rating: 1 }), home({ rating: 5 }), home({ note: 'x'.repeat(1000) })],
      [{}, home({ rating: 0 }), home({ rating: 6 }), home({ rating: 2.5 }), home({ note: 'x'.repeat(1001) })],
    ],
    ['remove_saved_home', [home({})], [{}, home({ rating: 1 })]],
    [
      'download_property_report',
      [home({ company_name: 'x'.repeat(80) }), home({ logo_url: 'x'.repeat(500) })],
      [{}, home({ company_name: '' }), home({ company_name: 'x'.repeat(81) }), home({ logo_url: 'x'.repeat(501) })],
    ],
    [
      'analyze_unlisted_property',
      [
        { address: 'x'.repeat(200) },
        ...[{ price: 10_000 }, { bedrooms: 0 }, { bedrooms: 12 }, { bathrooms: 1 }, { bathrooms: 12 }].map(address),
      ],
      [
        {},
        { address: '' },
        { address: 'x'.repeat(201) },
        ...[{ price: 9999 }, { price: 10_000.5 }, { bedrooms: -1 }, { bedrooms: 13 }, { bathrooms: 0 }].map(address),
        ...[{ bathrooms: 13 }, { bathrooms: 1.5 }, { property_type: 'SFR' }].map(address),
      ],
    ],
    [
      'export_neighborhood_data',
      [{ preset_id: 'p' }, { preset_id: 'p', location: 'x'.repeat(200) }],
      [{}, { preset_id: 'p', location: '' }, { preset_id: 'p', location: 'x'.repeat(201) }],
    ],
    [
      'create_property_alert',
      [...['daily', 'weekly', 'monthly'].map((email_frequency) => alert({ email_frequency })), filtered({})],
      [
        { location: 'x' },
        { email_frequency: 'daily' },
        alert({ email_frequency: 'day' }),
        alert({ location: '' }),
        ...[{ price_min: -1 }, { price_max: 1_000_000_000 }, { bedrooms_min: 0 }, { bedrooms_min: 6 }].map(filtered),
        ...[{ bathrooms_min: 0 }, { bathrooms_min: 6 }, { cash_on_cash_min: -100.01 }].map(filtered),
        ...[{ cash_on_cash_min: 100.01 }, { property_type: 'CND' }, { surprise: 1 }].map(filtered),
      ],
    ],
  ]
  for (const [name, good, bad] of cases) {
    for (const input of good) expect(desk.takes(name, input), `${name} ${JSON.stringify(input)}`).toBe(true)
    for (const input of bad) expect(desk.takes(name, input), `${name} ${JSON.stringify(input)}`).toBe(false)
  }
})
