import { afterAll, beforeAll, expect, test } from 'vitest'
import { namesIn, type AppPerson, type OpenApp } from './open-app.ts'
import { nightsOf, openCamp, rowsOf, today } from './camping-host-host.ts'
import type { Ask, Chat, Detail, Land, Payday, Review, Stay } from './camping-host-host.ts'

let app: OpenApp
let named: AppPerson[]
let demo: AppPerson
beforeAll(async () => {
  app = await openCamp()
  named = await app.people()
  demo = await app.person()
})
afterAll(() => app[Symbol.asyncDispose]())

/** The field names of the documents for this app. */
const documented =
  `listing_id name status sites site_id base_price currency booking_id site camper arrival departure guests
  total expires_at camper_message nights nightly_price date state special_price conversation_id last_message
  last_message_at unread review_id recommended text created_at response amount from to filter since responded listings
  bookings requests days conversations reviews payouts`.split(/\s+/)

const everything = (person: AppPerson): Promise<unknown[]> =>
  Promise.all(
    [
      '/lands',
      '/asks',
      '/chats?show=ALL',
      '/reviews',
      '/paydays?since=0',
      ...['UPCOMING', 'HERE', 'DONE', 'OFF'].map((st) => `/stays?first=0&last=80000&st=${st}`),
    ].map((path) => rowsOf(person, path)),
  )

test('at least half of the names on the wire are the app’s own, and so are ids, money, days and moments', async () => {
  const names = namesIn(await everything(demo))
  const [ask] = await rowsOf<Ask>(demo, '/asks')
  const detail = await demo.read<Detail>(`/host/data/stays/${ask?.stay}`)
  const [land] = await rowsOf<Land>(demo, '/lands')
  namesIn(detail, names)
  namesIn(await nightsOf(demo, land?.pitches[0]?.pitch ?? '', 0), names)
  namesIn(await demo.read('/host/data/me'), names)
  const shared = documented.filter((name) => names.has(name))
  expect(names.size).toBeGreaterThan(35)
  expect(shared.length).toBeLessThanOrEqual(documented.length / 2)
  expect(shared.length).toBeLessThanOrEqual(names.size / 2)
  expect(detail).toMatchObject({ stay: expect.stringMatching(/^S\d+$/), st: 'ASKED', charged: false })
  expect(ask?.in).toBeGreaterThan(20_000)
  expect(ask?.until).toBeGreaterThan(1.7e9)
  expect([detail.sum, detail.long]).toEqual([detail.nightly * detail.long, detail.out - detail.in])
})

test('who is signed in, and the account’s code, stand beside the token', async () => {
  expect(await demo.read('/host/data/me')).toEqual({
    fern: expect.stringMatching(/^\S{20,}$/),
    host: {
      ...{ host_no: demo.account, label: 'Tjöld & Tún', person: 'Ásdís Þórðardóttir', role: 'host' },
      ...{ may: ['asks', 'nights', 'reviews', 'money'], tz: 'Atlantic/Reykjavik' },
    },
  })
})

test('seeds hold what is awkward, and every state', async () => {
  const zones = new Set<string>()
  for (const who of named.slice(0, 4)) {
    const [lands, stays] = [await rowsOf<Land>(who, '/lands'), await rowsOf<Stay>(who, '/stays?first=0&last=80000')]
    const [reviews, chats] = [await rowsOf<Review>(who, '/reviews'), await rowsOf<Chat>(who, '/chats?show=ALL')]
    const paydays = await rowsOf<Payday>(who, '/paydays?since=0')
    expect(new Set(lands.map(({ st }) => st))).toEqual(new Set(['LIVE', 'PAUSED', 'DRAFT']))
    expect(new Set(paydays.map(({ st }) => st))).toEqual(new Set(['PLANNED', 'ON_WAY', 'PAID']))
    expect(new Set(lands.flatMap(({ pitches }) => pitches.map(({ cur }) => cur))).size).toBe(2)
    for (const list of [stays, reviews, chats, paydays]) expect(list.length).toBeGreaterThan(60)
    const lengths = [...reviews.map(({ words }) => words.length), ...chats.map(({ said }) => said.length)]
    expect([Math.min(...lengths), Math.max(...lengths) > 1000]).toEqual([0, true])
    const texts = JSON.stringify([lands, stays, reviews, chats])
    for (const awkward of [/[\u0590-\u06ff]/, /[\u00c0-\u017f]/, /</, /"init":""/]) expect(texts).toMatch(awkward)
    zones.add((await who.read<{ host: { tz: string } }>('/host/data/me')).host.tz)
  }
  expect(zones.size).toBe(4)
})

