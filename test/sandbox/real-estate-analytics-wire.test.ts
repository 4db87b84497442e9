import { afterAll, beforeAll, expect, test } from 'vitest'
import { realEstateAnalytics } from '../../sandbox/real-estate-analytics/app.ts'
import { namesIn, openApp, type AppPerson, type OpenApp } from './open-app.ts'

interface Grid {
  cols: string[]
  vals: unknown[][]
  list?: { of: number }
}
type Row = Record<string, unknown>

const findKey = async (person: AppPerson): Promise<string> =>
  (await person.read<{ deskkey: string }>('/api/desk')).deskkey

let app: OpenApp
let people: AppPerson[]
beforeAll(async () => {
  app = await openApp(realEstateAnalytics, findKey)
  people = await app.people()
})
afterAll(() => app[Symbol.asyncDispose]())

/** The field names of the documents for this app. */
const documented = `property_id address price bedrooms bathrooms cash_on_cash cap_rate preset_id name filters price_max
  bedrooms_min property_type cash_invested vacation traditional monthly_revenue monthly_operating_expenses
  monthly_mortgage monthly_cash_flow nightly_rate occupancy distance_miles cities miles budget_min budget_max
  rental_strategy properties presets location tab limit listings strategy type comps state rating_meter
  min_monthly_revenue min_occupancy property_types`.split(/\s+/)

const lists = [
  'finder?city=Austin,+TX',
  'presets',
  'saved?rows=100',
  'alerts?rows=100',
  'files?rows=100',
  'mails?rows=100',
]
const whole = (person: AppPerson): Promise<Grid[]> =>
  Promise.all(lists.map((path) => person.read<Grid>(`/api/${path}`)))
const ids = (grids: Grid[]): unknown[] => grids.map(({ vals }) => vals[0]?.[0])
const rowsOf = ({ cols, vals }: Grid): Row[] =>
  vals.map((row) => Object.fromEntries(cols.map((col, at) => [col, row[at]])))

test('at least half of the names on the wire are the app’s own, and so are money, percents and dates', async () => {
  const demo = await app.person()
  const grids = await whole(demo)
  const markets = await demo.read<Grid>('/api/markets')
  const [home, preset] = ids(grids)
  const paths = [
    `/api/homes/${String(home)}/workup`,
    ...['nightly', 'yearly', 'sold'].map((lane) => `/api/homes/${String(home)}/near?lane=${lane}`),
    `/api/presets/${String(preset)}/run?where=Zilker`,
    '/api/desk',
    '/api/legend',
  ]
  const answers = await Promise.all(paths.map((path) => demo.read(path)))
  const names = namesIn([grids, answers])
  for (const { cols } of [...grids, markets, ...(answers as Partial<Grid>[])].filter((each) => each.cols))
    for (const col of cols ?? []) names.add(col)
  expect(names.size).toBeGreaterThan(60)
  const shared = documented.filter((name) => names.has(name))
  expect(shared.length).toBeLessThanOrEqual(documented.length / 2)
  expect(shared.length).toBeLessThanOrEqual(names.size / 2)
  const [found, , saved] = grids.map(rowsOf)
  for (const row of found ?? []) {
    expect(row['ask']).toMatch(/^USD \d+$/)
    expect(Number.isInteger(row['coc_bp'])).toBe(true)
  }
  for (const row of saved ?? []) expect(row['kept']).toMatch(/^\d{4}\/\d\d\/\d\d$/)
  expect(await demo.denied('/api/finder?city=Austin,+TX&px_to=300000')).toEqual([422, 'FIELD_INVALID'])
})

test('seeds hold what is awkward: every kind, grade and state, accents, right-to-left, empty and very long texts', async () => {
  for (const person of people.slice(0, 3)) {
    const [found, presets, saved, alerts, files, mails] = (await whole(person)).map(rowsOf) as [
      Row[],
      Row[],
      Row[],
      Row[],
      Row[],
      Row[],
    ]
    const values = (rows: Row[], name: string): Set<unknown> => new Set(rows.map((row) => row[name]))
    expect(values(found, 'plan')).toEqual(new Set(['nightly', 'yearly']))
    expect(Math.min(...found.map((row) => Number(row['coc_bp'])))).toBeLessThan(0)
    expect(values(saved, 'kind').size).toBe(5)
    expect(values(saved, 'stars')).toEqual(new Set([null, 1, 2, 3, 4, 5]))
    expect(values(saved, 'lane')).toEqual(new Set(['sale', 'nightly', 'private']))
    expect(values(saved, 'memo')).toContain('')
    expect(saved.some(({ memo }) => String(memo).length === 1000)).toBe(true)
    expect(values(alerts, 'every')).toEqual(new Set(['day', 'week', 'month']))
    expect(values(files, 'kind')).toEqual(new Set(['sheet', 'pdf']))
    expect(presets.some(({ title }) => String(title).length === 120)).toBe(true)
    const markets = rowsOf(await person.read<Grid>('/api/markets'))
    expect(markets.length).toBeGreaterThanOrEqual(60)
    expect(values(markets, 'meter')).toEqual(new Set(['A', 'B', 'C', 'D']))
    for (const rows of [found, saved, alerts, files, mails]) expect(rows.length).toBeGreaterThanOrEqual(60)
    const texts = JSON.stringify([found, presets, saved, markets])
    for (const awkward of [/[\u0590-\u05ff]/, /[\u0600-\u06ff]/, /[\u00c0-\u017f]/, /</]) expect(texts).toMatch(awkward)
    expect(found.some(({ street }) => String(street).length > 150)).toBe(true)
  }
})

