import { afterAll, beforeAll, expect, test } from 'vitest'
import { videoStreaming } from '../../sandbox/video-streaming/app.ts'
import { namesIn, openApp, type AppPerson, type OpenApp } from './open-app.ts'

interface Listed {
  payload: Record<string, unknown>[]
  'page-info': { total: number }
}

const findTicket = async (person: AppPerson): Promise<string> =>
  (await person.read<{ payload: { ticket: string } }>('/api/whoami')).payload.ticket

let app: OpenApp
let people: AppPerson[]
beforeAll(async () => {
  app = await openApp(videoStreaming, findTicket)
  people = await app.people()
})
afterAll(() => app[Symbol.asyncDispose]())

/** The field names of the documents for this app. */
const documented =
  `video_id title status release_at category_ids processing description tags collection_ids collection_id
  video_count access items divider drip_days event_id start_at method preregistration views viewers total_watch_time
  completion_rate preregistered attendees replays channel_id name visibility search limit cursor videos next_cursor
  collections events report from to totals rows channels file_url`.split(/\s+/)

const lists = ['clips', 'series', 'shows', 'coupons', 'outbox']
const idNames = ['clip', 'series', 'show', 'coupon', 'mail']

const whole = async (person: AppPerson): Promise<Listed[]> =>
  Promise.all(lists.map((name) => person.read<Listed>(`/api/${name}?limit=100`)))

test('at least half of the names on the wire are the app’s own, and so are dates, durations and money', async () => {
  const demo = await app.person()
  const [clips, series, shows, coupons] = await whole(demo)
  const span = 'since=01.01.2000&until=31.12.2999'
  const paths = [
    `/api/clips/${String(clips?.payload[0]?.['clip'])}`,
    `/api/series/${String(series?.payload[2]?.['series'])}`,
    `/api/numbers/shows?${span}`,
    '/api/community/rooms',
    '/api/shelves',
  ]
  const names = namesIn([clips, series, shows, coupons, await Promise.all(paths.map((path) => demo.read(path)))])
  expect(names.size).toBeGreaterThan(45)
  const shared = documented.filter((name) => names.has(name))
  expect(shared.length).toBeLessThanOrEqual(documented.length / 2)
  expect(shared.length).toBeLessThanOrEqual(names.size / 2)
  for (const show of shows?.payload ?? []) expect(show['begins']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:00[+-]\d\d:\d\d$/)
  expect(coupons?.payload[1]?.['off']).toEqual({ minor: expect.any(Number) as number, currency: 'CAD' })
  expect(Number(clips?.payload.at(-1)?.['length-ms'])).toBeGreaterThanOrEqual(30_000)
  expect((await demo.denied('/api/numbers/clips?since=2026-01-01&until=2026-02-01'))[0]).toBe(400)
})

test('seeds hold what is awkward: every state, several zones, accents, right-to-left, empty and very long texts', async () => {
  for (const person of people.slice(0, 3)) {
    const [clips, series, shows] = await whole(person)
    const values = (list: Listed | undefined, name: string): Set<unknown> =>
      new Set(list?.payload.map((row) => row[name]))
    expect(values(clips, 'airing')).toEqual(new Set(['public', 'hidden', 'timed']))
    expect(values(clips, 'encoding')).toEqual(new Set(['running', 'finished']))
    expect(values(series, 'airing')).toEqual(new Set(['public', 'hidden']))
    expect(values(series, 'clip-count')).toContain(0)
    expect(values(shows, 'via').size).toBe(3)
    expect(values(shows, 'phase')).toEqual(new Set(['upcoming', 'on-air', 'over']))
    expect(values(shows, 'clock').size).toBeGreaterThan(3)
    const texts = JSON.stringify([clips, series])
    for (const awkward of [/[\u0590-\u06ff]/, /[\u00c0-\u017f]/, /<b>/]) expect(texts).toMatch(awkward)
    const longest = clips?.payload.find(({ heading }) => String(heading).length === 200)
    const { payload } = await person.read<{ payload: { blurb: string } }>(`/api/clips/${String(longest?.['clip'])}`)
    expect(payload.blurb.length).toBe(5000)
    for (const list of [clips, series, shows]) expect(list?.['page-info'].total).toBeGreaterThanOrEqual(60)
  }
})