test('seeds are the same after a reset, and no id is in two accounts', async () => {
  const before = await everything(demo)
  const [land] = await rowsOf<Land>(demo, '/lands')
  await demo.wrote('PUT', `/host/data/lands/${land?.land}/shut`, { first: today + 60, last: today + 60 })
  await app.reset()
  // An ask is open for 24 hours, so its end moves with the hour.
  const timeless = (lists: unknown): string =>
    JSON.stringify(lists, (key, value: unknown) => (key === 'until' ? 0 : value))
  expect(timeless(await everything(demo))).toBe(timeless(before))
  expect((await nightsOf(demo, land?.pitches[0]?.pitch ?? '', 60))[0]?.st).toBe('FREE')
  const users = ['demo', 'stranger', 'poor', 'narrow', 'revoked', 'two_accounts', 'two_accounts']
  expect(named.map(({ user }) => user)).toEqual(users)
  const seen = new Map<string, string>()
  for (const who of [...named, await app.newcomer('helper')].filter(({ kind }) => kind === 'host')) {
    const found = JSON.stringify(await everything(who)).matchAll(/"([A-Z]\d{6,})"/g)
    for (const id of new Set([...found].map((match) => match[1] ?? ''))) {
      expect(seen.get(id)).toBeUndefined()
      seen.set(id, who.account)
    }
  }
  expect(seen.size).toBeGreaterThan(6000)
})

test('what a stranger has does not exist', async () => {
  const other = await app.person('stranger')
  const [land] = await rowsOf<Land>(other, '/lands')
  const [[ask], [chat], [review]] = [
    await rowsOf<Ask>(other, '/asks'),
    await rowsOf<Chat>(other, '/chats'),
    await rowsOf<Review>(other, '/reviews?replied=NO'),
  ]
  const reads = [
    [`/stays/${ask?.stay}`, 'STAY_NOT_FOUND'],
    [`/chats?stay=${ask?.stay}`, 'STAY_NOT_FOUND'],
    [`/stays?after=${ask?.stay}`, 'STAY_NOT_FOUND'],
    [`/reviews?after=${review?.review}`, 'REVIEW_NOT_FOUND'],
    ...['stays', 'asks', 'reviews'].map((list) => [`/${list}?land=${land?.land}`, 'LAND_NOT_FOUND']),
    [`/lands/${land?.land}/nights?first=${today}&last=${today}`, 'LAND_NOT_FOUND'],
  ]
  for (const [path, code] of reads)
    expect([path, ...(await demo.denied(`/host/data${path}`))]).toEqual([path, 404, code])
  const span = { first: today + 60, last: today + 60 }
  expect(await demo.refused('PUT', `/host/data/lands/${land?.land}/shut`, span)).toEqual([404, 'LAND_NOT_FOUND'])
  expect(await demo.refused('POST', `/host/data/asks/${ask?.stay}/yes`, {})).toEqual([404, 'STAY_NOT_FOUND'])
  for (const path of [`/host/chats/${chat?.chat}/reply`, `/host/reviews/${review?.review}/reply`]) {
    expect((await demo.form(path, { words: 'x', way: 'public' })).status).toBe(404)
  }
  expect(await app.effects(demo)).toEqual([])
})

test('pages for people show lists, details and forms', async () => {
  const [land] = await rowsOf<Land>(demo, '/lands')
  const [[ask], [chat], [review]] = [
    await rowsOf<Ask>(demo, '/asks'),
    await rowsOf<Chat>(demo, '/chats'),
    await rowsOf<Review>(demo, '/reviews'),
  ]
  const details = [`/lands/${land?.land}`, `/stays/${ask?.stay}`, `/chats/${chat?.chat}`, `/reviews/${review?.review}`]
  for (const path of ['/home', '/lands', '/stays', '/chats', '/reviews', '/paydays', '/sent', ...details]) {
    const page = await demo.get(`/host${path}`)
    expect([path, page.status, (await page.text()).includes('Tjöld &amp; Tún')]).toEqual([path, 200, true])
  }
  expect((await fetch(`${demo.base}/`)).status).toBe(200)
})
