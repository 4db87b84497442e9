import { afterAll, beforeAll, expect, test } from 'vitest'
import { realEstateAnalytics } from '../../sandbox/real-estate-analytics/app.ts'
import { openApp, type AppPerson, type OpenApp } from './open-app.ts'

type Row = Record<string, unknown>
interface Grid {
  cols: string[]
  vals: unknown[][]
  list: { page: number; more: boolean; of: number; stamp: string }
  found: number
}

let app: OpenApp
let me: AppPerson
beforeAll(async () => {
  app = await openApp(
    realEstateAnalytics,
    async (person) => (await person.read<{ deskkey: string }>('/api/desk')).deskkey,
  )
  me = await app.newcomer()
})
afterAll(() => app[Symbol.asyncDispose]())

const rowsOf = ({ cols, vals }: Grid): Row[] =>
  vals.map((row) => Object.fromEntries(cols.map((col, at) => [col, row[at]])))
const rows = async (path: string, person = me): Promise<Row[]> => rowsOf(await person.read<Grid>(path))
const dollars = (value: unknown): number => Number(String(value).slice(4))
const each = (list: Row[], name: string): number[] => list.map((row) => Number(row[name]))
const city = 'city=Austin,+TX'

async function all(
  person: AppPerson,
  path: string,
  size: number,
  meanwhile?: (row: Row) => Promise<unknown>,
): Promise<Row[]> {
  const seen: Row[] = []
  let stamp = ''
  for (let page = 1; ; page++) {
    const answer = await person.read<Grid>(`${path}${path.includes('?') ? '&' : '?'}rows=${size}&page=${page}${stamp}`)
    const got = rowsOf(answer)
    seen.push(...got)
    if (!answer.list.more) return seen
    stamp = `&stamp=${answer.list.stamp}`
    if (page % 20 === 5 && got[0]) await meanwhile?.(got[0])
  }
}

test.each([
  ['saved', 'home', 66],
  ['alerts', 'alert', 64],
  ['files', 'file', 64],
  ['mails', 'mail', 72],
])('%s read one by one while things come and go: none twice, none missing', async (name, id, size) => {
  const person = await app.newcomer()
  const path = `/api/${name}`
  const before = await all(person, path, 100)
  expect(before).toHaveLength(size)
  expect(new Set(before.map((row) => row[id])).size).toBe(size)
  let houses = 0
  const change: Record<string, (row: Row) => Promise<unknown>> = {
    saved: async (row) => {
      await person.wrote('DELETE', `/api/saved/${String(row['home'])}`)
      await person.wrote('POST', '/api/workups', { street: `${++houses} Fresh St, Dallas, TX` })
    },
    alerts: (row) => person.form('/alerts', { where: String(row['place']), every: 'month' }),
    files: async () =>
      person.wrote('POST', `/api/homes/${String((await rows(`/api/finder?${city}`, person))[0]?.['home'])}/pdf`, {}),
    mails: () => person.form('/feed', { days: '31' }),
  }
  const seen = await all(person, path, 1, change[name])
  // An alert's count of mails may rise while the list is read, so ids are compared.
  expect(seen.map((row) => row[id])).toEqual(before.map((row) => row[id]))
  expect((await person.read<Grid>(path)).list.of).toBeGreaterThanOrEqual(size)
  expect((await all(person, path, 100))[0]?.[id]).not.toBe(before[0]?.[id])
})

