import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { values } from './app-caller.ts'
import type { AppCaller, Row } from './app-caller.ts'
import { exchanged } from './local-app.ts'
import { Traveller } from './travel-log-traveller.ts'

let me: Traveller
let log: AppCaller
beforeAll(async () => {
  me = await Traveller.open()
  log = me.caller
})
beforeEach(() => log.sandbox.reset())
afterAll(() => log.sandbox.close())

const date = '2026-03-01T08:30:00+09:00'
const urls = (count: number) => Array.from({ length: count }, (_, at) => `https://pics.example/${at}.jpg`)
const times = (rows: readonly Row[], key: string) => values(rows, key).map((time) => Date.parse(String(time)))
const ordered = (list: readonly number[]) => list.toSorted((a, b) => a - b)

describe('the steps of a trip', () => {
  test('come whole, in the order of the trip, by the clocks of each place', async () => {
    const steps = await me.steps('trip_1000056')
    expect(steps.length).toBe(90)
    expect(new Set(values(steps, 'step_id')).size).toBe(90)
    expect(times(steps, 'date')).toEqual(ordered(times(steps, 'date')))
    const offsets = new Set(values(steps, 'date').map((at) => String(at).slice(19)))
    for (const offset of ['+05:45', '+05:30', '+09:00', '-10:00']) expect(offsets).toContain(offset)
    expect(await me.steps('trip_1000071')).toEqual([])
  })

  test('are those of a day and later with since', async () => {
    const all = await me.steps('trip_1000056')
    for (const { date: at } of [all[10]!, all[50]!]) {
      const since = String(at).slice(0, 10)
      const found = await me.steps('trip_1000056', { since })
      expect(found).toEqual(all.filter((step) => String(step['date']).slice(0, 10) >= since))
      expect(found.length).toBeGreaterThan(0)
      expect(found.length).toBeLessThan(90)
    }
    for (const since of ['2100-12-31', '9999-12-31']) expect(await me.steps('trip_1000056', { since })).toEqual([])
    for (const since of ['0000-01-01', '0001-01-01', '1899-12-31'])
      expect(await me.steps('trip_1000056', { since })).toEqual(all)
  })

  test('show in full as in the list', async () => {
    const trips = ['trip_1000001', 'trip_1000014', 'trip_1000030', 'trip_1000037']
    const rows = (await Promise.all(trips.map((trip) => me.steps(trip)))).flat()
    for (const row of rows) {
      const step = await log.call('get_step', { step_id: row['step_id'] })
      const { title, place, date: at } = row
      expect(step).toMatchObject({ title, place, date: at })
      const media = step['media'] as string[]
      expect(row['photos']).toBe(media.filter((url) => !/\.(mp4|mov)$/.test(url)).length)
      expect(step['coordinates'] === null).toBe(row['country'] === null)
      const story = String(step['story'])
      expect(row['story']).toBe(story.length > 140 ? `${story.slice(0, 139)}…` : story)
    }
    expect(values(rows, 'country')).toContain(null)
    expect(rows.some(({ photos }) => photos === 0)).toBe(true)
    expect(rows.some(({ story }) => story === '')).toBe(true)
  })
})

