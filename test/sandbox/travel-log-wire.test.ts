import { afterAll, beforeAll, expect, test } from 'vitest'
import { travelLog } from '../../sandbox/travel-log/app.ts'
import { namesIn, openApp, type AppPerson, type OpenApp } from './open-app.ts'

type Row = Record<string, unknown>
type Listed = Record<'journeys' | 'entries' | 'remarks' | 'notices', Row[]>

/** As it is, but in no hurry to ban who asks a lot. */
const patient = { ...travelLog, rate: { actions: 10_000, seconds: 10 } }
let app: OpenApp
let people: AppPerson[]
beforeAll(async () => {
  app = await openApp(patient, async (person) => String((await person.read('/v3/self'))['wend']))
  people = await app.people()
})
afterAll(() => app[Symbol.asyncDispose]())

/** The field names of the documents for this app. */
const documented =
  `trip_id name start_date end_date privacy steps distance_km summary travel_buddies countries step_id title
  place country date photos comments story coordinates lat lon media comment_id author body created_at replies trips
  format download_url expires_at status limit since include_media photo_urls`.split(/\s+/)

const journeysOf = async (person: AppPerson): Promise<Row[]> =>
  (await person.read<Listed>('/v3/journeys?count=100')).journeys
const entriesOf = async (person: AppPerson, journey: unknown): Promise<Row[]> =>
  (await person.read<Listed>(`/v3/journeys/${String(journey)}/entries`)).entries
/** The entries of the journeys at these places of the list, each with its details. */
const someEntries = async (person: AppPerson, places: number[]): Promise<Row[]> => {
  const journeys = await journeysOf(person)
  const rows = (await Promise.all(places.map((at) => entriesOf(person, journeys[at]?.['journey'])))).flat()
  const details = rows.map(({ entry }) => person.read<{ entry: Row }>(`/v3/entries/${String(entry)}`))
  return (await Promise.all(details)).map(({ entry }) => entry)
}

test('at least half of the names on the wire are the app’s own, and so are days, moments, places and ways', async () => {
  const demo = await app.person()
  const [entry] = await someEntries(demo, [9])
  const [journey] = (await journeysOf(demo)).slice(9)
  const remarks = (await demo.read<Listed>('/v3/entries/1000040/remarks')).remarks
  const paths = ['/v3/tally', `/v3/journeys/${String(journey?.['journey'])}`, '/v3/notices?count=1']
  const archive = await demo.read(`/v3/journeys/${String(journey?.['journey'])}/archive`)
  const reads = await Promise.all(paths.map((path) => demo.read(path)))
  const names = namesIn([entry, journey, remarks, archive, reads])
  expect(names.size).toBeGreaterThan(40)
  expect(documented.filter((name) => names.has(name)).length).toBeLessThan(documented.length / 8)
  expect(journey?.['first_day']).toBeGreaterThan(20_000_000)
  expect(Number.isInteger(journey?.['metres'])).toBe(true)
  const geo = { lat6: expect.any(Number) as number, lng6: expect.any(Number) as number }
  expect(entry).toMatchObject({ at: expect.any(Number) as number, spot: { geo } })
  expect(remarks).toHaveLength(70)
  const times = remarks.map(({ at }) => Number(at))
  expect(times).toEqual(times.toSorted((a, b) => a - b))
})

test('seeds hold what is awkward: every audience, several zones, no pin, accents, right-to-left, empty and very long texts', async () => {
  for (const person of people.slice(0, 2)) {
    const journeys = await journeysOf(person)
    expect(journeys.length).toBeGreaterThan(60)
    expect(new Set(journeys.map(({ audience }) => audience))).toEqual(new Set(['self', 'circle', 'world']))
    expect(journeys.some(({ entry_count }) => entry_count === 0)).toBe(true)
    expect(Math.max(...journeys.map(({ heading }) => String(heading).length))).toBe(200)
    const entries = await someEntries(person, [12, 13, 14, 15, 16, 18])
    expect(new Set(entries.map(({ zone }) => zone)).size).toBeGreaterThan(4)
    expect(entries.some(({ narrative }) => narrative === '')).toBe(true)
    expect(entries.some(({ gallery }) => (gallery as []).length === 0)).toBe(true)
    const sorts = entries.flatMap(({ gallery }) => (gallery as Row[]).map(({ sort }) => sort))
    expect(new Set(sorts)).toEqual(new Set(['still', 'clip']))
    expect(entries.some(({ spot }) => (spot as Row)['geo'] === null && (spot as Row)['land'] === null)).toBe(true)
    for (const awkward of [/[\u0590-\u06ff]/, /[\u00c0-\u017f]/, /<b>/]) {
      expect(JSON.stringify([journeys, entries])).toMatch(awkward)
    }
    const { entries: big } = await person.read<Listed>(`/v3/journeys/${String(journeys[18]?.['journey'])}/entries`)
    expect(big).toHaveLength(90)
    for (const { teaser } of big) expect(Array.from(String(teaser)).length).toBeLessThanOrEqual(140)
    const ninth = Math.floor(Number(big[0]?.['entry']) / 1e6) * 1e6 + 9
    const { entry } = await person.read<{ entry: Row }>(`/v3/entries/${ninth}`)
    expect(entry['narrative']).toHaveLength(20_000)
  }
})

