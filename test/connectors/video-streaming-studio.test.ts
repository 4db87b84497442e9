import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { AppCaller, dayFromNow, values } from './app-caller.ts'
import type { Row } from './app-caller.ts'

let studio: AppCaller
beforeAll(async () => {
  studio = await AppCaller.open('video-streaming')
})
beforeEach(() => studio.sandbox.reset())
afterAll(() => studio.sandbox.close())

const later = '2040-06-30T20:00:00Z'

/** What the app itself tells at an address, to the demo user. */
async function told(path: string): Promise<Row[]> {
  const [account] = await studio.sandbox.accounts('video-streaming')
  const cookie = account!.session.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const response = await fetch(`${studio.sandbox.url}/video-streaming${path}`, { headers: { cookie } })
  const { payload } = (await response.json()) as { payload: Row[] | { rows: Row[] } }
  return Array.isArray(payload) ? payload : payload.rows
}

describe('live events', () => {
  test('come latest start first, of every method and status', async () => {
    const events = await studio.every('list_live_events', 'events', { limit: 100 })
    expect(new Set(values(events, 'method'))).toEqual(new Set(['rtmp', 'built_in_studio', 'video_meeting']))
    expect(new Set(values(events, 'status'))).toEqual(new Set(['upcoming', 'live', 'ended']))
    expect(new Set(values(events, 'preregistration'))).toEqual(new Set([true, false]))
    const starts = values(events, 'start_at').map((start) => Date.parse(String(start)))
    expect(starts).toEqual(starts.toSorted((a, b) => b - a))
    for (const [at, { status }] of events.entries()) expect(status === 'upcoming').toBe(Number(starts[at]) > Date.now())
    expect(JSON.stringify(events)).not.toContain('stream_key')
  })

  test.each(['rtmp', 'built_in_studio', 'video_meeting'])('are created for %s', async (method) => {
    const made = await studio.call('create_live_event', {
      title: 'Ask us <anything> ☎',
      start_at: '2040-07-01T01:45:00+05:45',
      method,
      description: 'One\ntwo',
      preregistration: method === 'rtmp',
    })
    const { stream_url, stream_key, ...event } = made
    expect(event).toMatchObject({
      title: 'Ask us <anything> ☎',
      start_at: later,
      method,
      status: 'upcoming',
      preregistration: method === 'rtmp',
    })
    if (method === 'rtmp') {
      expect(stream_url).toMatch(/^rtmp:\/\/\S+$/)
      expect(String(stream_key).length).toBeGreaterThan(10)
    } else expect([stream_url, stream_key]).toEqual([null, null])
    expect(await studio.rows('list_live_events', 'events', { limit: 1 })).toEqual([event])
    expect(JSON.stringify(await studio.control.effects())).not.toContain(stream_key ?? 'no key')
  })

  test('have no preregistration by default', async () => {
    const made = await studio.call('create_live_event', { title: 'x', start_at: later, method: 'rtmp' })
    expect(made['preregistration']).toBe(false)
  })
})

