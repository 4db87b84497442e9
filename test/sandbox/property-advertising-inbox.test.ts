import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { codeOf, started, type Effect, type Started, type Visitor } from './visitor.ts'

let run: Started
let me: Visitor & { account: string }
beforeAll(async () => {
  run = await started()
})
afterAll(() => run[Symbol.asyncDispose]())
beforeEach(async () => {
  me = await run.control.newcomer()
})

interface Line {
  line: number
  dir: string
  author: string
  text: string
  ads: string[]
  ts: number
}

interface Thread {
  thread: number
  ad: string
  box: string
  fresh_lines: number
  lines: Line[]
  memos: { memo: number; author: string; text: string; ts: number }[]
}

const talk = (id: number): Promise<Thread> => me.json<Thread>(`/api/threads/${id}`)

async function threadIn(box: string): Promise<number> {
  const { threads } = await me.json<{ threads: Thread[] }>(`/api/threads?box=${box}&per_page=1`)
  return threads[0]?.thread ?? 0
}

const myEffects = async (): Promise<Effect[]> =>
  (await run.control.effects()).filter(({ account }) => account === me.account)

const boxes = ['fresh', 'open', 'done', 'shelved']

test.each(boxes)('a reply in a conversation that is %s is stored as sent and opens it', async (box) => {
  const id = await threadIn(box)
  const before = await talk(id)
  const text = 'Olá! <b>&</b> مرحبا 👍\nUntil “Saturday”'
  const answer = await me.form(`/inbox/${id}/reply`, { text: text.replace('\n', '\r\n') })
  const after = await talk(id)
  const line = after.lines.at(-1)
  expect(answer.status).toBe(303)
  expect(answer.headers.get('location')).toBe(`/property-advertising/inbox/${id}?sent=${line?.line}`)
  expect(after.lines.slice(0, -1)).toEqual(before.lines)
  expect([line?.dir, line?.text, after.box, after.fresh_lines]).toEqual(['out', text, 'open', 0])
  expect(await myEffects()).toMatchObject([{ action: 'thread.reply', body: { thread: id, text } }])
  expect(await threadIn('open')).toBe(id)
})

test.each([
  ['', 'TEXT_REQUIRED'],
  [' \n ', 'TEXT_REQUIRED'],
  ['x'.repeat(2001), 'TEXT_TOO_LONG'],
])('a reply of %j is refused with %s', async (text, code) => {
  const id = await threadIn('fresh')
  const answer = await me.form(`/inbox/${id}/reply`, { text })
  expect([answer.status, await codeOf(answer)]).toEqual([422, code])
  expect((await talk(id)).box).toBe('fresh')
  expect(await myEffects()).toEqual([])
  expect((await me.form(`/inbox/${id}/reply`, { text: '😀'.repeat(2000) })).status).toBe(303)
})

test.each(boxes.flatMap((box) => [[box, 'done', 'done'] as const, [box, 'shelve', 'shelved'] as const]))(
  'a conversation that is %s can be filed with %s',
  async (box, move, target) => {
    const id = await threadIn(box)
    const before = await talk(id)
    const answer = await me.form(`/inbox/${id}/${move}`)
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      `/property-advertising/inbox/${id}?box=${target}`,
    ])
    expect(await talk(id)).toEqual({ ...before, box: target, fresh_lines: 0 })
    const { threads } = await me.json<{ threads: Thread[] }>('/api/threads?box=open,fresh&per_page=100')
    expect(threads.map(({ thread }) => thread)).not.toContain(id)
    expect(await myEffects()).toMatchObject([{ action: `thread.${move}`, body: { thread: id } }])
  },
)

test('marking as read works on what is fresh only', async () => {
  const id = await threadIn('fresh')
  expect((await me.form(`/inbox/${id}/read`)).status).toBe(303)
  expect(await talk(id)).toMatchObject({ box: 'open', fresh_lines: 0 })
  const again = await me.form(`/inbox/${id}/read`)
  expect([again.status, await codeOf(again)]).toEqual([409, 'THREAD_NOT_FRESH'])
})

