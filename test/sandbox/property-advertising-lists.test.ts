import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { codeOf, started, type Started, type Visitor } from './visitor.ts'

let run: Started
let me: Visitor & { account: string }
beforeAll(async () => {
  run = await started()
})
afterAll(() => run[Symbol.asyncDispose]())
beforeEach(async () => {
  me = await run.control.newcomer()
})

type Item = Record<string, unknown>
type Page = { total: number; page: number | null; per_page: number; next_before: string | null } & Record<
  string,
  unknown
>

const items = (page: Page, name: string): Item[] => page[name] as Item[]

/** Reads a list to its end by `before`, with something happening after each page. */
async function readOn(
  path: string,
  name: string,
  size: number,
  meanwhile?: (seen: Item[]) => Promise<unknown>,
): Promise<Item[]> {
  const seen: Item[] = []
  let from = performance.now()
  let anchor = ''
  for (let turn = 1; ; turn++) {
    // The app's own rate: 100 actions in 10 seconds.
    if (turn % 45 === 0) {
      await sleep(Math.max(0, 10_100 - (performance.now() - from)))
      from = performance.now()
    }
    const page: Page = await me.json(`${path}${path.includes('?') ? '&' : '?'}per_page=${size}${anchor}`)
    seen.push(...items(page, name))
    if (page.next_before === null) return seen
    anchor = `&before=${page.next_before}`
    await meanwhile?.(seen)
  }
}

const lists = [
  { path: '/api/ads', name: 'ads', id: 'ref', least: 65 },
  { path: '/api/ads?phase=online', name: 'ads', id: 'ref', least: 60 },
  { path: '/api/threads', name: 'threads', id: 'thread', least: 125 },
  { path: '/api/threads?box=open', name: 'threads', id: 'thread', least: 60 },
  { path: '/api/wanted', name: 'wanted', id: 'no', least: 60 },
]

test.each(lists)(
  '$path read in steps of seven is the whole list, by anchors and by page numbers',
  async ({ path, name, id, least }) => {
    const joint = path.includes('?') ? '&' : '?'
    const whole: Item[] = []
    for (let page = 1; page <= 2; page++) {
      const answer: Page = await me.json(`${path}${joint}per_page=100&page=${page}`)
      expect([answer.page, answer.per_page]).toEqual([page, 100])
      whole.push(...items(answer, name))
      expect(answer.next_before === null).toBe(whole.length === answer.total)
      if (answer.next_before === null) break
    }
    expect(whole.length).toBeGreaterThanOrEqual(least)
    expect(new Set(whole.map((item) => item[id])).size).toBe(whole.length)
    expect(await readOn(path, name, 7)).toEqual(whole)
  },
)

test('ads read one by one while others are placed: none twice, none missing', { timeout: 60_000 }, async () => {
  const all = await readOn('/api/ads?deal=to_let', 'ads', 100)
  const seen = await readOn('/api/ads?deal=to_let', 'ads', 1, () =>
    me.form('/my/ads/new', { headline: 'Meanwhile', deal: 'to_let', asking: '800.00' }),
  )
  expect(seen).toEqual(all)
})

test('ads taken offline while the online ones are read: none is skipped', async () => {
  const all = (await readOn('/api/ads?phase=online', 'ads', 100)).map(({ ref }) => ref)
  const seen = await readOn('/api/ads?phase=online', 'ads', 5, (so_far) =>
    me.form(`/my/ads/${String(so_far.at(-1)?.['ref'])}/offline`),
  )
  expect(seen.map(({ ref }) => ref)).toEqual(all)
})

test('an inbox read while people write, in old conversations and new ones, and while it is filed: none twice, none missing', async () => {
  const before = (await readOn('/api/threads', 'threads', 100)).map(({ thread }) => thread)
  const { ads } = await me.json<{ ads: Item[] }>('/api/ads?phase=online&per_page=1')
  let turn = 0
  const meanwhile = async (seen: Item[]): Promise<void> => {
    turn += 1
    const body = new URLSearchParams({ name: 'Ada', email: `ada${turn}@mail.example`, text: 'Hello' })
    await fetch(`${me.base}/ad/${String(ads[0]?.['ref'])}/enquiry`, { method: 'POST', body })
    await me.form(`/inbox/${String(before[seen.length + turn])}/reply`, { text: 'Ahead of the reader' })
    await me.form(`/inbox/${String(before[seen.length - 1])}/shelve`)
  }
  const seen = await readOn('/api/threads', 'threads', 9, meanwhile)
  expect(seen.map(({ thread }) => thread)).toEqual(before)
})

test('boxes that are worked off while they are read leave nothing out', async () => {
  const fresh = (await readOn('/api/threads?box=fresh', 'threads', 100)).map(({ thread }) => thread)
  const seen = await readOn('/api/threads?box=fresh', 'threads', 3, async (so_far) => {
    for (const { thread } of so_far.slice(-3)) await me.form(`/inbox/${String(thread)}/done`)
  })
  expect(seen.map(({ thread }) => thread)).toEqual(fresh)
})

test.each([
  ['/api/ads', 'ads', 'phase', ['online', 'offline', 'lapsed']],
  ['/api/ads', 'ads', 'deal', ['for_sale', 'to_let']],
  ['/api/threads', 'threads', 'box', ['open', 'fresh', 'done', 'shelved']],
  ['/api/wanted', 'wanted', 'deal', ['for_sale', 'to_let']],
])('%s filters by %s', async (path, name, field, values) => {
  const all = await readOn(path, name, 100)
  for (const value of values) {
    const some = await readOn(`${path}?${field}=${value}`, name, 100)
    expect(some).toEqual(all.filter((item) => item[field] === value))
    expect(some.length).toBeGreaterThan(0)
    expect(some.length).toBeLessThan(all.length)
  }
  expect(await readOn(`${path}?${field}=${values.join(',')}`, name, 100)).toEqual(all)
  expect(await readOn(`${path}?${field}=any`, name, 100)).toEqual(all)
})

test('the inbox filters by ad and by time, and is sorted by the latest line', async () => {
  const all = (await readOn('/api/threads', 'threads', 100)) as (Item & { ad: string; last: { ts: number } })[]
  const times = all.map(({ last }) => last.ts)
  expect(times).toEqual(times.toSorted((a, b) => b - a))
  const middle = times[70] ?? 0
  const late = await readOn(`/api/threads?since=${middle}`, 'threads', 50)
  expect(late).toEqual(all.filter(({ last }) => last.ts >= middle))
  expect(late.length).toBeLessThan(all.length)
  const { ad } = all[0] ?? { ad: '' }
  const about = await readOn(`/api/threads?ad=${ad}`, 'threads', 4)
  expect(about).toEqual(all.filter((thread) => thread.ad === ad))
  expect(about.length).toBeLessThan(all.length)
})

test.each([
  '/api/ads?per_page=0',
  '/api/ads?per_page=101',
  '/api/ads?page=0',
  '/api/ads?page=x',
  '/api/ads?phase=gone',
  '/api/ads?deal=',
  '/api/ads?before=x',
  '/api/ads?before=CV-10001&page=2',
  '/api/threads?before=CV-10001',
  '/api/threads?since=yesterday',
  '/api/threads?box=online',
  '/api/wanted?before=1',
])('%s is refused', async (path) => {
  const answer = await me.get(path)
  expect([answer.status, await codeOf(answer)]).toEqual([400, 'PARAMETER_INVALID'])
})