test('the finder ranks by cash-on-cash return, and every filter holds and leaves something out', async () => {
  const found = await rows(`/api/finder?${city}`)
  expect(found).toHaveLength(120)
  expect(each(found, 'coc_bp')).toEqual(each(found, 'coc_bp').toSorted((a, b) => b - a))
  const checks: [string, (row: Row) => boolean][] = [
    ['px_to=USD+300000', (row) => dollars(row['ask']) <= 300_000],
    ['px_from=USD+500000', (row) => dollars(row['ask']) >= 500_000],
    ['br_from=4', (row) => Number(row['br']) >= 4],
    ['ba_from=3', (row) => Number(row['ba']) >= 3],
  ]
  for (const [query, holds] of checks) {
    expect(await rows(`/api/finder?${city}&${query}`)).toEqual(found.filter(holds))
    expect(found.filter(holds).length).toBeGreaterThan(0)
    expect(found.every(holds)).toBe(false)
  }
  for (const plan of ['nightly', 'yearly']) {
    const some = await rows(`/api/finder?${city}&plan=${plan}`)
    expect(new Set(some.map((row) => row['plan']))).toEqual(new Set([plan]))
    expect(each(some, 'coc_bp')).toEqual(each(some, 'coc_bp').toSorted((a, b) => b - a))
    const made = await me.read<{ plans: Record<string, { coc_bp: number }> }>(
      `/api/homes/${String(some[0]?.['home'])}/workup`,
    )
    expect(made.plans[plan]?.coc_bp).toBe(some[0]?.['coc_bp'])
  }
  const wide = await rows(`/api/finder?${city}&within=25`)
  expect(new Set(wide.map(({ street }) => String(street).split(', ').at(-2)))).toEqual(
    new Set(['Austin', 'Round Rock']),
  )
  expect((await rows(`/api/finder?${city}&within=1`)).length).toBeLessThan(120)
  expect(await rows(`/api/finder?${city}&city=Springfield,+MO`)).toHaveLength(132)
  expect(await me.denied(`/api/finder?${city}&city=Dallas,+TX&within=5`)).toEqual([422, 'RADIUS_NEEDS_ONE_CITY'])
  expect(await me.denied('/api/finder?city=Atlantis,+TX')).toEqual([422, 'PLACE_UNKNOWN'])
  expect(await me.denied('/api/finder')).toEqual([422, 'FIELD_MISSING'])
})

test('markets are ranked by score, and every filter holds and leaves something out', async () => {
  const found = await rows('/api/markets')
  expect(each(found, 'score')).toEqual(each(found, 'score').toSorted((a, b) => b - a))
  const checks: [string, (row: Row) => boolean][] = [
    ['st=TX', (row) => row['st'] === 'TX'],
    ['tier=city', (row) => row['tier'] === 'city'],
    ['meter=A&meter=D', (row) => row['meter'] === 'A' || row['meter'] === 'D'],
    ['rev_from=USD+3500', (row) => dollars(row['rev']) >= 3500],
    ['occ_from=5500', (row) => Number(row['occ_bp']) >= 5500],
  ]
  for (const [query, holds] of checks) {
    expect(await rows(`/api/markets?${query}`)).toEqual(found.filter(holds))
    expect(found.filter(holds).length).toBeGreaterThan(0)
    expect(found.every(holds)).toBe(false)
  }
  const all = new Map(found.map((row) => [row['area'], Number(row['rentals'])]))
  const byKind = await Promise.all(['SFR', 'CND', 'TWN', 'MFR', 'MOB'].map((kind) => rows(`/api/markets?kind=${kind}`)))
  for (const [area, rentals] of all) {
    const parts = byKind.flat().filter((row) => row['area'] === area)
    expect(each(parts, 'rentals').reduce((sum, part) => sum + part, 0)).toBe(rentals)
  }
  for (const query of ['st=tx', 'meter=E', 'kind=condo', 'occ_from=101%25', 'state=TX']) {
    expect((await me.denied(`/api/markets?${query}`))[0]).toBe(422)
  }
})