test('no id is in two accounts, and what belongs to a stranger does not exist', async () => {
  const seen = new Set<unknown>()
  let met = 0
  for (const person of people) {
    const grids = await whole(person)
    for (const at of [0, 1, 3, 4, 5]) {
      for (const [id] of grids[at]?.vals ?? []) seen.add(id)
      met += grids[at]?.vals.length ?? 0
    }
  }
  expect(seen.size).toBe(met)
  const [demo, stranger] = people as [AppPerson, AppPerson]
  const [home, preset, saved, alert, file] = ids(await whole(stranger)).map(String)
  expect(await demo.denied(`/api/homes/${home}/workup`)).toEqual([404, 'HOME_NOT_FOUND'])
  expect(await demo.denied(`/api/homes/${home}/near?lane=sold`)).toEqual([404, 'HOME_NOT_FOUND'])
  expect(await demo.denied(`/api/presets/${preset}/run?where=Zilker`)).toEqual([404, 'PRESET_NOT_FOUND'])
  expect(await demo.denied(`/api/mails?alert=${alert}`)).toEqual([404, 'ALERT_NOT_FOUND'])
  expect(await demo.denied(`/files/${file}/download`)).toEqual([404, 'FILE_NOT_FOUND'])
  expect(await demo.refused('POST', `/api/homes/${home}/pdf`, {})).toEqual([404, 'HOME_NOT_FOUND'])
  expect(await demo.refused('DELETE', `/api/saved/${saved}`)).toEqual([404, 'HOME_NOT_FOUND'])
  for (const path of [`/homes/${home}/keep`, `/presets/${preset}/sheet`, `/presets/${preset}/drop`]) {
    expect((await demo.form(path)).status).toBe(404)
  }
  expect(await app.effects(demo)).toEqual([])
})

test('seeds are the same after a reset and in another sandbox', async () => {
  await app.reset()
  const demo = await app.person()
  const values = async (person: AppPerson) => (await whole(person)).map(({ vals }) => vals)
  const before = await values(demo)
  expect(await values(demo)).toEqual(before)
  await demo.wrote('POST', '/api/workups', { street: '7 Passing Cloud Rd, Miami, FL' })
  expect(await values(demo)).not.toEqual(before)
  await app.reset()
  expect(await values(demo)).toEqual(before)
  await using other = await openApp(realEstateAnalytics, findKey)
  expect(await values(await other.person())).toEqual(before)
})

test('the desk tells whose it is, the key, and what the plan has left', async () => {
  const demo = await app.person()
  expect(await demo.read('/api/desk')).toMatchObject({
    desk_no: demo.account,
    label: 'Peña Holdings',
    plan: 'pro',
    sheets: { used: 3, of: 40 },
    pdfs: { used: 2, of: 40 },
  })
})

test('pages for people show lists, details and forms', async () => {
  const demo = await app.person()
  const [home, preset, saved, alert, file] = ids(await whole(demo)).map(String)
  const details = [
    `homes/${home}`,
    `homes/${saved}`,
    `presets/${preset}?where=Zilker&sheet=nightly`,
    `alerts/${alert}`,
    `files/${file}`,
  ]
  const pages = [
    'finder',
    'finder?city=Austin,+TX',
    'presets',
    'markets',
    'saved?done=kept&home=h-1',
    'alerts',
    'files',
    'mails',
  ]
  for (const path of [...pages, ...details]) {
    const page = await demo.get(`/${path}`)
    expect([path, page.status]).toEqual([path, 200])
    expect(await page.text()).toContain('Peña Holdings')
  }
  const older = /href="[^"]*(\/saved\?[^"]+)">Older/.exec(await (await demo.get('/saved')).text())?.[1]
  const second = await demo.get(older?.replaceAll('&amp;', '&') ?? '/none')
  expect([second.status, (await second.text()).includes('Page 2')]).toEqual([200, true])
})
