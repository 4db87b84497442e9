import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { dayFromNow, values } from './app-caller.ts'
import type { AppCaller, Row } from './app-caller.ts'
import { Traveller } from './travel-log-traveller.ts'

let me: Traveller
let log: AppCaller
beforeAll(async () => {
  me = await Traveller.open()
  log = me.caller
})
beforeEach(() => log.sandbox.reset())
afterAll(() => log.sandbox.close())

/** On the demo user's clocks, which show UTC. */
const today = () => dayFromNow(0)
const privacies = ['only_me', 'followers', 'everyone']

describe('trips', () => {
  test('are listed newest first, 50 by default, and all 74 within the highest limit', async () => {
    const all = await me.trips({ limit: 100 })
    expect(all.length).toBe(74)
    const order = all.map(({ start_date, trip_id }) => `${String(start_date)} ${String(trip_id).padStart(9, '0')}`)
    expect(order).toEqual(order.toSorted().toReversed())
    expect(new Set(values(all, 'trip_id')).size).toBe(74)
    expect(new Set(values(all, 'privacy'))).toEqual(new Set(privacies))
    expect(await me.trips({})).toEqual(all.slice(0, 50))
    expect(await me.trips({ limit: 1 })).toEqual(all.slice(0, 1))
    expect(await me.trips({ status: 'all', limit: 7 })).toEqual(all.slice(0, 7))
  })

  test('are filtered by status, by today: each is planned, ongoing or past', async () => {
    const all = await me.trips({ limit: 100 })
    const status = ({ start_date, end_date }: Row) => {
      if (String(start_date) > today()) return 'planned'
      return typeof end_date === 'string' && end_date < today() ? 'past' : 'ongoing'
    }
    const counts = { planned: 7, ongoing: 5, past: 62 }
    for (const [name, count] of Object.entries(counts)) {
      const found = await me.trips({ status: name, limit: 100 })
      expect(found).toEqual(all.filter((trip) => status(trip) === name))
      expect(found.length).toBe(count)
    }
    const ends = values(await me.trips({ status: 'ongoing' }), 'end_date')
    expect(ends).toContain(null)
    expect(ends.some((end) => end !== null)).toBe(true)
  })

  test('show in full as in the list, with the countries in the order of the way', async () => {
    const all = await me.trips({ limit: 100 })
    for (const trip_id of ['trip_1000056', 'trip_1000023', 'trip_1000066', 'trip_1000071']) {
      const trip = await log.call('get_trip', { trip_id })
      const { summary, travel_buddies, countries, ...row } = trip
      expect(row).toEqual(all.find((one) => one['trip_id'] === trip_id))
      const steps = await me.steps(trip_id)
      expect(steps.length).toBe(row['steps'])
      const known = steps.map(({ country }) => country).filter((country) => country !== null)
      expect(countries).toEqual([...new Set(known)])
      expect(typeof summary).toBe('string')
      expect(Array.isArray(travel_buddies)).toBe(true)
    }
    expect(await log.call('get_trip', { trip_id: 'trip_1000023' })).toMatchObject({
      travel_buddies: ['Zoë Łukasiewicz', 'מאיה כהן', 'نور الهدى'],
      countries: ['Singapore', 'Japan'],
    })
  })

  test('are added up in the stats', async () => {
    const all = await me.trips({ limit: 100 })
    const stats = await log.call('get_travel_stats', {})
    const sum = (key: string) => all.reduce((total, trip) => total + Number(trip[key]), 0)
    expect(stats).toMatchObject({ trips: 74, steps: sum('steps') })
    expect(stats['distance_km']).toBeCloseTo(sum('distance_km'), 3)
    const details = await Promise.all(values(all, 'trip_id').map((trip_id) => log.call('get_trip', { trip_id })))
    expect(stats['countries']).toBe(new Set(details.flatMap(({ countries }) => countries as string[])).size)
  })

  test('begin alone and open-ended by default', async () => {
    const made = await log.call('create_trip', { name: ' رحلة & <b>', start_date: '1999-12-31' })
    const { trip_id } = made
    const wanted = { name: ' رحلة & <b>', start_date: '1999-12-31', end_date: null, privacy: 'only_me', steps: 0 }
    expect(made).toEqual({ trip_id, ...wanted })
    const rest = { distance_km: 0, summary: '', travel_buddies: [], countries: [] }
    expect(await log.call('get_trip', { trip_id })).toEqual({ ...made, ...rest })
    expect((await me.trips({ status: 'ongoing', limit: 100 })).at(-1)).toMatchObject({ trip_id })
    expect(await log.call('get_travel_stats', {})).toMatchObject({ trips: 75 })
    expect(await me.actions()).toEqual(['journey.create'])
  })

  test.each(privacies)('begin with all that is given, for %s', async (privacy) => {
    const input = { name: 'Ōta & <b>', start_date: dayFromNow(1), end_date: dayFromNow(1), privacy }
    const made = await log.call('create_trip', { ...input, summary: 'a\r\n\n b 😀' })
    expect(made).toMatchObject(input)
    const { trip_id } = made
    expect(await log.call('get_trip', { trip_id })).toMatchObject({ ...input, summary: 'a\r\n\n b 😀' })
    expect(values(await me.trips({ status: 'planned' }), 'trip_id')).toContain(trip_id)
    const open = await log.call('create_trip', { ...input, end_date: '' })
    expect(open).toMatchObject({ end_date: null, start_date: input.start_date })
    expect(await me.told(trip_id)).toEqual([])
  })

  test.each(privacies)('from %s change to any privacy, the same too, and nobody is told', async (from) => {
    const trip_id = await me.trip(from)
    for (const privacy of privacies) {
      expect(await log.call('set_trip_privacy', { trip_id, privacy })).toEqual({ trip_id, privacy })
      expect(await log.call('get_trip', { trip_id })).toMatchObject({ privacy })
      await log.call('set_trip_privacy', { trip_id, privacy: from })
    }
    expect(await me.told(trip_id)).toEqual([])
    expect(await me.actions()).toEqual(['journey.create', ...Array.from({ length: 6 }, () => 'journey.audience')])
  })
})

