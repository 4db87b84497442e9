import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSandbox } from '../../sandbox/server.ts'
import { codeOf, started, Visitor, type Started } from './visitor.ts'

let run: Started
beforeAll(async () => {
  run = await started()
})
afterAll(() => run[Symbol.asyncDispose]())

interface Ads {
  total: number
  ads: { ref: string }[]
}

test('a reset brings the seed state back, empties the effects and keeps sessions and further accounts', async () => {
  const visitor = await run.control.newcomer()
  const before = await visitor.json('/api/ads/' + (await firstOnline(visitor)))
  const ref = await firstOnline(visitor)
  await visitor.write('PATCH', `/api/ads/${ref}`, { blurb: 'Other words' })
  await visitor.form('/my/ads/new', { headline: 'New', deal: 'to_let', asking: '900.00' })
  expect(await run.control.effects()).toHaveLength(2)
  expect(await visitor.json(`/api/ads/${ref}`)).not.toEqual(before)
  await run.control.arm({ kind: 'error', times: 9 })
  expect((await run.control.call('POST', 'reset')).status).toBe(200)
  expect(await run.control.effects()).toEqual([])
  expect(await visitor.json(`/api/ads/${ref}`)).toEqual(before)
  expect((await visitor.json<Ads>('/api/ads')).total).toBe(96)
})

async function firstOnline(visitor: Visitor): Promise<string> {
  return (await visitor.json<Ads>('/api/ads?phase=online&per_page=1')).ads[0]?.ref ?? ''
}

test('seeds are the same in another sandbox, and ids never meet between accounts', async () => {
  await using other = await started()
  const refs = new Set<string>()
  const mine = await run.control.accounts()
  const theirs = await other.control.accounts()
  for (const index of [0, 1, 5, 6]) {
    const here = await new Visitor(run.sandbox.url, mine[index]).json<Ads>('/api/ads?per_page=100')
    const there = await new Visitor(other.sandbox.url, theirs[index]).json<Ads>('/api/ads?per_page=100')
    expect(JSON.stringify(there).replaceAll(other.sandbox.url, run.sandbox.url)).toBe(JSON.stringify(here))
    for (const { ref } of here.ads) {
      expect(refs.has(ref)).toBe(false)
      refs.add(ref)
    }
  }
})

test('what belongs to another account does not exist', async () => {
  const [mine, theirs] = [await run.control.newcomer(), await run.control.newcomer()]
  const ref = await firstOnline(theirs)
  const { threads } = await theirs.json<{ threads: { thread: number }[] }>('/api/threads?per_page=1')
  const thread = threads[0]?.thread
  const before = (await run.control.effects()).length
  const refused = [
    await mine.get(`/api/ads/${ref}`),
    await mine.get(`/api/ads/${ref}/figures`),
    await mine.get(`/my/ads/${ref}`),
    await mine.get(`/api/threads?ad=${ref}`),
    await mine.write('PATCH', `/api/ads/${ref}`, { blurb: 'mine' }),
    await mine.form(`/my/ads/${ref}/offline`),
    await mine.get(`/api/threads/${thread}`),
    await mine.get(`/inbox/${thread}`),
    await mine.form(`/inbox/${thread}/reply`, { text: 'Hello' }),
    await mine.form(`/inbox/${thread}/shelve`),
    await mine.write('POST', `/api/threads/${thread}/memos`, { text: 'x' }),
  ]
  for (const answer of refused) {
    expect(answer.status).toBe(404)
    expect(await codeOf(answer)).toMatch(/^(AD|THREAD)_NOT_FOUND$/)
  }
  expect(await run.control.effects()).toHaveLength(before)
})

test('above the published rate the account is banned, others are not, and a reset lifts it', async () => {
  const [fast, calm] = [await run.control.newcomer(), await run.control.newcomer()]
  const ref = await firstOnline(fast)
  for (let turn = 0; turn < 30; turn++) await fast.get(`/my/ads/${ref}`)
  const statuses: number[] = []
  for (let turn = 0; turn < 100; turn++) statuses.push((await fast.get(`/api/ads/${ref}`)).status)
  expect(statuses.slice(0, 99).every((status) => status === 200)).toBe(true)
  expect(statuses[99]).toBe(403)
  const page = await fast.get('/my/ads')
  expect([page.status, await page.text()]).toEqual([403, expect.stringContaining("_pxAction = 'b'")])
  expect((await calm.get('/api/ads')).status).toBe(200)
  await run.control.call('POST', 'reset')
  expect((await fast.get('/api/ads')).status).toBe(200)
})

test('two sandboxes never share a folder, and a taken port is an error', async () => {
  const options = { host: '127.0.0.1', dataDir: run.dataDir }
  await expect(startSandbox({ ...options, port: 0 })).rejects.toThrow('Another sandbox already uses')
  await expect(startSandbox({ ...options, dataDir: `${run.dataDir}/other`, port: run.sandbox.port })).rejects.toThrow(
    'EADDRINUSE',
  )
})

test.each([[{ kind: 'bank' }], [{ kind: 'agency', count: 0 }], [{ kind: 'agency', count: 1001 }], [[]]])(
  'further accounts such as %j are refused',
  async (wish) => {
    const answer = await run.control.call('POST', 'property-advertising/accounts', wish)
    expect(answer.status).toBe(400)
  },
)

test('the index lists the apps and leads to them', async () => {
  const page = await (await fetch(`${run.sandbox.url}/`)).text()
  expect(page).toContain('href="/property-advertising/"')
  expect((await fetch(`${run.sandbox.url}/property-advertising/`)).status).toBe(200)
  expect((await fetch(`${run.sandbox.url}/nothing/`)).status).toBe(404)
})

test('what everybody sees is there right after a reset, before any advertiser came', async () => {
  await run.control.call('POST', 'reset')
  expect((await fetch(`${run.sandbox.url}/property-advertising/ad/CV-10096`)).status).toBe(200)
  expect(await (await fetch(`${run.sandbox.url}/property-advertising/`)).text()).toContain('/ad/CV-')
})