describe('analytics', () => {
  const span = { from: dayFromNow(-100), to: dayFromNow(0) }
  const reports = [
    { report: 'videos', id: 'video_id', path: 'clips', named: 'clip' },
    { report: 'live_events', id: 'event_id', path: 'shows', named: 'show' },
    { report: 'collections', id: 'collection_id', path: 'series', named: 'series' },
  ]
  const totals = async (input: Row) => (await studio.call('get_content_analytics', input))['totals'] as Row

  test.each(reports)('of $report have most views first and totals over all of them', async ({ report, id }) => {
    const answer = await studio.call('get_content_analytics', { report, ...span, limit: 100 })
    expect(answer).toMatchObject({ report, ...span })
    const rows = answer['rows'] as Row[]
    expect(rows.length).toBeGreaterThan(25)
    const views = values(rows, 'views').map(Number)
    expect(views).toEqual(views.toSorted((a, b) => b - a))
    const sum = (key: string) => values(rows, key).reduce<number>((total, each) => total + Number(each), 0)
    if (report !== 'collections') expect(answer['totals']).toEqual({ views: sum('views'), viewers: sum('viewers') })
    expect(new Set(values(rows, id)).size).toBe(rows.length)
    const keys = ['title', 'views', 'viewers', 'total_watch_time', 'completion_rate', id]
    const more = report === 'live_events' ? ['preregistered', 'attendees', 'replays'] : []
    for (const row of rows) expect(Object.keys(row).toSorted()).toEqual([...keys, ...more].toSorted())

    const few = await studio.call('get_content_analytics', { report, ...span, limit: 3 })
    expect(few).toEqual({ ...answer, rows: rows.slice(0, 3) })
    const usual = await studio.rows('get_content_analytics', 'rows', { report, ...span })
    expect(usual).toEqual(rows.slice(0, 25))
  })

  test('of collections count a video once in the totals, in however many collections it is', async () => {
    const collections = await studio.every('list_collections', 'collections', {})
    const videos = new Set<unknown>()
    let entries = 0
    for (const { collection_id } of collections) {
      const items = await studio.rows('get_collection', 'items', { collection_id })
      for (const { video_id } of items.filter((item) => 'video_id' in item)) {
        videos.add(video_id)
        entries += 1
      }
    }
    expect(entries).toBeGreaterThan(videos.size)
    const each = await studio.rows('get_content_analytics', 'rows', { report: 'videos', ...span, limit: 100 })
    const inSome = each.filter(({ video_id }) => videos.has(video_id))
    const sum = (key: string) => values(inSome, key).reduce<number>((total, one) => total + Number(one), 0)
    expect(await totals({ report: 'collections', ...span })).toEqual({ views: sum('views'), viewers: sum('viewers') })
  })

  test.each(reports)('of $report say what the app counts, in words', async ({ report, id, path, named }) => {
    const pointed = (day: string) => day.split('-').toReversed().join('.')
    const counted = await told(`/api/numbers/${path}?since=${pointed(span.from)}&until=${pointed(span.to)}&top=100`)
    const rows = await studio.rows('get_content_analytics', 'rows', { report, ...span, limit: 100 })
    expect(values(rows, id)).toEqual(values(counted, named))
    for (const [at, row] of rows.entries()) {
      const [hours, minutes, seconds] = /^(\d+):([0-5]\d):([0-5]\d)$/.exec(String(row['total_watch_time']))!.slice(1)
      const watched = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
      expect(watched).toBe(Math.floor(Number(counted[at]!['watched-ms']) / 1000))
      expect(row['completion_rate']).toMatch(/^\d{1,3}\.\d%$/)
      expect(Number.parseFloat(String(row['completion_rate']))).toBeCloseTo(
        Number(counted[at]!['finished-share']) * 100,
        5,
      )
    }
  })

  test.each(reports)('of $report count the first and the last day, and no other', async ({ report }) => {
    const days = Array.from({ length: 6 }, (_, at) => dayFromNow(-20 + at))
    const each = await Promise.all(days.map((day) => totals({ report, from: day, to: day })))
    const sum = (key: string) => values(each, key).reduce<number>((total, one) => total + Number(one), 0)
    expect(await totals({ report, from: days[0], to: days[5] })).toEqual({
      views: sum('views'),
      viewers: sum('viewers'),
    })
    expect(sum('views')).toBeGreaterThan(0)
    const none = await studio.call('get_content_analytics', { report, from: '2001-02-28', to: '2001-03-01' })
    expect(none).toMatchObject({ from: '2001-02-28', to: '2001-03-01', totals: { views: 0, viewers: 0 }, rows: [] })
  })

  test.each(reports)('of $report are refused for days that run backwards', async ({ report }) => {
    const backwards = { report, from: '2026-02-02', to: '2026-02-01' }
    expect(await studio.refused('get_content_analytics', backwards)).toBe('SPAN_BACKWARDS')
  })

  test.each(reports)('of $report are each studio’s own', async ({ report, id }) => {
    const of = (user: string) =>
      studio
        .rows('get_content_analytics', 'rows', { report, ...span, limit: 100 }, user)
        .then((rows) => values(rows, id))
    const mine = await of('demo')
    expect((await of('stranger')).filter((one) => mine.includes(one))).toEqual([])
  })
})

describe('the community', () => {
  const channels = () => studio.rows('list_community_channels', 'channels', {})

  test('has channels, public and private, and general is public', async () => {
    const all = await channels()
    expect(all.length).toBe(11)
    expect(new Set(values(all, 'visibility'))).toEqual(new Set(['public', 'private']))
    expect(all.find(({ name }) => name === 'general')?.['visibility']).toBe('public')
    for (const { name } of all) expect(name).toMatch(/^[a-z_-]+$/)
    const theirs = await studio.rows('list_community_channels', 'channels', {}, 'stranger')
    expect(values(theirs, 'channel_id')).not.toEqual(values(all, 'channel_id'))
    expect(studio.takes('list_community_channels', { limit: 1 })).toBe(false)
  })

  test.each(['public', 'private'])('takes posts in a %s channel, now and later', async (visibility) => {
    const channel = (await channels()).find((one) => one['visibility'] === visibility)!
    const { channel_id } = channel
    const text = '  Olá <b>"todos"</b>\n& 😀 '
    const now = await studio.call('create_community_post', { channel_id, text })
    expect(now).toMatchObject({ channel_id, author: 'Maëlle Côté', text, status: 'published' })
    expect(Math.abs(Date.parse(String(now['publish_at'])) - Date.now())).toBeLessThan(60_000)
    const then = await studio.call('create_community_post', { channel_id, text: 'x', publish_at: later })
    expect(then).toMatchObject({ channel_id, text: 'x', status: 'scheduled', publish_at: later })
    const posts = await told(`/api/community/rooms/${String(channel_id)}/posts`)
    expect(values(posts.slice(0, 2), 'post')).toEqual([then['post_id'], now['post_id']])
    expect(posts[1]?.['words']).toBe(text)
    expect((await studio.control.effects()).map(({ action }) => action)).toEqual(['post.create', 'post.create'])
  })
})

