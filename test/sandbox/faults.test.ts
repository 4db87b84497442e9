import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { codeOf, started, Visitor, type Started } from './visitor.ts'

let run: Started
beforeAll(async () => {
  run = await started()
})
afterAll(() => run[Symbol.asyncDispose]())
beforeEach(() => run.control.clear())

interface Ads {
  ads: { ref: string; phase: string }[]
}

async function withAd(): Promise<{
  visitor: Visitor
  ref: string
  phase: () => Promise<string>
  effects: () => Promise<number>
}> {
  const visitor = await run.control.newcomer()
  await visitor.token()
  const { ads } = await visitor.json<Ads>('/api/ads?phase=online&per_page=1')
  const ref = ads[0]?.ref ?? ''
  return {
    visitor,
    ref,
    phase: async () => (await visitor.json<{ phase: string }>(`/api/ads/${ref}`)).phase,
    effects: async () => (await run.control.effects()).filter(({ account }) => account === visitor.account).length,
  }
}

test('block denies any request with a page of its own, as many times as asked, and does nothing', async () => {
  const { visitor, ref, phase, effects } = await withAd()
  await run.control.arm({ kind: 'block', times: 3 })
  const denied = [
    await visitor.get('/sign-in'),
    await visitor.form(`/my/ads/${ref}/offline`),
    await visitor.get('/api/ads'),
  ]
  for (const answer of denied) {
    expect(answer.status).toBe(403)
    expect(await answer.text()).toMatch(/_pxAction = 'b'|captcha\.js\?a=b/)
  }
  expect(await phase()).toBe('online')
  expect(await effects()).toBe(0)
})

test('rate_limit and error refuse without acting, once', async () => {
  const { visitor, ref, phase, effects } = await withAd()
  await run.control.arm({ kind: 'rate_limit' })
  const slower = await visitor.form(`/my/ads/${ref}/offline`)
  expect([slower.status, slower.headers.get('retry-after'), await codeOf(slower)]).toEqual([
    429,
    '2',
    'RATE_LIMIT_EXCEEDED',
  ])
  await run.control.arm({ kind: 'rate_limit', retry_after: 7 })
  expect((await visitor.get('/api/ads')).headers.get('retry-after')).toBe('7')
  await run.control.arm({ kind: 'error' })
  const broken = await visitor.form(`/my/ads/${ref}/offline`)
  expect([broken.status, await codeOf(broken)]).toEqual([500, 'INTERNAL_ERROR'])
  expect([await phase(), await effects()]).toEqual(['online', 0])
  expect((await visitor.form(`/my/ads/${ref}/offline`)).status).toBe(303)
  expect([await phase(), await effects()]).toEqual(['offline', 1])
})

test('drop_before closes without acting, drop_after closes after acting', async () => {
  const { visitor, ref, phase, effects } = await withAd()
  await run.control.arm({ kind: 'drop_before' })
  await expect(visitor.form(`/my/ads/${ref}/offline`)).rejects.toThrow('fetch failed')
  expect([await phase(), await effects()]).toEqual(['online', 0])
  await run.control.arm({ kind: 'drop_after' })
  await expect(visitor.form(`/my/ads/${ref}/offline`)).rejects.toThrow('fetch failed')
  expect([await phase(), await effects()]).toEqual(['offline', 1])
})

test('garbage answers HTML with 200 after acting', async () => {
  const { visitor, ref, effects } = await withAd()
  await run.control.arm({ kind: 'garbage', times: 2 })
  const answer = await visitor.write('PATCH', `/api/ads/${ref}`, { blurb: 'New words' })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(await effects()).toBe(1)
  expect((await visitor.get('/api/ads')).headers.get('content-type')).toContain('text/html')
})

test('huge never ends by itself, after acting', async () => {
  const { visitor, ref, effects } = await withAd()
  await run.control.arm({ kind: 'huge' })
  const answer = await visitor.form(`/my/ads/${ref}/offline`)
  let bytes = 0
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.length
    if (bytes > 20_000_000) break
  }
  expect(bytes).toBeGreaterThan(19_000_000)
  expect(await effects()).toBe(1)
})

test('slow acts at once and answers late', async () => {
  const { visitor, ref, effects } = await withAd()
  await run.control.arm({ kind: 'slow', ms: 3_000 })
  const from = performance.now()
  const answer = visitor.form(`/my/ads/${ref}/offline`)
  await expect.poll(effects, { timeout: 2_500 }).toBe(1)
  expect((await answer).status).toBe(303)
  expect(performance.now() - from).toBeGreaterThan(2_990)
})

test('faults of actions pass over sign-in, token and form pages', async () => {
  const { visitor, ref } = await withAd()
  await run.control.arm({ kind: 'error' })
  for (const path of ['/sign-in', '/api/session', `/my/ads/${ref}`, '/inbox', '/']) {
    expect((await visitor.get(path)).status).toBe(200)
  }
  expect((await visitor.get('/api/ads')).status).toBe(500)
})

test('a path limits a fault to what begins with it, below the app', async () => {
  const { visitor, ref } = await withAd()
  await run.control.arm({ kind: 'error', path: '/api/threads' })
  await run.control.arm({ kind: 'block', path: '/property-advertising/wanted' })
  expect((await visitor.get(`/api/ads/${ref}`)).status).toBe(200)
  expect((await visitor.get('/api/threads?per_page=1')).status).toBe(500)
  expect((await visitor.get('/wanted')).status).toBe(403)
  expect((await visitor.get('/wanted')).status).toBe(200)
})

test('a fault survives a second one of another kind, and clearing takes both away', async () => {
  const { visitor } = await withAd()
  await run.control.arm({ kind: 'error', times: 5 })
  await run.control.arm({ kind: 'block', times: 5 })
  expect((await visitor.get('/api/ads')).status).toBe(403)
  await run.control.clear()
  expect((await visitor.get('/api/ads')).status).toBe(200)
})

test.each([
  [{ kind: 'boom' }, '"kind" must be one of'],
  [{ kind: 'block', times: 0 }, '"times" must be'],
  [{ kind: 'block', path: 'api' }, '"path" must begin'],
  [{ kind: 'block', ms: 5 }, '"ms" goes with'],
  [{ kind: 'slow', ms: -1 }, '"ms" must be'],
  [{ kind: 'block', retry_after: 5 }, '"retry_after" goes with'],
  [{ kind: 'block', often: 2 }, 'There is no field "often"'],
  [[], 'The body must be a JSON object'],
])('a fault such as %j is refused with a sentence that says why', async (fault, message) => {
  const answer = await run.control.call('POST', 'property-advertising/faults', fault)
  expect(answer.status).toBe(400)
  expect(((await answer.json()) as { error: string }).error).toContain(message)
})
