import { afterAll, beforeAll, expect, test } from 'vitest'
import { AppCaller } from './app-caller.ts'
import type { Row } from './app-caller.ts'
import { cursorKey } from './local-app.ts'

let log: AppCaller
beforeAll(async () => {
  log = await AppCaller.open('travel-log')
})
afterAll(() => log.sandbox.close())

const urls = (count: number) => Array.from({ length: count }, (_, at) => `https://pics.example/${at}.jpg`)
const long = (length: number) => '😀'.repeat(length)
const date = '2026-03-01T08:00:00+09:00'
const trip = (more: Row) => ({ name: 'x', start_date: '2026-03-01', ...more })
const step = (more: Row) => ({ place: 'x', date, ...more })
const added = (more: Row) => ({ trip_id: 'trip_1000064', ...step(more) })
const imported = (steps: unknown) => ({ trip_id: 'trip_1000064', steps })
const updated = (more: Row) => ({ step_id: 'step_1000020', ...more })
const photos = (photo_urls: unknown) => ({ step_id: 'step_1000020', photo_urls })

const cases: [string, Row[], Row[]][] = [
  [
    'list_trips',
    [{}, { limit: 1 }, { limit: 100 }, ...['all', 'planned', 'ongoing', 'past'].map((status) => ({ status }))],
    [{ limit: 0 }, { limit: 101 }, { limit: 1.5 }, { status: 'underway' }, { cursor: 'x' }],
  ],
  ['get_trip', [{ trip_id: '1' }], [{}, { trip_id: '' }, { trip_id: 1 }, { trip_id: '1/2' }]],
  [
    'list_steps',
    [{ trip_id: '1' }, { trip_id: '1', since: '2024-02-29' }],
    [{}, { trip_id: '1', since: '2023-02-29' }, { trip_id: '1', since: date }, { trip_id: '1', limit: 1 }],
  ],
  ['get_step', [{ step_id: '1' }], [{}, { step_id: '' }]],
  ['list_step_comments', [{ step_id: '1' }], [{}, { step_id: '' }, { step_id: '1', limit: 1 }]],
  ['get_travel_stats', [{}], [{ trip_id: '1' }]],
  [
    'export_trip',
    [
      { trip_id: '1', include_media: true },
      ...['json', 'gpx', 'markdown'].map((format) => ({ trip_id: '1', format, include_media: false })),
    ],
    [{}, { trip_id: '1', format: 'md' }, { trip_id: '1', include_media: 'yes' }],
  ],
  [
    'create_trip',
    [
      trip({ name: long(200), summary: long(10_000) }),
      trip({ end_date: '2026-03-01', summary: '' }),
      trip({ end_date: '' }),
      ...['only_me', 'followers', 'everyone'].map((privacy) => trip({ privacy })),
    ],
    [
      { name: 'x' },
      { start_date: '2026-03-01' },
      trip({ name: '' }),
      trip({ name: long(201) }),
      trip({ summary: long(10_001) }),
      trip({ start_date: '' }),
      trip({ start_date: '2026-02-29' }),
      trip({ end_date: 'never' }),
      trip({ privacy: 'friends' }),
    ],
  ],
  [
    'add_step',
    [
      added({}),
      added({ place: long(200), title: long(200), story: long(20_000), photo_urls: urls(50) }),
      added({ story: '', photo_urls: [], date: '2026-03-01T08:00:00Z' }),
    ],
    [
      { trip_id: '1', place: 'x' },
      { trip_id: '1', date },
      step({}),
      added({ place: '' }),
      added({ place: long(201) }),
      added({ title: '' }),
      added({ title: long(201) }),
      added({ story: long(20_001) }),
      added({ photo_urls: urls(51) }),
      added({ photo_urls: [`https://a.example/${'x'.repeat(1983)}`] }),
      added({ photo_urls: 'https://a.example/a.jpg' }),
      added({ date: '2026-03-01T08:00:00' }),
      added({ date: '2026-03-01' }),
    ],
  ],
  [
    'import_steps',
    [imported([step({})]), imported(Array.from({ length: 100 }, () => step({}))), imported([step({ photo_urls: [] })])],
    [
      imported([]),
      imported(Array.from({ length: 101 }, () => step({}))),
      imported([{ place: 'x' }]),
      imported([step({ trip_id: '1' })]),
      imported([step({}), step({ title: '' })]),
      { trip_id: '1' },
      { steps: [step({})] },
    ],
  ],
  [
    'update_step',
    [
      updated({ title: long(200), story: long(20_000), place: long(200), date }),
      updated({ story: '' }),
      updated({ title: 'x' }),
    ],
    [
      { title: 'x' },
      updated({ title: '' }),
      updated({ title: long(201) }),
      updated({ story: long(20_001) }),
      updated({ place: '' }),
      updated({ place: long(201) }),
      updated({ date: '2026-03-01' }),
      updated({ title: 'x', photo_urls: [] }),
      updated({}),
    ],
  ],
  [
    'add_step_photos',
    [photos(urls(1)), photos(urls(50)), photos([`https://a.example/${'x'.repeat(1982)}`])],
    [photos([]), photos(urls(51)), photos([`https://a.example/${'x'.repeat(1983)}`]), { step_id: '1' }],
  ],
  [
    'reply_to_step_comment',
    [
      { comment_id: 'comment_1000003', body: 'x' },
      { comment_id: 'comment_1000003', body: long(2000) },
    ],
    [{ comment_id: '1' }, { body: 'x' }, { comment_id: '1', body: '' }, { comment_id: '1', body: long(2001) }],
  ],
  [
    'set_trip_privacy',
    ['only_me', 'followers', 'everyone'].map((privacy) => ({ trip_id: 'trip_1000065', privacy })),
    [{ trip_id: '1' }, { privacy: 'only_me' }, { trip_id: '1', privacy: 'world' }],
  ],
]

test.each(cases)('the inputs of %s are accepted up to their bounds and not beyond', (name, good, bad) => {
  for (const input of good) expect(log.takes(name, input), JSON.stringify(input).slice(0, 200)).toBe(true)
  for (const input of bad) expect(log.takes(name, input), JSON.stringify(input).slice(0, 200)).toBe(false)
})

test('the last day of a trip is a day or nothing, and a refusal says so', () => {
  const parsed = log.app.endpoints.get('create_trip')!.parseInput(trip({ end_date: 'ongoing' }), { cursorKey })
  const message = 'must be a day that exists, written YYYY-MM-DD or a text of at most 0 characters'
  expect(parsed).toEqual({ ok: false, details: [{ path: 'end_date', message }] })
})

const writes = cases.filter(([name]) => !/^(list|get|export)_/.test(name))
test.each(writes)('what %s takes, at its bounds, the app takes too', async (name, good) => {
  for (const input of good) await log.call(name, input)
  expect(good.length).toBeGreaterThan(0)
})