describe('coupons', () => {
  const none = { collection_id: null, max_uses: null, max_uses_per_member: null, expires_at: null }
  test.each<[Row, Row]>([
    [{ discount: '1%' }, { discount: '1%', target: 'everything', ...none }],
    [
      { discount: '100%', target: 'memberships' },
      { discount: '100%', target: 'memberships', ...none },
    ],
    [{ discount: '15' }, { discount: '15.00 CAD', target: 'everything', ...none }],
    [
      { discount: '0.5', max_uses: 1 },
      { discount: '0.50 CAD', target: 'everything', ...none, max_uses: 1 },
    ],
    [
      { discount: '0.01', max_uses_per_member: 1000 },
      { discount: '0.01 CAD', target: 'everything', ...none, max_uses_per_member: 1000 },
    ],
    [
      { discount: '100000.00', target: 'everything', max_uses: 1_000_000, expires_at: '2040-06-30T16:00:00-04:00' },
      { discount: '100000.00 CAD', target: 'everything', ...none, max_uses: 1_000_000, expires_at: later },
    ],
    [
      { discount: '30%', target: 'collection', collection_id: 'k100160' },
      { discount: '30%', target: 'collection', ...none, collection_id: 'k100160' },
    ],
  ])('%j are made', async (input, made) => {
    const answer = await studio.call('create_coupon', { code: 'Calm_1-5', ...input })
    expect(answer).toEqual({ coupon_id: answer['coupon_id'], code: 'Calm_1-5', ...made })
    const [row] = await told('/api/coupons')
    expect(row).toMatchObject({ coupon: answer['coupon_id'], 'promo-code': 'Calm_1-5' })
    expect((await studio.control.effects()).map(({ action }) => action)).toEqual(['coupon.create'])
    expect(await studio.refused('create_coupon', { code: 'cALM_1-5', ...input })).toBe('CODE_TAKEN')
  })
})

test('moments may have parts of a second, which are cut off', async () => {
  const made = await studio.call('create_live_event', { ...event, start_at: '2040-06-30T22:30:59.987654+02:30' })
  expect(made).toMatchObject({ start_at: '2040-06-30T20:00:59Z' })
  const posted = await studio.call('create_community_post', { ...post, publish_at: '2040-06-30T20:00:00.123Z' })
  expect(posted).toMatchObject({ status: 'scheduled', publish_at: later })
})

const event = { title: 'x', start_at: later, method: 'rtmp' }
const post = { channel_id: 'r100226', text: 'x' }
const coupon = { code: 'CALM', discount: '5%' }
const past = '2020-01-01T00:00:00Z'
test.each<[string, Row, string]>([
  ['create_live_event', { ...event, start_at: past }, 'MOMENT_PAST'],
  ['create_live_event', { ...event, title: '  ' }, 'FIELD_REQUIRED'],
  ['create_community_post', { ...post, channel_id: 'r1' }, 'ROOM_NOT_FOUND'],
  ['create_community_post', { ...post, text: ' \n ' }, 'FIELD_REQUIRED'],
  ['create_community_post', { ...post, publish_at: past }, 'MOMENT_PAST'],
  ['create_coupon', { ...coupon, discount: '0' }, 'NUMBER_INVALID'],
  ['create_coupon', { ...coupon, discount: '100000.01' }, 'NUMBER_INVALID'],
  ['create_coupon', { ...coupon, discount: '5.001' }, 'NUMBER_INVALID'],
  ['create_coupon', { ...coupon, collection_id: 'k100160' }, 'SERIES_MISPLACED'],
  ['create_coupon', { ...coupon, target: 'collection', collection_id: 'k1' }, 'SERIES_NOT_FOUND'],
  ['create_coupon', { ...coupon, expires_at: past }, 'MOMENT_PAST'],
])('%s %j is refused, and nothing is done', async (name, input, code) => {
  expect(await studio.refused(name, input)).toBe(code)
  expect(await studio.control.effects()).toEqual([])
})

test('create_live_event is not taken with a second 60', () => {
  const takes = (start_at: string) => studio.takes('create_live_event', { ...event, start_at })
  expect(['2040-06-30T23:59:59Z', '2040-06-30T23:59:60Z'].map(takes)).toEqual([true, false])
})

test('a coupon for a collection is not taken without the collection', () => {
  expect(studio.takes('create_coupon', { ...coupon, target: 'collection' })).toBe(false)
})

test('a channel and a collection of this studio are not there for another one', async () => {
  expect(await studio.refused('create_community_post', post, 'stranger')).toBe('ROOM_NOT_FOUND')
  const theirs = { ...coupon, target: 'collection', collection_id: 'k100160' }
  expect(await studio.refused('create_coupon', theirs, 'stranger')).toBe('SERIES_NOT_FOUND')
  expect(await studio.control.effects()).toEqual([])
})