describe('add_step', () => {
  test.each([
    ['Kyoto', 'Kyoto', 'Japan', { lat: 35.0116, lon: 135.7681 }],
    ['sao tome, nowhere', 'sao tome, nowhere', null, null],
    ['REYKJAVIK, IS', 'REYKJAVIK, IS', 'Iceland', { lat: 64.1466, lon: -21.9426 }],
    ['64.15,-21.95', 'Reykjavík', 'Iceland', { lat: 64.15, lon: -21.95 }],
    [' -45.5 , +170.123456 ', '-45.500000, 170.123456', null, { lat: -45.5, lon: 170.123456 }],
    ['-90,180', '-90.000000, 180.000000', null, { lat: -90, lon: 180 }],
    ['0,-0', '0.000000, 0.000000', null, { lat: 0, lon: 0 }],
  ])('takes the place %j', async (place, label, country, coordinates) => {
    const trip_id = await me.trip()
    const made = await log.call('add_step', { trip_id, place, date })
    const { step_id } = made
    expect(made).toEqual({ step_id, trip_id, title: label, story: '', place: label, coordinates, date, media: [] })
    expect(await log.call('get_step', { step_id })).toEqual(made)
    const row = { step_id, title: label, place: label, country, date, photos: 0, comments: 0, story: '' }
    expect(await me.steps(trip_id)).toEqual([row])
    expect(await log.call('get_trip', { trip_id })).toMatchObject({ steps: 1, countries: country ? [country] : [] })
  })

  test.each([
    ['2026-07-01T08:30:00+05:45', '2026-07-01T08:30:00+05:45'],
    ['2026-07-01T23:30:59-09:30', '2026-07-01T23:30:59-09:30'],
    ['2026-07-01T08:30:00Z', '2026-07-01T08:30:00+00:00'],
    ['2026-07-01t08:30:00z', '2026-07-01T08:30:00+00:00'],
    ['2026-07-01T08:30:00-00:00', '2026-07-01T08:30:00+00:00'],
    ['2026-07-01T08:30:59.999+14:00', '2026-07-01T08:30:59+14:00'],
    ['1969-12-31T23:59:59.5Z', '1969-12-31T23:59:59+00:00'],
    ['1900-01-01T00:00:00Z', '1900-01-01T00:00:00+00:00'],
    ['2100-12-31T23:59:59Z', '2100-12-31T23:59:59+00:00'],
  ])('keeps the moment and the clock of %s', async (at, shown) => {
    const trip_id = await me.trip()
    await log.call('add_step', { trip_id, place: 'Kyoto', date: at })
    expect(values(await me.steps(trip_id), 'date')).toEqual([shown])
    expect((await me.steps(trip_id, { since: shown.slice(0, 10) })).length).toBe(1)
  })

  test.each([
    ['only_me', 0],
    ['followers', 8],
    ['everyone', 8],
  ])('with all that it takes, to a trip for %s, is told to %i followers', async (privacy, count) => {
    const trip_id = await me.trip(privacy)
    const texts = { title: '京都 & <b>', story: 'a\r\n\n b 😀' }
    const photo_urls = ['https://pics.example/a.JPG?x=1', 'http://pics.example/b.mp4', 'https://pics.example/a.JPG?x=1']
    const made = await log.call('add_step', { trip_id, place: 'Kyoto', date, ...texts, photo_urls })
    expect(made).toMatchObject({ ...texts, media: photo_urls })
    expect(await me.steps(trip_id)).toMatchObject([{ ...texts, photos: 2 }])
    expect((await me.told(trip_id)).length).toBe(count)
    expect(await me.actions()).toEqual(['journey.create', 'entry.add'])
  })

  test('makes the way longer', async () => {
    const trip_id = await me.trip()
    const before = await log.call('get_travel_stats', {})
    await log.call('add_step', { trip_id, place: 'Paris', date })
    await log.call('add_step', { trip_id, place: 'London', date })
    const { distance_km } = await log.call('get_trip', { trip_id })
    expect(distance_km).toBeGreaterThan(330)
    expect(distance_km).toBeLessThan(350)
    const after = await log.call('get_travel_stats', {})
    expect(after).toMatchObject({ steps: Number(before['steps']) + 2, trips: before['trips'] })
    expect(Number(after['distance_km']) - Number(before['distance_km'])).toBeCloseTo(Number(distance_km), 3)
  })

  test.each([
    [{ place: ' ' }, 'FIELD_REQUIRED'],
    [{ place: '90.1,0' }, 'NUMBER_INVALID'],
    [{ place: '0,-180.1' }, 'NUMBER_INVALID'],
    [{ title: ' ' }, 'FIELD_REQUIRED'],
    [{ date: '1899-12-31T23:59:59Z' }, 'NUMBER_INVALID'],
    [{ date: '2101-01-01T00:00:00Z' }, 'NUMBER_INVALID'],
    [{ date: '2026-03-01T00:00:00+15:00' }, 'ZONE_UNKNOWN'],
    [{ photo_urls: ['ftp://pics.example/a.jpg'] }, 'MEDIA_INVALID'],
    [{ photo_urls: ['https://pics.example/a.jpg', 'https://pics.example/missing.jpg'] }, 'MEDIA_UNREACHABLE'],
  ])('of %j is refused', async (more, code) => {
    expect(await log.refused('add_step', { trip_id: 'trip_1000064', place: 'Kyoto', date, ...more })).toBe(code)
    const steps = [
      { place: 'Kyoto', date },
      { place: 'Kyoto', date, ...more },
    ]
    expect(await log.refused('import_steps', { trip_id: 'trip_1000064', steps })).toBe(code)
    expect(await me.actions()).toEqual([])
  })

  test('are not taken with a second 60', () => {
    for (const [second, taken] of [
      ['59', true],
      ['60', false],
    ] as const) {
      const step = { place: 'Kyoto', date: `2016-12-31T23:59:${second}Z` }
      expect(log.takes('add_step', { trip_id: 'trip_1000064', ...step })).toBe(taken)
      expect(log.takes('import_steps', { trip_id: 'trip_1000064', steps: [step] })).toBe(taken)
    }
  })
})

