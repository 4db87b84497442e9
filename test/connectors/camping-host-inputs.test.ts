import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AppCaller, dayFromNow } from './app-caller.ts'
import type { Row } from './app-caller.ts'

let host: AppCaller
beforeAll(async () => {
  host = await AppCaller.open('camping-host')
})
afterAll(() => host.sandbox.close())

const listing_id = 'L100001'

describe('inputs', () => {
  const long = (length: number) => 'é'.repeat(length)
  const span = { listing_id, from: '2026-02-28', to: '2028-02-29' }
  const price = { listing_id, dates: ['2026-02-28'], nightly_price: 1 }
  const days = (count: number) => Array.from({ length: count }, (_, at) => dayFromNow(at))
  const spans: [Row[], Row[]] = [
    [span, { ...span, site_id: 'P1' }],
    [{ listing_id }, { ...span, from: '2026-02-29' }, { ...span, to: '1/2/2026' }, { ...span, listing_id: '' }],
  ]
  const answers: [Row[], Row[]] = [
    [{ booking_id: 'S1' }, { booking_id: 'S1', message: long(1000) }],
    [{}, { booking_id: 'S1', message: '' }, { booking_id: 'S1', message: long(1001) }],
  ]
  const talk = { conversation_id: 'C1', message: 'x' }
  const reply = { review_id: 'R1', response: 'x', visibility: 'public' }

  test.each<[string, Row[], Row[]]>([
    ['list_listings', [{}], [{ limit: 1 }]],
    [
      'list_bookings',
      [
        {},
        ...['upcoming', 'current', 'past', 'cancelled'].map((status) => ({ status })),
        { from: '2026-02-28', to: '2026-01-01', listing_id },
      ],
      [{ status: 'all' }, { from: '2026-02-29' }, { to: 'today' }, { listing_id: '' }, { limit: 1 }],
    ],
    ['list_booking_requests', [{}, { listing_id }], [{ listing_id: 1 }]],
    ['get_booking', [{ booking_id: 'S1' }], [{}, { booking_id: '' }]],
    ['get_calendar', ...spans],
    ['block_dates', ...spans],
    ['unblock_dates', ...spans],
    [
      'update_pricing',
      [price, { ...price, nightly_price: null }, { ...price, nightly_price: 1e7 }, { ...price, dates: days(366) }],
      [
        { ...price, nightly_price: 0 },
        { ...price, nightly_price: -1 },
        { ...price, nightly_price: 1e7 + 1 },
        { ...price, dates: [] },
        { ...price, dates: days(367) },
        { ...price, dates: ['2026-02-28', '2026-02-28'] },
        { ...price, dates: ['2026-02-29'] },
        { listing_id, dates: price.dates },
      ],
    ],
    ['accept_booking_request', ...answers],
    ['decline_booking_request', ...answers],
    [
      'list_messages',
      [{}, ...['unread', 'pending', 'future', 'past', 'questions'].map((filter) => ({ filter })), { booking_id: 'S1' }],
      [{ filter: 'all' }, { booking_id: '' }],
    ],
    [
      'send_message',
      [talk, { ...talk, message: long(2000) }],
      [{ ...talk, message: '' }, { ...talk, message: long(2001) }, { message: 'x' }],
    ],
    [
      'list_reviews',
      [{}, { responded: true }, { responded: false, since: '2026-02-28', listing_id }],
      [{ responded: 'no' }, { since: 'x' }],
    ],
    [
      'respond_to_review',
      [reply, { ...reply, visibility: 'private' }, { ...reply, response: long(2000) }],
      [
        { ...reply, visibility: 'both' },
        { ...reply, response: '' },
        { ...reply, response: long(2001) },
        { review_id: 'R1', response: 'x' },
      ],
    ],
    ['list_payouts', [{}, { since: '2026-02-28' }], [{ since: '2026-02-30' }]],
  ])('of %s are accepted up to their bounds and not beyond', (name, good, bad) => {
    for (const input of good) expect(host.takes(name, input), JSON.stringify(input).slice(0, 200)).toBe(true)
    for (const input of bad) expect(host.takes(name, input), JSON.stringify(input).slice(0, 200)).toBe(false)
  })
})
