import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { videoStreaming } from '../../sandbox/video-streaming/app.ts'
import { openApp, type AppPerson, type OpenApp } from './open-app.ts'
import { codeOf } from './visitor.ts'

type Row = Record<string, unknown>
interface One {
  payload: Row
}
interface Many {
  payload: Row[]
  'page-info': { total: number }
}

let app: OpenApp
let me: AppPerson
/** All that it tries is refused. */
let calm: AppPerson
beforeAll(async () => {
  app = await openApp(videoStreaming, async (person) =>
    String((await person.read<One>('/api/whoami')).payload['ticket']),
  )
  calm = await app.newcomer()
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(async () => {
  me = await app.newcomer()
})

const ids = async (person: AppPerson, airing: string): Promise<string[]> =>
  (await person.read<Many>(`/api/clips?airing=${airing}&limit=100`)).payload.map(({ clip }) => String(clip))
const clip = async (id = ''): Promise<Row> => (await me.read<One>(`/api/clips/${id}`)).payload
const refusedForm = async (path: string, fields: Record<string, string>): Promise<[number, string | undefined]> => {
  const response = await calm.form(path, fields)
  return [response.status, await codeOf(response)]
}
const actions = async (): Promise<string[]> => (await app.effects(me)).map(({ action }) => action)
const source = 'https://cdn.example/films/Été%201.mp4?signature=a%2Fb&expires=9'
const soon = '2031-01-31T20:00:00+05:45'

test('an upload is hidden, being encoded and in the list, with its texts as sent', async () => {
  const shelf = String((await me.read<Many>('/api/shelves')).payload[2]?.['shelf'])
  const sent = { source, heading: ' مرحبا & <b>ciao</b> ', blurb: 'Zwei\n\nZeilen ', shelves: [shelf] }
  const { payload } = await me.wrote<One>('POST', '/api/clips', sent)
  expect(payload).toMatchObject({ heading: sent.heading, airing: 'hidden', encoding: 'running', shelves: [shelf] })
  expect(await clip(String(payload['clip']))).toMatchObject({
    ...payload,
    blurb: sent.blurb,
    labels: [],
    'in-series': [],
  })
  expect((await me.read<Many>('/api/clips?limit=1')).payload).toEqual([payload])
  expect(await app.effects(me)).toMatchObject([{ action: 'clip.upload', body: { ...sent, clip: payload['clip'] } }])
})

test('a hidden clip goes on air at once, with e-mail to the members who want it, and only once', async () => {
  const [first = ''] = await ids(me, 'hidden')
  const { 'mail-list': size } = (await me.read<One>('/api/whoami')).payload
  const done = await me.form(`/studio/clips/${first}/air`, { when: 'now', 'tell-members': 'yes' })
  expect([done.status, done.headers.get('location')]).toEqual([
    303,
    `/video-streaming/studio/clips/${first}?done=public&mailed=${String(size)}`,
  ])
  expect(await clip(first)).toMatchObject({ airing: 'public', 'goes-out': null, teaser: false })
  const { payload } = await me.read<Many>(`/api/outbox?clip=${first}&limit=100`)
  expect(new Set(payload.map((mail) => mail['sent-to'])).size).toBe(size)
  expect(new Set(payload.map(({ state }) => state))).toEqual(new Set(['sent']))
  expect(await codeOf(await me.form(`/studio/clips/${first}/air`, { when: 'now' }))).toBe('NOT_HIDDEN')
  expect(await actions()).toEqual(['clip.air'])
})

test('a hidden clip is timed, with a teaser and e-mail that waits, and others get none', async () => {
  const [, , second = '', third = ''] = await ids(me, 'hidden')
  const fields = { when: 'later', 'goes-out': soon, teaser: 'yes', 'tell-members': 'yes' }
  const done = new URL((await me.form(`/studio/clips/${second}/air`, fields)).headers.get('location') ?? '', me.base)
  expect(done.searchParams.get('done')).toBe('timed')
  const goesOut = String((await clip(second))['goes-out'])
  expect(Date.parse(goesOut)).toBe(Date.parse(soon))
  expect(done.searchParams.get('goes-out')).toBe(goesOut)
  expect(await clip(second)).toMatchObject({ airing: 'timed', teaser: true })
  const mails = (await me.read<Many>(`/api/outbox?clip=${second}&limit=100`)).payload
  expect(mails.map((mail) => mail['goes-out'])).toContain(goesOut)
  expect(new Set(mails.map(({ state }) => state))).toEqual(new Set(['waiting']))
  await me.form(`/studio/clips/${third}/air`, { when: 'later', 'goes-out': soon })
  expect((await me.read<Many>(`/api/outbox?clip=${third}`))['page-info'].total).toBe(0)
  expect(await actions()).toEqual(['clip.air', 'clip.air'])
})

test('what is not hidden is not put on air, and neither is what the form says wrongly', async () => {
  const [timed = ''] = await ids(calm, 'timed')
  const [open = ''] = await ids(calm, 'public')
  const [hidden = ''] = await ids(calm, 'hidden')
  const later = { when: 'later', 'goes-out': soon }
  for (const id of [timed, open]) {
    for (const fields of [{ when: 'now' }, later]) {
      expect(await refusedForm(`/studio/clips/${id}/air`, fields)).toEqual([409, 'NOT_HIDDEN'])
    }
  }
  const wrong: [Record<string, string>, string][] = [
    [{}, 'FIELD_REQUIRED'],
    [{ when: 'later' }, 'FIELD_REQUIRED'],
    [{ when: 'now', 'goes-out': soon }, 'NOT_WITH_NOW'],
    [{ when: 'now', teaser: 'yes' }, 'NOT_WITH_NOW'],
    [{ when: 'later', 'goes-out': '2020-01-01T00:00:00+00:00' }, 'MOMENT_PAST'],
    [{ when: 'later', 'goes-out': '2031-02-30T00:00:00+00:00' }, 'MOMENT_INVALID'],
    [{ when: 'later', 'goes-out': '2031-02-20T00:00:00Z' }, 'MOMENT_INVALID'],
    [{ when: 'soon' }, 'CHOICE_INVALID'],
    [{ when: 'now', loud: 'yes' }, 'FIELD_UNKNOWN'],
  ]
  for (const [fields, code] of wrong)
    expect(await refusedForm(`/studio/clips/${hidden}/air`, fields)).toEqual([422, code])
  expect((await calm.read<One>(`/api/clips/${hidden}`)).payload).toMatchObject({ airing: 'hidden' })
  expect(await app.effects(calm)).toEqual([])
})

test('an edit changes what it names in any state, and the search finds it by its new heading', async () => {
  for (const airing of ['hidden', 'timed', 'public']) {
    const [, id = ''] = await ids(me, airing)
    const before = await clip(id)
    const edit = { heading: `Neu ${airing}`, labels: ['קיץ', 'b'], shelves: [] }
    const { payload } = await me.wrote<One>('PATCH', `/api/clips/${id}`, edit)
    expect(payload).toEqual({ ...before, ...edit, 'in-catalogue': false })
    expect(await clip(id)).toEqual(payload)
    expect((await me.read<Many>(`/api/clips?find=neu%20${airing}`)).payload.map((row) => row['clip'])).toEqual([id])
  }
  expect(await actions()).toEqual(['clip.edit', 'clip.edit', 'clip.edit'])
})

test('a series is made from clips, hidden; its order, breaks and waits are replaced as a whole', async () => {
  const [a = '', b = '', c = ''] = await ids(me, 'public')
  const made = (await me.wrote<One>('POST', '/api/series', { heading: 'Série', clips: [b, a] })).payload
  expect(made).toMatchObject({ airing: 'hidden', gate: 'members', 'clip-count': 2, 'in-catalogue': false })
  const path = `/api/series/${String(made['series'])}`
  expect((await me.read<One>(path)).payload).toEqual(made)
  expect((await clip(a))['in-series']).toContain(made['series'])
  const week = 7 * 86_400_000
  const order = [
    { kind: 'break', caption: 'Teil 1' },
    { kind: 'clip', clip: c },
    { kind: 'clip', clip: b, 'unlock-after-ms': week },
  ]
  await me.wrote('PATCH', `${path}/running-order`, { 'running-order': order })
  expect((await me.read<One>(path)).payload).toMatchObject({
    'clip-count': 2,
    'running-order': [order[0], { clip: c, 'unlock-after-ms': 0 }, { clip: b, 'unlock-after-ms': week }],
  })
  expect((await clip(a))['in-series']).not.toContain(made['series'])
  await me.wrote('PATCH', `${path}/running-order`, { 'running-order': [] })
  expect((await me.read<One>(path)).payload).toMatchObject({ 'clip-count': 0, 'running-order': [] })
  const open = (await me.wrote<One>('POST', '/api/series', { heading: 'Open', gate: 'open', clips: [a] })).payload
  const late = { 'running-order': [{ kind: 'clip', clip: a, 'unlock-after-ms': week }] }
  const gate = await me.refused('PATCH', `/api/series/${String(open['series'])}/running-order`, late)
  expect(gate).toEqual([422, 'WAIT_NEEDS_GATE'])
  expect((await me.read<One>(`/api/series/${String(open['series'])}`)).payload).toEqual(open)
  expect(await actions()).toEqual(['series.create', 'series.order', 'series.order', 'series.create'])
})

test('a show by RTMP tells its secret once, the others none', async () => {
  const show = { heading: 'Live', begins: soon, via: 'rtmp-feed', 'sign-up': true }
  const { ingest, ...rest } = (await me.wrote<One>('POST', '/api/shows', show)).payload
  expect(rest).toMatchObject({ heading: 'Live', via: 'rtmp-feed', phase: 'upcoming', 'sign-up': true })
  expect(Date.parse(String(rest['begins']))).toBe(Date.parse(soon))
  const { address, secret } = ingest as { address: string; secret: string }
  expect([address.slice(0, 7), secret.length]).toEqual(['rtmp://', 20])
  const later = await Promise.all([
    me.read(`/api/shows/${String(rest['show'])}`),
    me.read('/api/shows?limit=100'),
    app.effects(me),
    (await me.get(`/studio/shows/${String(rest['show'])}`)).text(),
  ])
  expect(JSON.stringify(later)).toContain(rest['show'])
  expect(JSON.stringify(later)).not.toContain(secret)
  for (const via of ['browser-studio', 'meeting']) {
    expect((await me.wrote<One>('POST', '/api/shows', { ...show, via })).payload).not.toHaveProperty('ingest')
  }
  expect(await actions()).toEqual(['show.create', 'show.create', 'show.create'])
})

test('coupons keep what the form said, and a code is there once', async () => {
  const series = String((await me.read<Many>('/api/series?limit=1')).payload[0]?.['series'])
  const fields = {
    'promo-code': 'Été'.normalize('NFD').replaceAll(/\W/g, '') + '-2031',
    'off-kind': 'amount',
    'off-value': '1250',
  }
  const limits = { covers: 'one-series', series, 'uses-total': '10', 'uses-each': '2', until: soon }
  const done = await me.form('/studio/coupons', { ...fields, ...limits })
  const id = /\/studio\/coupons\/(c\d+)\?done=created$/.exec(done.headers.get('location') ?? '')?.[1] ?? ''
  const { payload } = await me.read<One>(`/api/coupons/${id}`)
  expect(payload).toMatchObject({
    'promo-code': fields['promo-code'],
    off: { minor: 1250 },
    covers: 'one-series',
    series,
  })
  expect(payload).toMatchObject({ 'uses-total': 10, 'uses-each': 2, used: 0 })
  expect(Date.parse(String(payload['until']))).toBe(Date.parse(soon))
  expect((await me.read<Many>('/api/coupons?limit=1')).payload).toEqual([payload])
  const again = await me.form('/studio/coupons', { ...fields, 'promo-code': fields['promo-code'].toUpperCase() })
  expect([again.status, await codeOf(again)]).toEqual([409, 'CODE_TAKEN'])
  const [effect, ...others] = await app.effects(me)
  expect([effect?.body, others]).toEqual([
    { coupon: id, ...fields, ...limits, 'off-value': 1250, 'uses-total': 10, 'uses-each': 2 },
    [],
  ])
  for (const [wrong, code] of [
    [{ 'off-kind': 'percent', 'off-value': '101' }, 'NUMBER_INVALID'],
    [{ 'off-value': '12.5' }, 'NUMBER_INVALID'],
    [{ 'promo-code': 'a b' }, 'CODE_INVALID'],
    [{ covers: 'one-series' }, 'SERIES_MISPLACED'],
    [{ until: '2020-01-01T00:00:00+01:00' }, 'MOMENT_PAST'],
  ] as const) {
    expect(await refusedForm('/studio/coupons', { ...fields, ...wrong })).toEqual([422, code])
  }
})

test('a post is by the person who is signed in, now or later', async () => {
  const rooms = (await me.read<Many>('/api/community/rooms')).payload
  const path = `/api/community/rooms/${String(rooms.find((room) => room['open-to'] === 'invited')?.['room'])}/posts`
  const words = 'سلام <b>\n\n '
  const now = (await me.wrote<One>('POST', path, { words })).payload
  const later = (await me.wrote<One>('POST', path, { words: 'Bald', 'goes-out': soon })).payload
  const { person } = (await me.read<One>('/api/whoami')).payload
  expect([now, later]).toMatchObject([
    { by: person, words, state: 'out' },
    { by: person, state: 'waiting' },
  ])
  expect((await me.read<Many>(`${path}?limit=2`)).payload).toEqual([later, now])
  expect(await actions()).toEqual(['post.create', 'post.create'])
})

test('JSON bodies with anything wrong are refused with their own code, and nothing is done', async () => {
  const [id = '', other = ''] = await ids(calm, 'public')
  const series = String((await calm.read<Many>('/api/series?limit=1')).payload[0]?.['series'])
  const room = String((await calm.read<Many>('/api/community/rooms')).payload[0]?.['room'])
  const order = (entry: Row): Row => ({ 'running-order': [{ kind: 'clip', clip: other }, entry] })
  const show = { heading: 'x', begins: soon, via: 'meeting' }
  const cases: [string, string, unknown, number, string][] = [
    ['POST', 'clips', [], 400, 'BODY_INVALID'],
    ['POST', 'clips', { heading: 'x' }, 422, 'FIELD_REQUIRED'],
    ['POST', 'clips', { source, heading: ' ' }, 422, 'FIELD_REQUIRED'],
    ['POST', 'clips', { source, heading: 'x'.repeat(201) }, 422, 'TEXT_TOO_LONG'],
    ['POST', 'clips', { source, heading: 7 }, 422, 'TEXT_INVALID'],
    ['POST', 'clips', { source, heading: 'x', title: 'x' }, 422, 'FIELD_UNKNOWN'],
    ['POST', 'clips', { source, heading: 'x', shelves: ['h1'] }, 404, 'SHELF_NOT_FOUND'],
    ['POST', 'clips', { source: 'film.mp4', heading: 'x' }, 422, 'SOURCE_INVALID'],
    ['POST', 'clips', { source: 'http://10.0.0.8/a.mp4', heading: 'x' }, 422, 'SOURCE_NOT_PUBLIC'],
    ['POST', 'clips', { source: 'https://cdn.example/missing.mp4', heading: 'x' }, 422, 'SOURCE_NOT_FOUND'],
    ['POST', 'clips', { source: 'https://cdn.example/a.pdf', heading: 'x' }, 422, 'NOT_A_VIDEO'],
    ['PATCH', `clips/${id}`, {}, 422, 'NOTHING_TO_CHANGE'],
    ['PATCH', `clips/${id}`, { heading: 'x', labels: ['a', 'a'] }, 422, 'LISTED_TWICE'],
    ['PATCH', `clips/${id}`, { airing: 'public' }, 422, 'FIELD_UNKNOWN'],
    ['POST', 'series', { heading: 'x', clips: [] }, 422, 'FIELD_REQUIRED'],
    ['POST', 'series', { heading: 'x', clips: [id, id] }, 422, 'LISTED_TWICE'],
    ['PATCH', `series/${series}/running-order`, order({ kind: 'clip', clip: other }), 422, 'LISTED_TWICE'],
    ['PATCH', `series/${series}/running-order`, order({ kind: 'clip', clip: 'v1' }), 404, 'CLIP_NOT_FOUND'],
    ['PATCH', `series/${series}/running-order`, order({ kind: 'break' }), 422, 'FIELD_REQUIRED'],
    [
      'PATCH',
      `series/${series}/running-order`,
      order({ kind: 'clip', clip: id, 'unlock-after-ms': 5 }),
      422,
      'WAIT_NOT_IN_DAYS',
    ],
    [
      'PATCH',
      `series/${series}/running-order`,
      order({ kind: 'clip', clip: id, 'unlock-after-ms': '0' }),
      422,
      'NUMBER_INVALID',
    ],
    ['POST', 'shows', { ...show, via: 'radio' }, 422, 'CHOICE_INVALID'],
    ['POST', 'shows', { ...show, 'sign-up': 'yes' }, 422, 'FLAG_INVALID'],
    ['POST', 'shows', { ...show, begins: '2020-01-01T00:00:00+00:00' }, 422, 'MOMENT_PAST'],
    ['POST', `community/rooms/${room}/posts`, { words: ' \n' }, 422, 'FIELD_REQUIRED'],
  ]
  const state = () => Promise.all(['clips', 'shows', `series/${series}`].map((path) => calm.read<One>(`/api/${path}`)))
  const before = (await state()).map(({ payload }) => payload)
  for (const [method, path, body, status, code] of cases) {
    expect([path, body, ...(await calm.refused(method, `/api/${path}`, body))]).toEqual([path, body, status, code])
  }
  expect((await state()).map(({ payload }) => payload)).toEqual(before)
  expect(await app.effects(calm)).toEqual([])
})

test('editors upload and edit; numbers, coupons, the outbox, private rooms and all else are for admins', async () => {
  me = await app.newcomer('editor')
  const { payload } = await me.wrote<One>('POST', '/api/clips', { source, heading: 'By an editor' })
  const id = String(payload['clip'])
  await me.wrote('PATCH', `/api/clips/${id}`, { blurb: 'x' })
  for (const path of ['numbers/clips', 'coupons', 'outbox']) {
    expect(await me.denied(`/api/${path}`)).toEqual([403, 'ADMIN_ONLY'])
  }
  const rooms = (await me.read<Many>('/api/community/rooms')).payload
  expect(new Set(rooms.map((room) => room['open-to']))).toEqual(new Set(['everyone']))
  const series = String((await me.read<Many>('/api/series?limit=1')).payload[0]?.['series'])
  for (const [method, path] of [
    ['POST', 'series'],
    ['PATCH', `series/${series}/running-order`],
    ['POST', 'shows'],
    ['POST', `community/rooms/${String(rooms[0]?.['room'])}/posts`],
  ] as const) {
    expect(await me.refused(method, `/api/${path}`, {})).toEqual([403, 'ADMIN_ONLY'])
  }
  for (const path of [`/studio/clips/${id}/air`, '/studio/coupons']) {
    expect(await codeOf(await me.form(path, { when: 'now' }))).toBe('ADMIN_ONLY')
  }
  expect(await actions()).toEqual(['clip.upload', 'clip.edit'])
})
