import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { travelLog } from '../../sandbox/travel-log/app.ts'
import { openApp, type AppPerson, type OpenApp } from './open-app.ts'
import { codeOf } from './visitor.ts'

type Row = Record<string, unknown>
interface Listed {
  journeys: Row[]
  entries: Row[]
  notices: Row[]
  remarks: (Row & { answers: Row[] })[]
}

/** As it is, but in no hurry to ban who asks a lot. */
const patient = { ...travelLog, rate: { actions: 10_000, seconds: 10 } }
let app: OpenApp
let me: AppPerson
/** All that it tries is refused. */
let calm: AppPerson
beforeAll(async () => {
  app = await openApp(patient, async (person) => String((await person.read('/v3/self'))['wend']))
  calm = await app.newcomer()
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(async () => {
  me = await app.newcomer()
})

const begin = async (audience = 'self'): Promise<number> => {
  const body = { heading: 'New', first_day: 20260301, audience }
  return Number((await me.wrote<{ journey: Row }>('POST', '/v3/journeys', body)).journey['journey'])
}
const journey = async (id: unknown): Promise<Row> =>
  (await me.read<{ journey: Row }>(`/v3/journeys/${String(id)}`)).journey
const entry = async (id: unknown): Promise<Row> => (await me.read<{ entry: Row }>(`/v3/entries/${String(id)}`)).entry
const notices = async (): Promise<Row[]> => (await me.read<Listed>('/v3/notices?count=100')).notices
const actions = async (): Promise<string[]> => (await app.effects(me)).map(({ action }) => action)
/** The first journey of the calm one with entries, and its first entry. */
const theirs = async (): Promise<{ journey: number; entry: number }> => {
  const { journeys } = await calm.read<Listed>('/v3/journeys?count=100')
  const id = Number(journeys.find(({ entry_count }) => Number(entry_count) > 2)?.['journey'])
  return { journey: id, entry: Number((await calm.read<Listed>(`/v3/journeys/${id}/entries`)).entries[0]?.['entry']) }
}
const paris = { named: 'paris, France' }

test('a journey begins for the traveller alone, open-ended, with its texts as sent', async () => {
  const sent = { heading: ' رحلة & <b>', first_day: 19991231 }
  const { journey: made } = await me.wrote<{ journey: Row }>('POST', '/v3/journeys', sent)
  expect(made).toMatchObject({ ...sent, last_day: null, audience: 'self', entry_count: 0, metres: 0, blurb: '' })
  expect(await journey(made['journey'])).toEqual(made)
  const full = { heading: 'x', first_day: 20260301, last_day: 20260301, blurb: 'a\n\n b ', audience: 'circle' }
  expect((await me.wrote<{ journey: Row }>('POST', '/v3/journeys', full)).journey).toMatchObject(full)
  expect(await app.effects(me)).toMatchObject([{ action: 'journey.create', body: sent }, { body: full }])
})

test.each(['self', 'circle', 'world'])(
  'from %s the audience becomes any, the same too; it decides who sees',
  async (from) => {
    const id = await begin(from)
    const before = await notices()
    const asFollower = /pass=(\w+)/.exec(await (await me.get('/followers')).text())?.[1]
    const [outside, follower] = [`${me.base}/see/${id}`, `${me.base}/see/${id}?pass=${asFollower}`]
    for (const to of ['world', 'self', 'circle', 'circle']) {
      const done = await me.form(`/journeys/${id}/audience`, { audience: to })
      expect(done.headers.get('location')).toBe(`/travel-log/journeys/${id}?audience=${to}`)
      expect((await journey(id))['audience']).toBe(to)
      expect((await fetch(outside)).status).toBe(to === 'world' ? 200 : 404)
      expect((await fetch(follower)).status).toBe(to === 'self' ? 404 : 200)
      expect((await me.get(`/see/${id}`)).status).toBe(200)
    }
    expect(await notices()).toEqual(before)
    expect(await actions()).toEqual(['journey.create', ...Array.from({ length: 4 }, () => 'journey.audience')])
  },
)

test.each([
  ['self', 0],
  ['circle', 8],
  ['world', 8],
])('an entry of a journey for %s is told to %i followers', async (audience, told) => {
  const id = await begin(audience)
  const sent = {
    spot: paris,
    at: 1_772_400_000,
    narrative: 'é\n<b>',
    gallery: ['https://a.example/x.MOV?y', 'http://a.example/y'],
  }
  const made = await me.wrote<{ entry: Row; told: number }>('POST', `/v3/journeys/${id}/entries`, sent)
  const geo = { lat6: 48_856_600, lng6: 2_352_200 }
  expect(made).toMatchObject({
    told,
    entry: { heading: 'paris, France', zone: 'Europe/Paris', narrative: 'é\n<b>', clips: 1 },
  })
  expect(made.entry['spot']).toEqual({ label: 'paris, France', land: { iso: 'FR', label: 'France' }, geo })
  expect(await entry(made.entry['entry'])).toEqual(made.entry)
  const mine = (await notices()).filter(({ entry }) => entry === made.entry['entry'])
  expect(mine).toHaveLength(told)
  expect(new Set(mine.map(({ to }) => to)).size).toBe(told)
  expect((await app.effects(me)).slice(1)).toMatchObject([{ action: 'entry.add', body: { journey: id, ...sent } }])
})

test('a place is known by name or nearby, or stays as sent; the zone is that of the place, or as sent, or of home', async () => {
  const id = await begin()
  const add = async (body: Row): Promise<Row> =>
    (await me.wrote<{ entry: Row }>('POST', `/v3/journeys/${id}/entries`, { at: 0, ...body })).entry
  const { home_zone } = await me.read('/v3/self')
  expect(await add({ spot: { named: 'KYÔTO' }, heading: 'h' })).toMatchObject({ zone: 'Asia/Tokyo', heading: 'h' })
  const lost = { label: ' Nowhere ', land: null, geo: null }
  expect(await add({ spot: { named: ' Nowhere ' } })).toMatchObject({
    spot: lost,
    zone: home_zone,
    heading: ' Nowhere ',
  })
  const near = { lat6: 64_200_000, lng6: -21_900_000 }
  expect(await add({ spot: { geo: near }, zone: '-03:30' })).toMatchObject({
    spot: { label: 'Reykjavík', land: { iso: 'IS', label: 'Iceland' }, geo: near },
    zone: '-03:30',
  })
  const sea = { geo: { lat6: -30_000_000, lng6: -90_000_000 } }
  expect((await add({ spot: sea }))['spot']).toEqual({ label: '-30.000000, -90.000000', land: null, ...sea })
  const { lands, metres, entry_count } = await journey(id)
  expect(lands).toEqual([
    { iso: 'JP', label: 'Japan' },
    { iso: 'IS', label: 'Iceland' },
  ])
  expect(entry_count).toBe(4)
  expect(metres).toBeGreaterThan(8_000_000)
})

test('many entries come in at once, sorted by their moments, with one message for each follower, or none at all', async () => {
  const id = await begin('circle')
  const entries = [30, 10, 20].map((at) => ({ spot: paris, at, heading: `at ${at}` }))
  const made = await me.wrote<{ entries: Row[]; told: number }>('POST', `/v3/journeys/${id}/entries/batch`, { entries })
  expect(made.entries.map(({ at }) => at)).toEqual([10, 20, 30])
  const ids = made.entries.map(({ entry }) => Number(entry))
  expect(ids).toEqual(ids.toSorted((a, b) => a - b))
  expect(made.told).toBe(8)
  expect((await me.read<Listed>(`/v3/journeys/${id}/entries`)).entries).toEqual(made.entries)
  expect((await notices()).filter(({ journey }) => journey === id)).toHaveLength(8)
  const path = `/v3/journeys/${id}/entries/batch`
  const broken = await me.write('POST', path, { entries: [...entries, { spot: paris, at: 'noon' }] })
  expect([broken.status, await broken.json()]).toMatchObject([422, { trouble: { about: 'entries.3.at' } }])
  const many = Array.from({ length: 100 }, (_, at) => ({ spot: { named: 'x' }, at }))
  for (let round = 0; round < 3; round += 1) await me.wrote('POST', path, { entries: many })
  expect(await me.refused('POST', path, { entries: many })).toEqual([409, 'JOURNEY_FULL'])
  expect((await journey(id))['entry_count']).toBe(303)
  expect((await actions()).filter((action) => action === 'entries.import')).toHaveLength(4)
})

test('an entry is changed in what is sent only, and pictures are added behind those there', async () => {
  const id = await begin('world')
  const spots = [paris, { named: 'Genève' }]
  for (const [at, spot] of spots.entries()) await me.wrote('POST', `/v3/journeys/${id}/entries`, { spot, at })
  const { entries } = await me.read<Listed>(`/v3/journeys/${id}/entries`)
  const before = { ...(await entry(entries[1]?.['entry'])) }
  const path = `/v3/entries/${String(before['entry'])}`
  const told = (await notices()).length
  for (const change of [{ heading: 'H' }, { narrative: 'N' }, { at: -5 }, { zone: 'Asia/Kathmandu' }]) {
    Object.assign(before, change)
    expect((await me.wrote<{ entry: Row }>('PATCH', path, change)).entry).toEqual(before)
  }
  const far = (await journey(id))['metres']
  await me.wrote('PATCH', path, { spot: { named: 'Sydney' }, narrative: '' })
  expect(await entry(before['entry'])).toMatchObject({
    spot: { label: 'Sydney' },
    zone: 'Asia/Kathmandu',
    narrative: '',
  })
  expect(Number((await journey(id))['metres'])).toBeGreaterThan(Number(far))
  const gallery = ['https://a.example/1.jpg', 'https://a.example/1.jpg']
  expect(await me.wrote('POST', `${path}/gallery`, { gallery })).toMatchObject({ added: 2, entry: { stills: 2 } })
  await me.wrote('POST', `${path}/gallery`, { gallery: ['https://a.example/2.mp4'] })
  const sorts = ['still', 'still', 'clip']
  expect((await entry(before['entry']))['gallery']).toMatchObject(sorts.map((sort) => ({ sort })))
  for (const size of [50, 47]) {
    await me.wrote('POST', `${path}/gallery`, { gallery: Array.from({ length: size }, () => gallery[0]) })
  }
  expect(await me.refused('POST', `${path}/gallery`, { gallery })).toEqual([409, 'MEDIA_FULL'])
  expect((await notices()).length).toBe(told)
  expect((await actions()).slice(3)).toEqual([
    ...Array.from({ length: 5 }, () => 'entry.edit'),
    ...Array.from({ length: 4 }, () => 'entry.media'),
  ])
})

test('a remark is answered, more than once, and whoever left it is written to', async () => {
  const own = Math.floor((await begin()) / 1e6) * 1e6 + 40
  const read = async (): Promise<Listed['remarks']> => (await me.read<Listed>(`/v3/entries/${own}/remarks`)).remarks
  const open = (await read()).filter(({ answers }) => answers.length === 0)
  expect(open.length).toBeGreaterThan(3)
  const id = Number(open[1]?.['remark'])
  for (const words of [' Danke!\n', 'شكرا']) {
    const done = await me.form(`/remarks/${id}/answers`, { words })
    const { answers = [] } = (await read()).find(({ remark }) => remark === id) ?? {}
    expect(answers.at(-1)).toMatchObject({ words })
    const { answer, at } = answers.at(-1) ?? {}
    const place = `/travel-log/entries/${own}?remark=${id}&answer=${String(answer)}&at=${String(at)}#remark-${id}`
    expect([done.status, done.headers.get('location')]).toEqual([303, place])
    expect((await notices())[0]).toMatchObject({ sort: 'answer', words, entry: own, at })
  }
  expect(await app.effects(me)).toMatchObject([
    {},
    { action: 'remark.answer', body: { remark: id } },
    { body: { remark: id } },
  ])
})

test.each<[string, string, unknown, number, string]>([
  ['POST', '/v3/journeys', [], 400, 'BODY_INVALID'],
  ['POST', '/v3/journeys', { heading: ' ', first_day: 20260101 }, 422, 'FIELD_REQUIRED'],
  ['POST', '/v3/journeys', { heading: 'x'.repeat(201), first_day: 20260101 }, 422, 'TEXT_TOO_LONG'],
  ['POST', '/v3/journeys', { heading: 7, first_day: 20260101 }, 422, 'TEXT_INVALID'],
  ['POST', '/v3/journeys', { heading: 'x' }, 422, 'FIELD_REQUIRED'],
  ['POST', '/v3/journeys', { heading: 'x', first_day: 20260229 }, 422, 'DAY_INVALID'],
  ['POST', '/v3/journeys', { heading: 'x', first_day: 20260102, last_day: 20260101 }, 422, 'DAYS_BACKWARDS'],
  ['POST', '/v3/journeys', { heading: 'x', first_day: 20260101, audience: 'all' }, 422, 'CHOICE_INVALID'],
  ['POST', '/v3/journeys', { heading: 'x', first_day: 20260101, companions: [] }, 422, 'FIELD_UNKNOWN'],
  ['POST', '{journey}/entries', { at: 0 }, 422, 'FIELD_REQUIRED'],
  ['POST', '{journey}/entries', { spot: 'Paris', at: 0 }, 422, 'OBJECT_INVALID'],
  ['POST', '{journey}/entries', { spot: {}, at: 0 }, 422, 'SPOT_INVALID'],
  ['POST', '{journey}/entries', { spot: { geo: { lat6: 90_000_001, lng6: 0 } }, at: 0 }, 422, 'NUMBER_INVALID'],
  ['POST', '{journey}/entries', { spot: paris, at: 1.5 }, 422, 'NUMBER_INVALID'],
  ['POST', '{journey}/entries', { spot: paris, at: 0, zone: 'Mars/Olympus' }, 422, 'ZONE_UNKNOWN'],
  ['POST', '{journey}/entries', { spot: paris, at: 0, gallery: ['ftp://a.example/b'] }, 422, 'MEDIA_INVALID'],
  ['POST', '{journey}/entries/batch', { entries: [] }, 422, 'LIST_INVALID'],
  ['PATCH', '{entry}', {}, 422, 'NOTHING_TO_CHANGE'],
  ['PATCH', '{entry}', { heading: '' }, 422, 'FIELD_REQUIRED'],
  ['PATCH', '{entry}', { gallery: [] }, 422, 'FIELD_UNKNOWN'],
  ['POST', '{entry}/gallery', { gallery: [] }, 422, 'LIST_INVALID'],
  [
    'POST',
    '{entry}/gallery',
    { gallery: ['https://a.example/1', 'https://a.example/missing'] },
    422,
    'MEDIA_UNREACHABLE',
  ],
])('%s %s with %j is refused', async (method, path, body, status, code) => {
  const ids = await theirs()
  const full = path.replace('{journey}', `/v3/journeys/${ids.journey}`).replace('{entry}', `/v3/entries/${ids.entry}`)
  expect(await calm.refused(method, full, body)).toEqual([status, code])
})

test('refused forms and a traveller who is not confirmed change nothing and leave no effect', async () => {
  const ids = await theirs()
  const refused = async (person: AppPerson, path: string, fields: Record<string, string>): Promise<unknown[]> => {
    const response = await person.form(path, fields)
    return [response.status, await codeOf(response)]
  }
  const audience = `/journeys/${ids.journey}/audience`
  expect(await refused(calm, audience, { audience: 'friends' })).toEqual([422, 'CHOICE_INVALID'])
  expect(await refused(calm, audience, {})).toEqual([422, 'FIELD_REQUIRED'])
  expect(await refused(calm, audience, { audience: 'self', more: '1' })).toEqual([422, 'FIELD_UNKNOWN'])
  expect(await refused(calm, '/remarks/1/answers', { words: 'x' })).toEqual([404, 'REMARK_NOT_FOUND'])
  expect(await app.effects(calm)).toEqual([])
  const guest = await app.newcomer('unconfirmed')
  const own = Number((await guest.read<Listed>('/v3/journeys?phase=behind&count=1')).journeys[0]?.['journey'])
  const base = Math.floor(own / 1e6) * 1e6
  const denied = [403, 'MAIL_UNCONFIRMED']
  expect(await guest.refused('POST', '/v3/journeys', { heading: 'x', first_day: 20260101 })).toEqual(denied)
  expect(await guest.refused('POST', `/v3/journeys/${own}/entries`, { spot: paris, at: 0 })).toEqual(denied)
  expect(await guest.refused('POST', `/v3/journeys/${own}/entries/batch`, { entries: [] })).toEqual(denied)
  expect(await guest.refused('PATCH', `/v3/entries/${base + 40}`, { heading: 'x' })).toEqual(denied)
  expect(await guest.refused('POST', `/v3/entries/${base + 40}/gallery`, { gallery: [] })).toEqual(denied)
  expect(await refused(guest, `/journeys/${own}/audience`, { audience: 'world' })).toEqual(denied)
  expect(await refused(guest, `/remarks/${base + 1}/answers`, { words: 'x' })).toEqual(denied)
  expect(await app.effects(guest)).toEqual([])
})

test('an archive holds the route, the stories or all of it, with the originals if asked, and its link ends after an hour', async () => {
  const { journeys } = await me.read<Listed>('/v3/journeys?phase=behind')
  const id = journeys.find(({ entry_count }) => Number(entry_count) > 4)?.['journey']
  const { entries } = await me.read<Listed>(`/v3/journeys/${String(id)}/entries`)
  const pack = async (query: string): Promise<Row> =>
    (await me.read<{ archive: Row }>(`/v3/journeys/${String(id)}/archive?${query}`)).archive
  const fetched = async ({ href }: Row): Promise<Response> => fetch(String(href))
  const plain = await pack('')
  expect(plain).toMatchObject({ journey: id, as: 'json', originals: false, entry_count: entries.length })
  expect(Math.abs(Number(plain['good_until']) - Date.now() / 1000 - 3600)).toBeLessThan(60)
  const kept = (await (await fetched(plain)).json()) as { entries: Row[] }
  expect(kept.entries.map(({ entry }) => entry)).toEqual(entries.map(({ entry }) => entry))
  const route = await (await fetched(await pack('as=gpx'))).text()
  expect(route.match(/<rtept /g)).toHaveLength(entries.filter(({ spot }) => (spot as Row)['geo'] !== null).length)
  expect(await (await fetched(await pack('as=md'))).text()).toContain(`## ${String(entries[0]?.['heading'])}`)
  const zipped = Buffer.from(await (await fetched(await pack('as=md&originals=yes'))).arrayBuffer())
  const media = entries.reduce((sum, { stills, clips }) => sum + Number(stills) + Number(clips), 0)
  expect(zipped.readUInt16LE(zipped.length - 12)).toBe(media + 1)
  expect((await pack(''))['href']).toBe(plain['href'])
  const later = vi.spyOn(Date, 'now').mockReturnValue((Number(plain['good_until']) + 61) * 1000)
  const expired = await fetched(plain)
  later.mockRestore()
  expect([expired.status, await codeOf(expired)]).toEqual([410, 'ARCHIVE_EXPIRED'])
  expect((await fetch(`${me.base}/take-away/made-up`)).status).toBe(404)
  expect(await app.effects(me)).toEqual([])
})
