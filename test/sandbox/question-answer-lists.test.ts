import { afterAll, beforeAll, expect, test } from 'vitest'
import { questionAnswer } from '../../sandbox/question-answer/app.ts'
import { openApp, type AppPerson, type OpenApp } from './open-app.ts'

type Row = Record<string, unknown> & { ref: { no: number }; path: string; wording: string; stage: string }
interface Listed {
  rows: Row[]
  total: number
  until: string
}

let run: OpenApp
beforeAll(async () => {
  run = await openApp(questionAnswer, async (person) => (await person.read<{ seal: string }>('/api/self')).seal)
})
afterAll(() => run[Symbol.asyncDispose]())

const numbers = (rows: Row[]): number[] => rows.map(({ ref }) => ref.no)

/** A list to its end; `meanwhile` happens after the first span. */
async function toEnd(person: AppPerson, path: string, count = 60, meanwhile?: () => Promise<unknown>): Promise<Row[]> {
  const at = `${path}${path.includes('?') ? '&' : '?'}count=${count}`
  const { rows, total, until } = await person.read<Listed>(at)
  await meanwhile?.()
  while (rows.length < total) {
    const next = await person.read<Listed>(`${at}&start=${rows.length}&until=${until}`)
    expect(next.total).toBe(total)
    expect(next.rows.length).toBeGreaterThan(0)
    rows.push(...next.rows)
  }
  return rows
}

const ask =
  (person: AppPerson, wording = 'What is new about bread?') =>
  () =>
    person.form('/ask', { wording })

const byTime = (rows: Row[], name: string): void => {
  const times = rows.map((row) => Number(row[name]))
  expect(times).toEqual(times.toSorted((a, b) => b - a))
}

test('own replies are read one by one to their end, newest first, while one is added', async () => {
  const me = await run.newcomer()
  const before = await toEnd(me, '/api/my/replies')
  byTime(before, 'posted')
  expect(before).toHaveLength(80)
  const [{ rows }] = [await me.read<Listed>('/api/asks')]
  const reply = () => me.form(`${rows[0]?.path}/replies`, { text: 'New' })
  expect(await toEnd(me, '/api/my/replies', 1, reply)).toEqual(before)
  expect((await me.read<Listed>('/api/my/replies')).total).toBe(81)
})

test('nudges are read to their end while one is settled', async () => {
  const me = await run.newcomer('reader')
  const before = await toEnd(me, '/api/my/nudges')
  byTime(before, 'sent')
  expect(before).toHaveLength(96)
  const under = before[40]?.['under'] as Row
  const settle = () => me.form(`${under.path}/replies`, { text: 'At last' })
  expect(await toEnd(me, '/api/my/nudges', 2, settle)).toEqual(before)
  expect((await me.read<Listed>('/api/my/nudges')).total).toBeLessThan(96)
})

test('questions, posts and bells are read to their ends while some are added', async () => {
  const me = await run.newcomer()
  const [room] = (await me.read<Listed>('/api/rooms')).rows
  const shelf = `/api/rooms/${room?.ref.no}/shelf`
  const post = (timing: string) => () => me.wrote('POST', shelf, { text: 'New', timing })
  for (const [path, add, time] of [
    ['/api/asks', ask(me), 'asked'],
    ['/api/my/bells', ask(me), 'sent'],
    [shelf, post('now'), 'live_at'],
    [`${shelf}?standing=queued`, post('queue'), undefined],
  ] as const) {
    const before = await toEnd(me, path)
    if (time) byTime(before, time)
    expect(new Set(numbers(before)).size).toBe(before.length)
    const small = before.length > 10 ? 11 : 1
    expect(numbers(await toEnd(me, path, small, add))).toEqual(numbers(before))
    expect((await me.read<Listed>(path)).total).toBe(before.length + 1)
  }
  const queued = (await me.read<Listed>(`${shelf}?standing=queued`)).rows
  byTime(queued.toReversed(), 'live_at')
  const before = await toEnd(me, '/api/asks?find=bread')
  expect(await toEnd(me, '/api/asks?find=bread', 1, ask(me))).toEqual(before)
  expect(before.length).toBeGreaterThan(8)
})