describe('an export', () => {
  const trip_id = 'trip_1000057'
  const kinds = [
    { format: 'json', type: 'application/json', count: (text: string) => text.split('"entry":').length - 1 },
    { format: 'gpx', type: 'application/gpx+xml', count: (text: string) => text.split('<rtept ').length },
    { format: 'markdown', type: 'text/markdown', count: (text: string) => text.split('\n## ').length - 1 },
  ]

  test.each(kinds)('as $format is a link that opens without a session', async ({ format, type, count }) => {
    const before = Date.now()
    const made = await log.call('export_trip', { trip_id, format })
    expect(made).toMatchObject({ trip_id, format, steps: 6 })
    const good = Date.parse(String(made['expires_at'])) - before
    expect(good).toBeGreaterThan(3_598_000)
    expect(good).toBeLessThan(3_615_000)
    const response = await fetch(String(made['download_url']))
    expect(response.headers.get('content-type')).toContain(type)
    // One of its steps is at a place without a pin.
    expect(count(await response.text())).toBe(6)
    expect(await me.actions()).toEqual([])
  })

  test.each(kinds)('as $format with media is a zip', async ({ format }) => {
    const { download_url } = await log.call('export_trip', { trip_id, format, include_media: true })
    const response = await fetch(String(download_url))
    expect(response.headers.get('content-type')).toBe('application/zip')
    expect((await response.text()).slice(0, 2)).toBe('PK')
  })

  test('is JSON without media by default', async () => {
    const plain = await log.call('export_trip', { trip_id })
    const same = await log.call('export_trip', { trip_id, format: 'json', include_media: false })
    expect(plain).toMatchObject({ format: 'json', download_url: same['download_url'] })
  })
})

test.each([
  ['create_trip', { name: '  ', start_date: '2026-03-01' }, 'FIELD_REQUIRED'],
  ['create_trip', { name: 'x', start_date: '1899-12-31' }, 'DAY_INVALID'],
  ['create_trip', { name: 'x', start_date: '2101-01-01' }, 'DAY_INVALID'],
  ['create_trip', { name: 'x', start_date: '2026-03-02', end_date: '2026-03-01' }, 'DAYS_BACKWARDS'],
])('%s %j is refused by the app', async (name, input, code) => {
  expect(await log.refused(name, input)).toBe(code)
  expect(await me.actions()).toEqual([])
})

const date = '2026-03-01T08:00:00Z'
test.each([
  ['get_trip', 'trip_id', {}, 'JOURNEY_NOT_FOUND'],
  ['export_trip', 'trip_id', {}, 'JOURNEY_NOT_FOUND'],
  ['list_steps', 'trip_id', {}, 'JOURNEY_NOT_FOUND'],
  ['add_step', 'trip_id', { place: 'Paris', date }, 'JOURNEY_NOT_FOUND'],
  ['import_steps', 'trip_id', { steps: [{ place: 'Paris', date }] }, 'JOURNEY_NOT_FOUND'],
  ['set_trip_privacy', 'trip_id', { privacy: 'everyone' }, 'JOURNEY_NOT_FOUND'],
  ['get_step', 'step_id', {}, 'ENTRY_NOT_FOUND'],
  ['list_step_comments', 'step_id', {}, 'ENTRY_NOT_FOUND'],
  ['update_step', 'step_id', { title: 'x' }, 'ENTRY_NOT_FOUND'],
  ['add_step_photos', 'step_id', { photo_urls: ['https://pics.example/a.jpg'] }, 'ENTRY_NOT_FOUND'],
  ['reply_to_step_comment', 'comment_id', { body: 'x' }, 'REMARK_NOT_FOUND'],
])('%s finds nothing made up, nor of another traveller', async (name, key, input, code) => {
  const kind = key.replace('_id', '')
  for (const id of ['none', '1000040', `${kind}_7`, `${kind}_1000040.0`, `${kind}_01000040`, 'reply_1000040'])
    expect(await log.refused(name, { [key]: id, ...input }), id).toBe(code)
  expect(await log.refused(name, { [key]: `${kind}_1000040`, ...input }, 'stranger')).toBe(code)
  expect(await me.actions()).toEqual([])
})

test('another traveller has trips and stats of their own', async () => {
  const theirs = await me.trips({ limit: 100 }, 'stranger')
  const mine = new Set(values(await me.trips({ limit: 100 }), 'trip_id'))
  expect(theirs.length).toBe(74)
  expect(values(theirs, 'trip_id').some((trip_id) => mine.has(trip_id))).toBe(false)
  const before = await log.call('get_travel_stats', {}, 'stranger')
  await log.call('add_step', { trip_id: await me.trip('everyone'), place: 'Paris', date })
  expect(await log.call('get_travel_stats', {}, 'stranger')).toEqual(before)
  expect(await me.trips({ limit: 100 }, 'stranger')).toEqual(theirs)
})

test('what others get to see or hear of waits for approval', () => {
  const waits = [...log.app.endpoints.values()].filter(({ confirm }) => confirm).map(({ name }) => name)
  const writes = [...log.app.endpoints.values()].filter(({ access }) => access === 'write')
  expect(waits.toSorted()).toEqual(writes.map(({ name }) => name).toSorted())
})
