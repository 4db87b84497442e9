import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { videoStreaming } from '../../sandbox/video-streaming/app.ts'
import { openApp, type AppPerson, type OpenApp } from './open-app.ts'

type Row = Record<string, unknown>
interface Listed {
  payload: Row[]
  'page-info': { offset: number; limit: number; total: number; more: boolean; snapshot: string }
}
interface Report {
  payload: { sums: Row; rows: Row[] }
}

let app: OpenApp
let me: AppPerson
beforeAll(async () => {
  const find = async (person: AppPerson) =>
    (await person.read<{ payload: { ticket: string } }>('/api/whoami')).payload.ticket
  app = await openApp(videoStreaming, find)
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(async () => {
  me = await app.newcomer()
})

/** Reads a list to its end, with something happening every ten pages. */
async function all(path: string, limit: number, meanwhile?: () => Promise<unknown>): Promise<Row[]> {
  const joint = path.includes('?') ? '&' : '?'
  const seen: Row[] = []
  let snapshot = ''
  for (let turn = 0; ; turn++) {
    const page = await me.read<Listed>(`${path}${joint}limit=${limit}&offset=${seen.length}${snapshot}`)
    seen.push(...page.payload)
    if (!page['page-info'].more) return seen
    snapshot = `&snapshot=${page['page-info'].snapshot}`
    if (turn % 10 === 5) await meanwhile?.()
  }
}

let coupons = 0
const add: Record<string, () => Promise<unknown>> = {
  '/api/clips': () => me.wrote('POST', '/api/clips', { source: 'https://cdn.example/a.mp4', heading: 'Meanwhile' }),
  '/api/series': async () => {
    const { payload } = await me.read<Listed>('/api/clips?limit=1')
    return me.wrote('POST', '/api/series', { heading: 'Meanwhile', clips: [payload[0]?.['clip']] })
  },
  '/api/shows': () =>
    me.wrote('POST', '/api/shows', { heading: 'Now', begins: '2031-01-31T20:00:00+05:45', via: 'meeting' }),
  '/api/coupons': () =>
    me.form('/studio/coupons', {
      'promo-code': `MEANWHILE-${++coupons}`,
      'off-kind': 'percent',
      'off-value': '5',
    }),
}

test.each([
  ['/api/clips', 'clip', 90],
  ['/api/series', 'series', 62],
  ['/api/shows', 'show', 64],
  ['/api/coupons', 'coupon', 60],
])('%s read one by one while things are added: none twice, none missing', async (path, id, size) => {
  const before = await all(path, 100)
  expect(before).toHaveLength(size)
  expect(new Set(before.map((row) => row[id])).size).toBe(size)
  expect(await all(path, 1, add[path])).toEqual(before)
  expect((await me.read<Listed>(path))['page-info'].total).toBeGreaterThan(size)
})

test('hidden clips read one by one while they are put on air: the list stays as it was', async () => {
  const path = '/api/clips?airing=hidden'
  const before = await all(path, 100)
  expect(before).toHaveLength(21)
  let turn = 0
  const seen = await all(path, 1, async () => {
    const chosen = String(before[turn++]?.['clip'])
    expect((await me.form(`/studio/clips/${chosen}/air`, { when: 'now' })).status).toBe(303)
  })
  expect(seen).toEqual(before)
  expect((await me.read<Listed>(path))['page-info'].total).toBe(21 - turn)
})

test('posts and the outbox are newest first and whole', async () => {
  const rooms = (await me.read<Listed>('/api/community/rooms')).payload
  const general = rooms.find(({ handle }) => handle === 'general')
  expect(general).toMatchObject({ 'open-to': 'everyone', 'post-count': 64 })
  expect(new Set(rooms.map((room) => room['open-to']))).toEqual(new Set(['everyone', 'invited']))
  for (const { handle } of rooms) expect(handle).toMatch(/^[a-z_-]+$/)
  const path = `/api/community/rooms/${String(general?.['room'])}/posts`
  const posts = await all(path, 100)
  expect(await all(path, 1, () => me.wrote('POST', path, { words: 'Meanwhile' }))).toEqual(posts)
  expect(new Set(posts.map(({ state }) => state))).toEqual(new Set(['out', 'waiting']))
  const mails = await all('/api/outbox', 100)
  expect(await all('/api/outbox', 7)).toEqual(mails)
  const waiting = await all('/api/outbox?state=waiting', 100)
  expect(waiting).toEqual(mails.filter(({ state }) => state === 'waiting'))
  expect(waiting.length).toBeLessThan(mails.length)
  const about = String(waiting[0]?.['clip'])
  expect(await all(`/api/outbox?clip=${about}`, 100)).toEqual(mails.filter(({ clip }) => clip === about))
})

test('filters give what satisfies them and nothing else', async () => {
  const clips = await all('/api/clips', 100)
  for (const airing of ['public', 'hidden', 'timed']) {
    const some = await all(`/api/clips?airing=${airing}`, 100)
    expect(some).toEqual(clips.filter((clip) => clip['airing'] === airing))
    expect(some.length).toBeGreaterThan(2)
  }
  expect(await all('/api/clips?airing=', 100)).toEqual(clips)
  for (const [path, rows] of [
    ['clips', clips],
    ['series', await all('/api/series', 100)],
    ['shows', await all('/api/shows', 100)],
  ] as const) {
    const found = await all(`/api/${path}?find=${encodeURIComponent(' SONNENGRU')}`, 100)
    expect(found).toEqual(rows.filter(({ heading }) => String(heading).includes('Sonnengru')))
    expect(found.length).toBeGreaterThan(0)
    expect(found.length).toBeLessThan(rows.length)
  }
  const begins = (await all('/api/shows', 100)).map((show) => Date.parse(String(show['begins'])))
  expect(begins).toEqual(begins.toSorted((a, b) => b - a))
  for (const clip of clips) {
    const catalogued = clip['airing'] === 'public' && (clip['shelves'] as unknown[]).length > 0
    expect(clip['in-catalogue']).toBe(catalogued)
  }
})

test('parameters that a list does not have, or foreign snapshots, are refused', async () => {
  const { snapshot } = (await me.read<Listed>('/api/clips'))['page-info']
  expect(await me.denied('/api/clips?offset=10')).toEqual([400, 'SNAPSHOT_REQUIRED'])
  expect(await me.denied(`/api/series?snapshot=${snapshot}`)).toEqual([400, 'SNAPSHOT_UNKNOWN'])
  expect(await me.denied(`/api/clips?find=x&snapshot=${snapshot}`)).toEqual([400, 'SNAPSHOT_UNKNOWN'])
  for (const query of ['limit=0', 'limit=101', 'limit=x', 'airing=live', 'offset=-1', `find=${'x'.repeat(201)}`]) {
    expect(await me.denied(`/api/clips?${query}`)).toEqual([400, 'PARAMETER_INVALID'])
  }
  expect(await me.denied('/api/clips?status=public')).toEqual([400, 'PARAMETER_UNKNOWN'])
  expect(await me.denied('/api/series?airing=public')).toEqual([400, 'PARAMETER_UNKNOWN'])
})

test.each(['clips', 'series', 'shows'])(
  'numbers of %s: most plays first, cut by top, summed over all',
  async (name) => {
    const read = (query: string) => me.read<Report>(`/api/numbers/${name}?${query}`)
    const { payload } = await read('since=01.01.2000&until=31.12.2999&top=500')
    const plays = payload.rows.map((row) => Number(row['plays']))
    expect(plays.length).toBeGreaterThan(10)
    expect(plays).toEqual(plays.toSorted((a, b) => b - a))
    const inRows = plays.reduce((sum, each) => sum + each, 0)
    if (name === 'series') expect(payload.sums['plays']).toBeLessThan(inRows)
    else expect(payload.sums['plays']).toBe(inRows)
    const top = await read('since=01.01.2000&until=31.12.2999&top=3')
    expect(top.payload).toEqual({ ...payload, rows: payload.rows.slice(0, 3) })
    for (const row of payload.rows) expect(Number(row['finished-share'])).toBeLessThanOrEqual(1)
    const day = (ago: number) =>
      new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10).split('-').reverse().join('.')
    const months = await read(`since=${day(60)}&until=${day(31)}&top=500`)
    const earlier = await read(`since=01.01.2000&until=${day(61)}&top=500`)
    const later = await read(`since=${day(30)}&until=31.12.2999&top=500`)
    const parts = [months, earlier, later].map((part) => Number(part.payload.sums['plays']))
    expect(parts.every((part) => part > 0 && part < Number(payload.sums['plays']))).toBe(true)
    expect(parts.reduce((sum, part) => sum + part, 0)).toBe(payload.sums['plays'])
    expect((await read('since=01.01.2000&until=02.01.2000')).payload).toMatchObject({
      sums: { plays: 0, watchers: 0 },
      rows: [],
    })
  },
)

test('numbers refuse days that there are not, and spans that run backwards', async () => {
  expect(await me.denied('/api/numbers/clips?since=01.01.2026')).toEqual([400, 'PARAMETER_INVALID'])
  expect(await me.denied('/api/numbers/clips?since=30.02.2026&until=01.03.2026')).toEqual([400, 'PARAMETER_INVALID'])
  expect(await me.denied('/api/numbers/shows?since=02.01.2026&until=01.01.2026')).toEqual([400, 'SPAN_BACKWARDS'])
})