test('no id is in two accounts, and what belongs to a stranger does not exist', async () => {
  const seen = new Set<unknown>()
  let met = 0
  for (const person of people) {
    for (const [at, { payload }] of (await whole(person)).entries()) {
      for (const row of payload) seen.add(row[idNames[at] ?? ''])
      met += payload.length
    }
  }
  expect(seen.size).toBe(met)
  const [demo, stranger] = people as [AppPerson, AppPerson]
  const [clips, series, shows, coupons] = await whole(stranger)
  const clip = String(clips?.payload.find(({ airing }) => airing === 'hidden')?.['clip'])
  const theirs = String(series?.payload[0]?.['series'])
  const rooms = (await stranger.read<Listed>('/api/community/rooms')).payload
  expect(await demo.denied(`/api/clips/${clip}`)).toEqual([404, 'CLIP_NOT_FOUND'])
  expect(await demo.denied(`/api/series/${theirs}`)).toEqual([404, 'SERIES_NOT_FOUND'])
  expect(await demo.denied(`/api/shows/${String(shows?.payload[0]?.['show'])}`)).toEqual([404, 'SHOW_NOT_FOUND'])
  expect(await demo.denied(`/api/coupons/${String(coupons?.payload[0]?.['coupon'])}`)).toEqual([
    404,
    'COUPON_NOT_FOUND',
  ])
  expect(await demo.denied(`/api/community/rooms/${String(rooms[0]?.['room'])}/posts`)).toEqual([404, 'ROOM_NOT_FOUND'])
  expect(await demo.refused('PATCH', `/api/clips/${clip}`, { blurb: '' })).toEqual([404, 'CLIP_NOT_FOUND'])
  expect(await demo.refused('POST', '/api/series', { heading: 'x', clips: [clip] })).toEqual([404, 'CLIP_NOT_FOUND'])
  expect((await demo.form(`/studio/clips/${clip}/air`, { when: 'now' })).status).toBe(404)
  const coupon = { 'promo-code': 'THEIRS', 'off-kind': 'percent', 'off-value': '5', covers: 'one-series' }
  expect((await demo.form('/studio/coupons', { ...coupon, series: theirs })).status).toBe(404)
  expect(await app.effects(demo)).toEqual([])
})

test('seeds are the same after a reset and in another sandbox', async () => {
  await app.reset()
  const demo = await app.person()
  const before = (await whole(demo)).map(({ payload }) => payload)
  const body = { source: 'https://cdn.example/gone.mp4', heading: 'Gone after the reset' }
  await demo.wrote('POST', '/api/clips', body)
  expect((await whole(demo)).map(({ payload }) => payload)).not.toEqual(before)
  await app.reset()
  expect((await whole(demo)).map(({ payload }) => payload)).toEqual(before)
  await using other = await openApp(videoStreaming, findTicket)
  expect((await whole(await other.person())).map(({ payload }) => payload)).toEqual(before)
})

test('pages for people show lists, details and forms', async () => {
  const demo = await app.person()
  const [clips, series, shows, coupons] = await whole(demo)
  const hidden = clips?.payload.find(({ airing }) => airing === 'hidden')?.['clip']
  const rooms = (await demo.read<Listed>('/api/community/rooms')).payload
  const details = [
    `clips/${String(hidden)}`,
    `series/${String(series?.payload[4]?.['series'])}`,
    `shows/${String(shows?.payload[0]?.['show'])}`,
    `coupons/${String(coupons?.payload[0]?.['coupon'])}`,
    `community/${String(rooms[1]?.['room'])}`,
  ]
  for (const path of ['clips', 'series', 'shows', 'numbers', 'community', 'coupons', 'outbox', ...details]) {
    const page = await demo.get(`/studio/${path}`)
    expect([path, page.status]).toEqual([path, 200])
    expect(await page.text()).toContain('Maëlle Côté')
  }
  const first = await (await demo.get('/studio/clips')).text()
  const older = /href="[^"]*(\/studio\/clips\?[^"]+)">Older/.exec(first)?.[1]?.replaceAll('&amp;', '&') ?? '/none'
  const second = await (await demo.get(older)).text()
  const shown = (page: string): string[] => [...page.matchAll(/>(v\d+)<\/a>/g)].map(([, id = '']) => id)
  expect(shown(second)).toHaveLength(30)
  expect(shown(second).filter((id) => shown(first).includes(id))).toEqual([])
})