test('a private note is kept and moves nothing', async () => {
  const id = await threadIn('fresh')
  const before = await talk(id)
  const answer = await me.write('POST', `/api/threads/${id}/memos`, { text: 'Nur für uns: 250.000 €' })
  expect(answer.status).toBe(201)
  expect(await talk(id)).toEqual({ ...before, memos: [...before.memos, await answer.json()] })
  expect(await myEffects()).toMatchObject([{ action: 'thread.memo', body: { text: 'Nur für uns: 250.000 €' } }])
  for (const [text, code] of [
    ['', 'TEXT_REQUIRED'],
    ['x'.repeat(1001), 'TEXT_TOO_LONG'],
    [5, 'TEXT_REQUIRED'],
  ] as const) {
    const refused = await me.write('POST', `/api/threads/${id}/memos`, { text })
    expect([refused.status, await codeOf(refused)]).toEqual([422, code])
  }
})

test('other ads are shared into a conversation, but not its own, nor what is not online, nor what belongs to others', async () => {
  const id = await threadIn('shelved')
  const { ad } = await talk(id)
  const refs = async (who: Visitor, phase: string): Promise<string[]> =>
    (await who.json<{ ads: { ref: string }[] }>(`/api/ads?phase=${phase}&per_page=20`)).ads
      .map(({ ref }) => ref)
      .filter((ref) => ref !== ad)
  const online = await refs(me, 'online')
  const [offline = ''] = await refs(me, 'offline')
  const [foreign = ''] = await refs(await run.control.newcomer(), 'online')
  const share = (body: unknown): Promise<Response> => me.write('POST', `/api/threads/${id}/share`, body)
  const refused: [unknown, number, string][] = [
    [{}, 422, 'REFS_REQUIRED'],
    [{ refs: [] }, 422, 'REFS_REQUIRED'],
    [{ refs: online.slice(0, 11) }, 422, 'TOO_MANY_REFS'],
    [{ refs: [online[0], online[0]] }, 422, 'REF_TWICE'],
    [{ refs: [online[0], ad] }, 422, 'AD_SAME_AS_THREAD'],
    [{ refs: [online[0], offline] }, 409, 'AD_NOT_ONLINE'],
    [{ refs: [foreign] }, 404, 'AD_NOT_FOUND'],
    [{ refs: [online[0]], text: 'x'.repeat(2001) }, 422, 'TEXT_TOO_LONG'],
    ['refs', 400, 'BODY_INVALID'],
  ]
  for (const [body, status, code] of refused) {
    const answer = await share(body)
    expect([answer.status, await codeOf(answer)]).toEqual([status, code])
  }
  expect(await myEffects()).toEqual([])
  const answer = await share({ refs: online.slice(0, 10), text: 'These may suit you' })
  expect(answer.status).toBe(201)
  const after = await talk(id)
  expect(after.lines.at(-1)).toEqual(await answer.json())
  expect([after.box, after.lines.at(-1)?.ads]).toEqual(['open', online.slice(0, 10)])
  expect((await share({ refs: online.slice(0, 1) })).status).toBe(201)
  expect(await myEffects()).toMatchObject([{ body: { refs: online.slice(0, 10) } }, { body: { text: '' } }])
})

test('somebody from the street asks: a fresh conversation, and one more line when they ask again', async () => {
  const { ads } = await me.json<{ ads: { ref: string }[] }>('/api/ads?phase=online&per_page=1')
  const ref = ads[0]?.ref ?? ''
  const ask = (text: string): Promise<Response> =>
    fetch(`${me.base}/ad/${ref}/enquiry`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ name: 'Ada', email: 'ada@mail.example', text }),
    })
  expect((await ask('First')).status).toBe(303)
  const id = await threadIn('fresh')
  expect(await talk(id)).toMatchObject({ ad: ref, box: 'fresh', fresh_lines: 1 })
  expect((await ask('Second')).status).toBe(303)
  expect(await talk(id)).toMatchObject({ fresh_lines: 2, lines: [{ text: 'First' }, { text: 'Second', dir: 'in' }] })
})

test('what people look for is for agencies, and a private advertiser is told so', async () => {
  const { wanted } = await me.json<{ wanted: { thread: number }[] }>('/api/wanted?per_page=100')
  expect(wanted.length).toBeGreaterThanOrEqual(60)
  expect((await me.get(`/api/threads/${wanted[0]?.thread}`)).status).toBe(200)
  const single = await run.control.newcomer('private')
  const refused = await single.get('/api/wanted')
  expect([refused.status, refused.headers.has('x-palisade'), await codeOf(refused)]).toEqual([
    403,
    false,
    'AGENCY_ONLY',
  ])
  expect((await single.get('/wanted')).status).toBe(403)
})
