import { afterAll, beforeAll, expect, test } from 'vitest'
import { questionAnswer } from '../../sandbox/question-answer/app.ts'
import { namesIn, openApp, type AppPerson, type OpenApp } from './open-app.ts'

interface Ref {
  kind: string
  no: number
}
type Row = Record<string, unknown> & { ref: Ref }
interface Rows {
  rows: Row[]
  total: number
}

let run: OpenApp
beforeAll(async () => {
  run = await openApp(questionAnswer, async (person) => (await person.read<{ seal: string }>('/api/self')).seal)
})
afterAll(() => run[Symbol.asyncDispose]())

const rooms = async (person: AppPerson): Promise<Row[]> => (await person.read<Rows>('/api/rooms')).rows

/** What one account can see of each list. */
async function everything(person: AppPerson): Promise<Rows[]> {
  const [first] = await rooms(person)
  const asks = [0, 60, 120, 180].map((start) => `/api/asks?count=60&start=${start}`)
  const mine = ['/api/my/replies?count=60', '/api/my/nudges?count=60', '/api/my/bells?count=60', '/api/my/entries']
  const inRoom = [`/api/rooms/${first?.ref.no}/shelf?count=60`, `/api/rooms/${first?.ref.no}/shelf?standing=queued`]
  const desk = person.kind === 'keeper' ? [`/api/rooms/${first?.ref.no}/desk?stage=any`] : []
  const all = [...asks, ...mine, '/api/rooms', '/api/rooms?mine=no', ...inRoom, ...desk]
  return Promise.all(all.map((path) => person.read<Rows>(path)))
}

/** The field names of the documents for this app. */
const documented = `question question_url answers top_answers author upvotes preview answer_id url created_at requests
  requested_by requested_at spaces space_id name role all_time last_7_days views followers comments notification_clicks
  top_content title submissions submission_id type submitted_at questions limit cursor next_cursor query answers_limit
  body_markdown status`.split(/\s+/)

test('the names on the wire are the app’s own, ids are nested numbers and times are epoch seconds', async () => {
  const demo = await run.person()
  const [room] = await rooms(demo)
  const { rows } = await demo.read<Rows>('/api/asks')
  const paths = [
    '/api/asks',
    `/api${String(rows[0]?.['path']).replace('/q/', '/asks/')}`,
    '/api/my/replies',
    '/api/rooms',
  ]
  const inRoom = ['figures', 'desk', 'shelf'].map((name) => `/api/rooms/${room?.ref.no}/${name}`)
  const names = new Set<string>()
  for (const path of [...paths, '/api/my/nudges', '/api/my/bells', ...inRoom]) namesIn(await demo.read(path), names)
  expect(names.size).toBeGreaterThan(35)
  expect(documented.filter((name) => names.has(name))).toEqual([])
  expect(rows[0]).toMatchObject({ ref: { kind: 'ask', no: expect.any(Number) }, asked: expect.any(Number) })
  expect(Number(rows[0]?.['asked'])).toBeLessThan(Date.now() / 1000)
  expect(Number(rows[0]?.['asked'])).toBeGreaterThan(1_500_000_000)
})

test('seeds hold what is awkward, and 60 or more in each list that comes in spans', async () => {
  const demo = await run.person()
  const lists = await everything(demo)
  for (const { total } of lists.slice(0, 7)) expect(total).toBeGreaterThanOrEqual(60)
  const texts = JSON.stringify(lists)
  for (const awkward of [
    /[\u0590-\u05ff]/,
    /[\u0600-\u06ff]/,
    /[\u00c0-\u017f]/,
    /<b>/,
    /"nameless":true/,
    /"headline":""/,
  ]) {
    expect(texts).toMatch(awkward)
  }
  const wordings = lists.slice(0, 4).flatMap(({ rows }) => rows.map(({ wording }) => String(wording).length))
  expect([Math.min(...wordings), Math.max(...wordings)]).toEqual([2, 250])
  const bodies = lists[4]?.rows.map(({ body }) => String(body).length) ?? []
  expect(Math.max(...bodies)).toBeGreaterThan(3000)
  const [of, parts] = [(name: string, rows: Row[] = []) => new Set(rows.map((row) => row[name])), await rooms(demo)]
  expect(of('mine', parts)).toEqual(new Set(['keeper', 'steward', 'warden', 'author', 'reader']))
  expect(of('takes_entries', parts)).toEqual(new Set([true, false]))
  const desk = lists.at(-1)?.rows
  expect(of('stage', desk)).toEqual(new Set(['waiting', 'published', 'lined_up', 'skipped']))
  expect(of('sort', desk)).toEqual(new Set(['story', 'ask', 'reply']))
  expect(lists.slice(0, 4).flatMap(({ rows }) => rows.filter(({ replies }) => replies === 0)).length).toBeGreaterThan(9)
})