test('a preset runs on its three sheets with its criteria, in the order of the sheet', async () => {
  const presets = await rows('/api/presets')
  const run = (title: string, query: string): Promise<Grid> =>
    me.read<Grid>(
      `/api/presets/${String(presets.find((preset) => preset['title'] === title)?.['preset'])}/run?${query}`,
    )
  expect((await run('Everything', 'where=Austin,+TX')).vals).toHaveLength(25)
  const everything = rowsOf(await run('Everything', 'where=austin,tx&rows=100'))
  expect(everything).toHaveLength(100)
  const cheap = await run('Starter homes under 300k', 'where=Austin,+TX&rows=100')
  expect(rowsOf(cheap).every((row) => dollars(row['ask']) <= 300_000)).toBe(true)
  expect(cheap.found).toBeLessThan((await run('Everything', 'where=Austin,+TX')).found)
  expect(await run('Unicorns (nothing yet)', 'where=Austin,+TX')).toMatchObject({ found: 0, vals: [] })
  for (const sheet of ['nightly', 'yearly']) {
    const list = rowsOf(await run('Everything', `where=Zilker&sheet=${sheet}&rows=3`))
    const made = await Promise.all(
      list.map(({ home }) => me.read<{ plans: Record<string, { rev: string }> }>(`/api/homes/${String(home)}/workup`)),
    )
    const takings = made.map(({ plans }) => dollars(plans[sheet]?.rev))
    expect(takings).toEqual(takings.toSorted((a, b) => b - a))
    expect(everything.some(({ home }) => home === list[0]?.['home'])).toBe(false)
  }
  const path = `/api/presets/${String(presets[0]?.['preset'])}/run`
  expect(await me.denied(`${path}?where=Downtown`)).toEqual([422, 'PLACE_AMBIGUOUS'])
  expect(await me.denied(path)).toEqual([422, 'FIELD_MISSING'])
  for (const query of ['sheet=sold', 'rows=0', 'rows=101']) {
    expect(await me.denied(`${path}?where=Zilker&${query}`)).toEqual([422, 'FIELD_INVALID'])
  }
})

test('homes nearby come nearest first, never the home itself, and figures add up', async () => {
  const home = String((await rows(`/api/finder?${city}`))[3]?.['home'])
  for (const [lane, own] of [
    ['nightly', 'occ_bp'],
    ['yearly', 'rent'],
    ['sold', 'closed'],
  ] as const) {
    const list = await rows(`/api/homes/${home}/near?lane=${lane}&rows=50`)
    expect(list).toHaveLength(50)
    expect(each(list, 'away_ft')).toEqual(each(list, 'away_ft').toSorted((a, b) => a - b))
    expect(list[0]).toHaveProperty(own)
    expect(await rows(`/api/homes/${home}/near?lane=${lane}`)).toEqual(list.slice(0, 20))
    const other = String(list[0]?.['home'])
    const back = await rows(`/api/homes/${other}/near?lane=${lane}`)
    expect(back.some((row) => row['home'] === other)).toBe(false)
  }
  expect(await me.denied(`/api/homes/${home}/near?lane=sale`)).toEqual([422, 'FIELD_INVALID'])
  expect(await me.denied(`/api/homes/${home}/near?lane=sold&rows=51`)).toEqual([422, 'FIELD_INVALID'])
  interface Workup {
    ask: string
    cash_in: string
    plans: Record<string, Record<string, string>>
  }
  const both = await me.read<Workup>(`/api/homes/${home}/workup`)
  expect(Object.keys(both.plans)).toEqual(['nightly', 'yearly'])
  for (const plan of ['nightly', 'yearly']) {
    const { plans } = await me.read<Workup>(`/api/homes/${home}/workup?plan=${plan}`)
    expect(plans).toEqual({ [plan]: both.plans[plan] })
    const { rev, opex, loan, flow, coc_bp } = plans[plan] ?? {}
    expect(dollars(rev) - dollars(opex) - dollars(loan)).toBe(dollars(flow))
    expect(Math.round((dollars(flow) * 120_000) / dollars(both.cash_in))).toBe(coc_bp)
  }
})

test('made-up, foreign and missing stamps are refused', async () => {
  const { stamp } = (await me.read<Grid>('/api/saved')).list
  expect(await me.denied('/api/saved?page=2')).toEqual([422, 'STAMP_NEEDED'])
  expect(await me.denied(`/api/alerts?page=2&stamp=${stamp}`)).toEqual([422, 'STAMP_UNKNOWN'])
  expect(await me.denied('/api/saved?page=2&stamp=zz')).toEqual([422, 'STAMP_UNKNOWN'])
  for (const query of ['rows=0', 'rows=101', 'page=0'])
    expect(await me.denied(`/api/saved?${query}`)).toEqual([422, 'FIELD_INVALID'])
  expect(await me.denied('/api/saved?limit=5')).toEqual([422, 'FIELD_UNKNOWN'])
  const pdfs = await all(me, '/api/files?kind=pdf', 100)
  expect(new Set(pdfs.map(({ kind }) => kind))).toEqual(new Set(['pdf']))
  expect(pdfs.length).toBeLessThan(64)
})