test('import_steps takes many in any order, sorts them, and writes once to each follower', async () => {
  const trip_id = await me.trip('followers')
  const steps = Array.from({ length: 100 }, (_, at) => ({
    place: at % 2 === 0 ? 'Paris' : '35.0,135.7',
    date: `2026-03-01T${String((at * 7) % 24).padStart(2, '0')}:00:00+05:45`,
    story: `${at}`,
    photo_urls: urls(at % 3),
  }))
  const made = await log.call('import_steps', { trip_id, steps })
  expect(made).toEqual({ trip_id, steps: await me.steps(trip_id) })
  const rows = made['steps'] as Row[]
  expect(times(rows, 'date')).toEqual(ordered(times(steps, 'date')))
  const given = new Map(steps.map((step) => [step.story, step]))
  for (const { story, date: at, photos } of rows) {
    const step = given.get(String(story))
    expect({ date: at, photos }).toEqual({ date: step?.date, photos: step?.photo_urls.length })
  }
  expect((await me.told(trip_id)).length).toBe(8)

  for (let more = 0; more < 3; more++) await log.call('import_steps', { trip_id, steps })
  expect(await log.refused('import_steps', { trip_id, steps: steps.slice(0, 1) })).toBe('JOURNEY_FULL')
  expect(await log.refused('add_step', { trip_id, place: 'Paris', date })).toBe('JOURNEY_FULL')
  expect((await me.steps(trip_id)).length).toBe(400)
})

test('of many steps, the refusal says which one the app does not take', async () => {
  const steps = [{ place: 'Paris' }, { place: 'London' }, { place: ' ' }].map((step) => ({ ...step, date }))
  const { outcome } = await exchanged(log.sandbox, log.app, 'import_steps', { trip_id: 'trip_1000064', steps })
  expect(outcome).toMatchObject({ kind: 'rejected', appMessage: 'steps.2: named must not be blank.' })
  const alone = await exchanged(log.sandbox, log.app, 'add_step', { trip_id: 'trip_1000064', ...steps[2] })
  expect(alone.outcome).toMatchObject({ kind: 'rejected', appMessage: 'named must not be blank.' })
})

describe('update_step', () => {
  test.each([
    [{ title: 'Ω & <b>' }, { title: 'Ω & <b>' }],
    [{ story: 'a\r\n b' }, { story: 'a\r\n b' }],
    [{ story: '' }, { story: '' }],
    [{ place: 'Paris' }, { place: 'Paris', coordinates: { lat: 48.8566, lon: 2.3522 } }],
    [{ place: 'nowhere' }, { place: 'nowhere', coordinates: null }],
    [{ place: '1.5,2.5' }, { place: '1.500000, 2.500000', coordinates: { lat: 1.5, lon: 2.5 } }],
    [{ date: '2020-02-29T12:00:00-03:00' }, { date: '2020-02-29T12:00:00-03:00' }],
  ])('of %j changes that alone', async (change, shown) => {
    const trip_id = await me.trip('everyone')
    const input = { trip_id, place: 'Kyoto', date, title: 'Old', story: 'old', photo_urls: urls(1) }
    const old = await log.call('add_step', input)
    const { step_id } = old
    expect(await log.call('update_step', { step_id, ...change })).toEqual({ ...old, ...shown })
    expect(await log.call('get_step', { step_id })).toEqual({ ...old, ...shown })
    expect((await me.told(trip_id)).length).toBe(8)
  })

  test('with another date takes the step to its place in the order', async () => {
    const [first, ...others] = values(await me.steps('trip_1000003'), 'step_id')
    await log.call('update_step', { step_id: first, date, title: 'x', story: 'y', place: 'Paris' })
    expect(values(await me.steps('trip_1000003'), 'step_id')).toEqual([...others, first])
  })

  test('without a change, or with a blank title, is refused', async () => {
    expect(log.takes('update_step', { step_id: 'step_1000020' })).toBe(false)
    expect(await log.refused('update_step', { step_id: 'step_1000020', title: ' ' })).toBe('FIELD_REQUIRED')
    expect(await me.actions()).toEqual([])
  })
})