test('a teaser is the beginning of the text as HTML, and empty where there are only pictures', async () => {
  const demo = await run.newcomer()
  const { headers } = await demo.form('/ask', { wording: 'Teasers?' })
  const path = /\/q\/[^?]+/.exec(headers.get('location') ?? '')?.[0] ?? ''
  const texts = [
    '![x](https://pictures.example/a.png)',
    'A **bold** <i> & [link](https://a.example/b)',
    'long '.repeat(99),
  ]
  for (const text of texts) await demo.form(`${path}/replies`, { text })
  const { best } = await demo.read<{ best: Row[] }>(`/api${path.replace('/q/', '/asks/')}`)
  const long = `<p>${'long '.repeat(36)}…</p>`
  expect(best.map(({ teaser }) => teaser)).toEqual(['', '<p>A bold &lt;i&gt; &amp; link</p>', long])
})

test('seeds are the same in another sandbox and after a reset', async () => {
  await using other = await openApp(questionAnswer, async () => '')
  await run.reset()
  const demo = await run.person()
  const rowsOf = async (person: AppPerson): Promise<Row[][]> => (await everything(person)).map(({ rows }) => rows)
  const before = await rowsOf(demo)
  expect(await rowsOf(await other.person())).toEqual(before)
  await demo.form('/ask', { wording: 'Gone after the reset?' })
  expect(await rowsOf(demo)).not.toEqual(before)
  await run.reset()
  expect(await rowsOf(demo)).toEqual(before)
})

test('no id is in two accounts, and what is a stranger’s does not exist', async () => {
  const seen = new Map<number, string>()
  const people = await run.people()
  const users = ['demo', 'stranger', 'poor', 'narrow', 'revoked', 'two_accounts', 'two_accounts']
  expect(people.slice(0, 7).map(({ user }) => user)).toEqual(users)
  for (const person of people) {
    for (const { ref } of (await everything(person)).flatMap(({ rows }) => rows)) {
      expect(seen.get(ref.no) ?? person.account).toBe(person.account)
      seen.set(ref.no, person.account)
    }
  }
  const [demo, stranger] = people as [AppPerson, AppPerson]
  const [room] = await rooms(stranger)
  const [ask] = (await stranger.read<Rows>('/api/asks')).rows
  const [entry] = (await stranger.read<Rows>(`/api/rooms/${room?.ref.no}/desk`)).rows
  const key = String(ask?.['path']).slice(3)
  for (const name of ['figures', 'desk', 'shelf']) {
    expect(await demo.denied(`/api/rooms/${room?.ref.no}/${name}`)).toEqual([404, 'ROOM_NOT_FOUND'])
  }
  expect(await demo.denied(`/api/asks/${key}`)).toEqual([404, 'ASK_NOT_FOUND'])
  expect(await demo.denied(`/api/asks/${key.slice(1)}`)).toEqual([404, 'ASK_NOT_FOUND'])
  expect((await demo.form(`/q/${key}/replies`, { text: 'Hello' })).status).toBe(404)
  expect((await demo.form('/ask', { wording: 'Here?', room: String(room?.ref.no) })).status).toBe(404)
  const verdict = `/api/desk/${entry?.ref.no}/verdict`
  expect(await demo.refused('POST', verdict, { verdict: 'publish' })).toEqual([404, 'ENTRY_NOT_FOUND'])
  expect(await run.effects(demo)).toEqual([])
  const page = await demo.get(`/q/${key}`)
  expect(page.status).toBe(200)
  expect(await page.text()).not.toContain('Reply for everybody')
})

test('pages show lists, details and forms', async () => {
  const demo = await run.person()
  const [room] = await rooms(demo)
  const [ask] = (await demo.read<Rows>('/api/asks?find=bread')).rows
  const more = /href="\/question-answer(\/asks\?[^"]+)"/.exec(await (await demo.get('/asks')).text())?.[1] ?? ''
  for (const path of ['/asks', more.replaceAll('&amp;', '&'), '/mine', '/rooms', `/rooms/${room?.ref.no}`, '/bells']) {
    const page = await demo.get(path)
    expect([path, page.status]).toEqual([path, 200])
    expect(await page.text()).toContain('Élodie Marchand')
  }
  const page = await (await demo.get(String(ask?.['path']))).text()
  expect(page).toContain('name="text"')
  expect(page).toContain('name="seal"')
})
