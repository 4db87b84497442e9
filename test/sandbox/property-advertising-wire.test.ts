import { afterAll, beforeAll, expect, test } from 'vitest'
import { started, Visitor, type Started } from './visitor.ts'

let run: Started
beforeAll(async () => {
  run = await started()
})
afterAll(() => run[Symbol.asyncDispose]())

/** The field names of the documents for this app. */
const documented =
  `listing_id title operation status price currency quality_score url size_m2 rooms bathrooms features description
  photos period visits contacts favorites contact_id name state unread last_message updated_at messages from body sent_at notes
  demand_id area max_price listings next_cursor demands cursor limit since fields`.split(/\s+/)

function namesIn(value: unknown, names: Set<string>): void {
  if (Array.isArray(value)) for (const item of value) namesIn(item, names)
  else if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value)) {
      names.add(name)
      namesIn(item, names)
    }
  }
}

test('at least half of the names on the wire are the app’s own, and so are the words, money and dates', async () => {
  const [account] = await run.control.accounts()
  const demo = new Visitor(run.sandbox.url, account)
  const list = await demo.json<{ ads: { ref: string; created: string; asking: { cents: unknown } }[] }>('/api/ads')
  const threads = await demo.json<{ threads: { thread: number; last: { ts: unknown } }[] }>('/api/threads')
  const [ad] = list.ads
  const [thread] = threads.threads
  const names = new Set<string>()
  namesIn(list, names)
  namesIn(threads, names)
  for (const path of [
    `/api/ads/${ad?.ref}`,
    `/api/ads/${ad?.ref}/figures`,
    `/api/threads/${thread?.thread}`,
    '/api/wanted',
  ]) {
    namesIn(await demo.json(path), names)
  }
  expect(names.size).toBeGreaterThan(40)
  const shared = documented.filter((name) => names.has(name))
  expect(shared.length).toBeLessThanOrEqual(documented.length / 2)
  expect(shared.length).toBeLessThanOrEqual(names.size / 2)
  expect(ad?.created).toMatch(/^\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d$/)
  expect(ad?.asking.cents).toMatch(/^\d+$/)
  expect(typeof thread?.last.ts).toBe('number')
})

test('seeds hold what is awkward: accents, right-to-left text, currencies, zones, an empty and a very long text, all states', async () => {
  for (const account of (await run.control.accounts()).slice(0, 3)) {
    const visitor = new Visitor(run.sandbox.url, account)
    const { ads } = await visitor.json<{ ads: { ref: string }[] }>('/api/ads?per_page=100')
    const full = []
    for (const { ref } of ads.slice(0, 40)) {
      full.push(
        await visitor.json<{ blurb: string; asking: { currency: string }; place: { zone: string } }>(`/api/ads/${ref}`),
      )
    }
    expect(full.some(({ blurb }) => blurb === '')).toBe(true)
    expect(full.some(({ blurb }) => blurb.length > 4900)).toBe(true)
    expect(new Set(full.map(({ asking }) => asking.currency)).size).toBeGreaterThan(3)
    expect(new Set(full.map(({ place }) => place.zone)).size).toBeGreaterThan(4)
    const threads = JSON.stringify(await visitor.json('/api/threads?per_page=100'))
    expect(threads).toMatch(/[\u0590-\u06ff]/)
    expect(threads).toMatch(/[\u00c0-\u017f]/)
    expect(threads).toMatch(/<b>/)
  }
})

test('all seeded accounts have their data within 300 ms of a processor', async () => {
  await run.control.call('POST', 'reset')
  const visitors = (await run.control.accounts()).map((account) => new Visitor(run.sandbox.url, account))
  const before = process.cpuUsage()
  for (const visitor of visitors) expect((await visitor.get('/api/ads?per_page=1')).status).toBe(200)
  // Of its own time: how busy the machine is with something else does not count.
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1000).toBeLessThan(300)
})
