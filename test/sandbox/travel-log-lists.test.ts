import { afterAll, beforeAll, expect, test } from 'vitest'
import { travelLog } from '../../sandbox/travel-log/app.ts'
import { openApp, type AppPerson, type OpenApp } from './open-app.ts'

type Row = Record<string, unknown>
interface Listed {
  journeys: Row[]
  entries: Row[]
  notices: Row[]
  older_than: number | null
}

/** As it is, but in no hurry to ban who asks a lot. */
const patient = { ...travelLog, rate: { actions: 10_000, seconds: 10 } }
let app: OpenApp
let me: AppPerson
beforeAll(async () => {
  app = await openApp(patient, async (person) => String((await person.read('/v3/self'))['wend']))
  me = await app.newcomer()
})
afterAll(() => app[Symbol.asyncDispose]())

/** Reads a list to its end, with something happening after each page. */
async function whole(path: string, name: 'journeys' | 'notices', meanwhile?: () => Promise<unknown>): Promise<Row[]> {
  const seen: Row[] = []
  for (let place = ''; ;) {
    const answer = await me.read<Listed>(`${path}${place}`)
    seen.push(...answer[name])
    if (answer.older_than === null) return seen
    place = `&older_than=${answer.older_than}`
    await meanwhile?.()
  }
}

const idsOf = (rows: Row[], name: string): unknown[] => rows.map((row) => row[name])

test('journeys come latest first day first, in pages of any size, and those begun meanwhile move nothing', async () => {
  const all = await whole('/v3/journeys?count=100', 'journeys')
  const sorted = all.toSorted(
    (a, b) => Number(b['first_day']) - Number(a['first_day']) || Number(b['journey']) - Number(a['journey']),
  )
  expect(all).toEqual(sorted)
  expect((await me.read<Listed>('/v3/journeys')).journeys).toEqual(all.slice(0, 40))
  expect(await whole('/v3/journeys?count=7', 'journeys')).toEqual(all)
  const [first] = all
  const seen = await whole('/v3/journeys?count=1', 'journeys', () =>
    me.wrote('POST', '/v3/journeys', { heading: 'Meanwhile', first_day: first?.['first_day'] }),
  )
  expect(idsOf(seen, 'journey')).toEqual(idsOf(all, 'journey'))
})

test('journeys are ahead, underway or behind by the day that it is at home', async () => {
  const { home_zone } = await me.read('/v3/self')
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: String(home_zone) })
  const today = Number(format.format(Date.now()).replaceAll('-', ''))
  for (const open of [null, today]) {
    await me.wrote('POST', '/v3/journeys', { heading: 'Edge', first_day: today, last_day: open })
  }
  const phaseOf = ({ first_day, last_day }: Row): string => {
    if (Number(first_day) > today) return 'ahead'
    return last_day !== null && Number(last_day) < today ? 'behind' : 'underway'
  }
  const all = await whole('/v3/journeys?count=100&phase=any', 'journeys')
  for (const phase of ['ahead', 'underway', 'behind']) {
    const wanted = all.filter((journey) => phaseOf(journey) === phase)
    expect(wanted.length).toBeGreaterThan(4)
    expect(await whole(`/v3/journeys?count=3&phase=${phase}`, 'journeys')).toEqual(wanted)
  }
})

test('entries come in the order of their moments, all or from a day on by their own clocks', async () => {
  const { journeys } = await me.read<Listed>('/v3/journeys?count=100')
  const big = journeys.find(({ entry_count }) => entry_count === 90)
  const path = `/v3/journeys/${String(big?.['journey'])}/entries`
  const { entries: all } = await me.read<Listed>(path)
  const times = all.map(({ at }) => Number(at))
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  const dayOf = ({ at, zone }: Row): number =>
    Number(new Intl.DateTimeFormat('sv-SE', { timeZone: String(zone) }).format(Number(at) * 1000).replaceAll('-', ''))
  for (const nth of [0, 30, 60]) {
    const day = dayOf(all[nth] ?? {})
    const wanted = all.filter((entry) => dayOf(entry) >= day)
    expect((await me.read<Listed>(`${path}?from_day=${day}`)).entries).toEqual(wanted)
    if (nth > 0) expect(wanted.length).toBeLessThan(all.length)
  }
  expect((await me.read<Listed>(`${path}?from_day=21001231`)).entries).toEqual([])
})

test('messages come latest first, and those sent meanwhile move nothing', async () => {
  const all = await whole('/v3/notices?count=100', 'notices')
  expect(all.length).toBeGreaterThan(60)
  expect(idsOf(all, 'notice')).toEqual(idsOf(all, 'notice').toSorted((a, b) => Number(b) - Number(a)))
  const { journeys } = await me.read<Listed>('/v3/journeys?count=100')
  const path = `/v3/journeys/${String(journeys.find(({ audience }) => audience === 'world')?.['journey'])}/entries`
  const tell = (): Promise<unknown> => me.wrote('POST', path, { spot: { named: 'Here' }, at: 0 })
  expect(await whole('/v3/notices?count=25', 'notices', tell)).toEqual(all)
  expect((await me.read<Listed>('/v3/notices?count=1')).notices[0]).toMatchObject({ words: 'Here', sort: 'entry' })
})

test('the tally is the sum of all journeys', async () => {
  const journeys = await whole('/v3/journeys?count=100', 'journeys')
  const sum = (name: string): number => journeys.reduce((total, row) => total + Number(row[name]), 0)
  const details = journeys
    .filter(({ entry_count }) => Number(entry_count) > 0)
    .map(({ journey }) => me.read<{ journey: { lands: { iso: string }[] } }>(`/v3/journeys/${String(journey)}`))
  const lands = new Set((await Promise.all(details)).flatMap(({ journey }) => journey.lands.map(({ iso }) => iso)))
  const tally = { journey_count: journeys.length, entry_count: sum('entry_count'), metres: sum('metres') }
  expect(await me.read('/v3/tally')).toEqual({ tally: { ...tally, land_count: lands.size } })
  expect(lands.size).toBeGreaterThan(15)
})

test.each([
  ['/v3/journeys?count=0', 'PARAMETER_INVALID'],
  ['/v3/journeys?count=101', 'PARAMETER_INVALID'],
  ['/v3/journeys?count=x', 'PARAMETER_INVALID'],
  ['/v3/journeys?phase=all', 'PARAMETER_INVALID'],
  ['/v3/journeys?phase=any&phase=any', 'PARAMETER_INVALID'],
  ['/v3/journeys?limit=5', 'PARAMETER_UNKNOWN'],
  ['/v3/journeys?older_than=1', 'PLACE_UNKNOWN'],
  ['/v3/notices?older_than=abc', 'PLACE_UNKNOWN'],
  ['/v3/journeys/1000060/entries?from_day=2026-01-01', 'PARAMETER_INVALID'],
  ['/v3/journeys/1000060/entries?from_day=20260229', 'PARAMETER_INVALID'],
  ['/v3/journeys/1000060/archive?as=pdf', 'PARAMETER_INVALID'],
  ['/v3/journeys/1000060/archive?originals=true', 'PARAMETER_INVALID'],
])('%s is refused', async (path, code) => {
  expect(await (await app.person()).denied(path)).toEqual([400, code])
})