test('add_step_photos puts photos and videos after those there, 100 at most, and tells nobody', async () => {
  const trip_id = await me.trip('everyone')
  const step = await log.call('add_step', { trip_id, place: 'Kyoto', date, photo_urls: urls(1) })
  const { step_id } = step
  const photo_urls = ['https://pics.example/b.webm', ...urls(48)]
  const media = [...urls(1), ...photo_urls]
  expect(await log.call('add_step_photos', { step_id, photo_urls })).toEqual({ ...step, media })
  expect(await me.steps(trip_id)).toMatchObject([{ photos: 49 }])
  expect(await log.refused('add_step_photos', { step_id, photo_urls: ['https://a.example/missing'] })).toBe(
    'MEDIA_UNREACHABLE',
  )
  await log.call('add_step_photos', { step_id, photo_urls: urls(50) })
  expect(await log.refused('add_step_photos', { step_id, photo_urls: urls(1) })).toBe('MEDIA_FULL')
  expect(await log.call('get_step', { step_id })).toEqual({ ...step, media: [...media, ...urls(50)] })
  expect((await me.told(trip_id)).length).toBe(8)
})

describe('comments', () => {
  const comments = (step_id: string) => log.rows('list_step_comments', 'comments', { step_id })

  test('come whole, oldest first, with replies below a part of them', async () => {
    const all = await comments('step_1000040')
    expect(all.length).toBe(70)
    expect(new Set(values(all, 'comment_id')).size).toBe(70)
    expect(times(all, 'created_at')).toEqual(ordered(times(all, 'created_at')))
    const counts = new Set(all.map(({ replies }) => (replies as Row[]).length))
    expect(counts).toEqual(new Set([0, 1, 2]))
    const [step] = (await me.steps('trip_1000006')).filter(({ step_id }) => step_id === 'step_1000040')
    expect(step).toMatchObject({ comments: 70 })
    expect(await comments('step_1000143')).toEqual([])
  })

  test('are answered any number of times, and each answer is e-mailed to who left the comment', async () => {
    const [comment, ...rest] = await comments('step_1000018')
    const { comment_id, replies } = comment!
    const told = await me.told('trip_1000003')
    const sent = ['Gracias & <b>', 'one\ntwo 😀']
    const made: Row[] = []
    for (const body of sent) {
      const reply = await log.call('reply_to_step_comment', { comment_id, body })
      expect(reply).toMatchObject({ comment_id, step_id: 'step_1000018' })
      made.push({ reply_id: reply['reply_id'], body, created_at: reply['created_at'] })
    }
    const [after, ...others] = await comments('step_1000018')
    expect(after).toEqual({ ...comment, replies: [...(replies as Row[]), ...made] })
    expect(others).toEqual(rest)
    expect(rest.length).toBeGreaterThan(0)
    const more = (await me.told('trip_1000003')).slice(0, 2)
    expect(more).toMatchObject(sent.toReversed().map((words) => ({ sort: 'answer', words, entry: 1000018 })))
    expect((await me.told('trip_1000003')).length).toBe(told.length + 2)
    expect(await me.actions()).toEqual(['remark.answer', 'remark.answer'])
  })

  test('are not answered with nothing', async () => {
    expect(await log.refused('reply_to_step_comment', { comment_id: 'comment_1000003', body: ' \n ' })).toBe(
      'FIELD_REQUIRED',
    )
    expect(await me.actions()).toEqual([])
  })
})