const fold = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()

test('search finds each word anywhere, capitals and accents alike, words side by side first', async () => {
  const me = await run.newcomer()
  await ask(me, 'Maps, and other medieval things?')()
  const all = await toEnd(me, '/api/asks')
  for (const find of ['CREME', 'medieval maps', 'łódź', 'الطبخ', 'R&D', '<b>', 'why  up', '天空', '"quoted"', '%']) {
    const found = await toEnd(me, `/api/asks?find=${encodeURIComponent(` ${find} `)}`, 9)
    const words = fold(find).split(/\s+/)
    const wanted = all.filter(({ wording }) => words.every((word) => fold(wording).includes(word)))
    const whole = wanted.filter(({ wording }) => fold(wording).includes(words.join(' ')))
    expect(numbers(found)).toEqual(numbers([...whole, ...wanted.filter((one) => !whole.includes(one))]))
    expect(found.length).toBeLessThan(all.length)
    if (find !== '%') expect(found.length).toBeGreaterThan(0)
    if (find === 'medieval maps') expect(found.at(-1)?.wording).toBe('Maps, and other medieval things?')
  }
})

test('the best replies have the most thumbs, as many as asked for', async () => {
  const me = await run.newcomer()
  const big = (await toEnd(me, '/api/asks')).find(({ replies }) => Number(replies) > 30)
  const path = `/api${big?.path.replace('/q/', '/asks/')}`
  const best = async (query: string): Promise<Row[]> => (await me.read<{ best: Row[] }>(`${path}${query}`)).best
  const thirty = await best('?best=30')
  byTime(thirty, 'thumbs')
  expect(thirty).toHaveLength(30)
  expect(await best('?best=20')).toEqual(thirty.slice(0, 20))
  expect(await best('')).toEqual(thirty.slice(0, 3))
  expect(await best('?best=0')).toEqual([])
})

test('the desk shows one stage or all, first come first; a desk that takes nothing is empty', async () => {
  const me = await run.newcomer()
  const { rows: rooms } = await me.read<Listed>('/api/rooms')
  const at = (index: number, query = ''): Promise<Listed> => me.read(`/api/rooms/${rooms[index]?.ref.no}/desk${query}`)
  const { rows: all } = await at(0, '?stage=any')
  byTime(all.toReversed(), 'handed_in')
  for (const stage of ['waiting', 'published', 'lined_up', 'skipped']) {
    const some = all.filter((entry) => entry.stage === stage)
    expect((await at(0, `?stage=${stage}`)).rows).toEqual(some)
    expect(some.length).toBeGreaterThan(1)
    expect(some.length).toBeLessThan(all.length)
  }
  expect((await at(0)).rows).toHaveLength(66)
  expect(await at(2)).toMatchObject({ takes_entries: false, rows: [] })
  const others = (await me.read<Listed>('/api/rooms?mine=no')).rows
  expect(new Set(others.map(({ mine }) => mine))).toEqual(new Set([null]))
  expect(rooms.map(({ mine }) => mine)).not.toContain(null)
})

test.each([
  ['/api/asks?count=0', 'PARAM_INVALID'],
  ['/api/asks?count=61', 'PARAM_INVALID'],
  ['/api/asks?start=-1', 'PARAM_INVALID'],
  ['/api/asks?find=a&find=b', 'PARAM_INVALID'],
  [`/api/asks?find=${'x'.repeat(501)}`, 'PARAM_INVALID'],
  ['/api/asks/x?best=31', 'PARAM_INVALID'],
  ['/api/rooms?mine=all', 'PARAM_INVALID'],
  ['/api/my/replies?limit=5', 'PARAM_UNKNOWN'],
  ['/api/my/entries?start=0', 'PARAM_UNKNOWN'],
  ['/api/my/nudges?until=made-up', 'UNTIL_UNKNOWN'],
  ['/api/my/nudges?until=99999999999.100100', 'UNTIL_UNKNOWN'],
])('%s is refused', async (path, code) => {
  expect(await (await run.person('stranger')).denied(path)).toEqual([400, code])
})