test('no id is in two accounts, and what belongs to a stranger does not exist', async () => {
  const seen = new Set<unknown>()
  let met = 0
  for (const person of people) {
    for (const { journey } of await journeysOf(person)) {
      seen.add(journey)
      met += 1
    }
  }
  expect(seen.size).toBe(met)
  const [demo, stranger] = people as [AppPerson, AppPerson]
  const journey = String((await journeysOf(stranger))[9]?.['journey'])
  const entry = String((await entriesOf(stranger, journey))[0]?.['entry'])
  expect(Number(entry)).toBeGreaterThan(2_000_000)
  for (const path of ['', '/entries', '/archive']) {
    expect(await demo.denied(`/v3/journeys/${journey}${path}`)).toEqual([404, 'JOURNEY_NOT_FOUND'])
  }
  for (const path of ['', '/remarks']) {
    expect(await demo.denied(`/v3/entries/${entry}${path}`)).toEqual([404, 'ENTRY_NOT_FOUND'])
  }
  const one = { spot: { named: 'Paris' }, at: 0 }
  expect(await demo.refused('POST', `/v3/journeys/${journey}/entries`, one)).toEqual([404, 'JOURNEY_NOT_FOUND'])
  const many = await demo.refused('POST', `/v3/journeys/${journey}/entries/batch`, { entries: [one] })
  expect(many).toEqual([404, 'JOURNEY_NOT_FOUND'])
  expect(await demo.refused('PATCH', `/v3/entries/${entry}`, { heading: 'x' })).toEqual([404, 'ENTRY_NOT_FOUND'])
  expect((await demo.refused('POST', `/v3/entries/${entry}/gallery`, { gallery: ['https://a.example/b'] }))[0]).toBe(
    404,
  )
  expect((await demo.form(`/journeys/${journey}/audience`, { audience: 'self' })).status).toBe(404)
  expect((await demo.form('/remarks/2000001/answers', { words: 'x' })).status).toBe(404)
  expect(await demo.denied(`/v3/journeys?older_than=${journey}`)).toEqual([400, 'PLACE_UNKNOWN'])
  expect(await app.effects(demo)).toEqual([])
})

test('seeds are the same after a reset and in another sandbox', async () => {
  const everything = async (person: AppPerson): Promise<unknown> => [
    await journeysOf(person),
    await someEntries(person, [8, 9, 10]),
    await person.read('/v3/entries/1000040/remarks'),
    await person.read('/v3/notices?count=100'),
  ]
  await app.reset()
  const demo = await app.person()
  const before = await everything(demo)
  await demo.wrote('POST', '/v3/journeys', { heading: 'Gone after the reset', first_day: 20260101 })
  expect(await everything(demo)).not.toEqual(before)
  await app.reset()
  expect(await everything(demo)).toEqual(before)
  await using other = await openApp(patient, async (person) => String((await person.read('/v3/self'))['wend']))
  expect(await everything(await other.person())).toEqual(before)
})

test('pages for people show lists, details and forms, and the forms write', async () => {
  const demo = await app.person()
  const { called, traveller_no } = await demo.read('/v3/self')
  expect([traveller_no, called]).toEqual([demo.account, 'Sólrún on the road'])
  for (const path of ['journeys', 'journeys/1000060', 'entries/1000040', 'tally', 'followers', 'notices']) {
    const page = await demo.get(`/${path}`)
    expect([path, page.status]).toEqual([path, 200])
    expect(await page.text()).toContain(String(called))
  }
  const first = await (await demo.get('/journeys')).text()
  const older = /href="[^"]*(\/journeys\?older_than=\d+)">Older/.exec(first)?.[1] ?? '/none'
  const shown = (page: string): string[] => [...page.matchAll(/journeys\/(\d+)"/g)].map(([, id = '']) => id)
  const second = shown(await (await demo.get(older)).text())
  expect([second.length, second.filter((id) => shown(first).includes(id))]).toEqual([34, []])
  const begun = await demo.form('/journeys', {
    heading: 'By form',
    first_day: '2026-05-17',
    last_day: '',
    audience: 'world',
  })
  const [, id = ''] = /journeys\/(\d+)\?begun=yes$/.exec(begun.headers.get('location') ?? '') ?? []
  const { journey } = await demo.read<{ journey: Row }>(`/v3/journeys/${id}`)
  expect(journey).toMatchObject({ heading: 'By form', first_day: 20260517, last_day: null, audience: 'world' })
  const written = {
    named: '京都',
    wall: '2026-05-18T09:30',
    zone: 'Asia/Tokyo',
    gallery: 'https://a.example/1.jpg\r\n',
  }
  expect((await demo.form(`/journeys/${id}/entries`, written)).status).toBe(303)
  const [entry] = await entriesOf(demo, id)
  expect(entry).toMatchObject({ heading: '京都', at: Date.parse('2026-05-18T09:30+09:00') / 1000, stills: 1 })
  const path = `/entries/${String(entry?.['entry'])}`
  expect((await demo.form(path, { heading: 'Changed', narrative: 'a\r\nb' })).status).toBe(303)
  expect((await demo.form(`${path}/gallery`, { gallery: 'https://a.example/2.mp4' })).status).toBe(303)
  expect((await entriesOf(demo, id))[0]).toMatchObject({ heading: 'Changed', teaser: 'a\nb', stills: 1, clips: 1 })
})
