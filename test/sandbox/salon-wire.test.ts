import { afterAll, beforeAll, expect, test } from 'vitest'
import { momentOf, parseWall } from '../../sandbox/salon/clock.ts'
import { namesIn, type AppPerson, type OpenApp } from './open-app.ts'
import { add, openings, read, refuse, tressario, visits, whole, type Thing } from './salon-shop.ts'

let app: OpenApp
let people: AppPerson[]
beforeAll(async () => {
  app = await tressario()
  people = await app.people()
})
afterAll(() => app[Symbol.asyncDispose]())

const everything = async (person: AppPerson): Promise<Thing[][]> => [
  await read(person, 'branches'),
  await read(person, 'crew'),
  await read(person, 'treatments'),
  await visits(person),
  await whole(person, 'guests'),
  await whole(person, 'waiting'),
  await whole(person, 'talks'),
  await whole(person, 'reviews'),
  await whole(person, 'notices'),
]

test('most names on the wire are not those of the documents', async () => {
  const [demo] = people as [AppPerson]
  const wire = namesIn(await everything(demo))
  const documented = [
    ...['location_id', 'name', 'address', 'time_zone', 'phone', 'service_id', 'duration_min', 'price', 'amount'],
    ...[
      'currency',
      'provider_ids',
      'appointment_id',
      'client',
      'service',
      'provider',
      'start',
      'end',
      'status',
      'email',
    ],
    ...['client_id', 'tags', 'waitlist_entry_id', 'date', 'conversation_id', 'unread', 'last_message', 'updated_at'],
    ...['review_id', 'rating', 'text', 'posted_at', 'replied', 'provider_id'],
  ]
  expect(documented.filter((name) => wire.has(name))).toEqual([])
  expect(wire.size).toBeGreaterThan(30)
})

test('days, times and money have a form of their own', async () => {
  const [demo] = people as [AppPerson]
  for (const { attributes } of await visits(demo)) {
    expect(attributes['begins']).toMatch(/^\d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d$/)
    expect(attributes['cost']).toMatch(/^BRL \d+\.\d\d$/)
    expect(attributes['zone']).toBe('America/Sao_Paulo')
  }
  const branches = await read(demo, 'branches')
  const costs = await Promise.all(branches.map(({ id }) => read(demo, `treatments?branch=${id}`)))
  const currencies = costs.map(([first]) => String(first?.attributes['cost']))
  expect(currencies).toEqual(['BRL 247.50', 'NPR 6525.00', 'KWD 14.625', 'EUR 45.00'])
  expect(new Set(branches.map(({ attributes }) => attributes['zone'])).size).toBe(4)
})

test('who is signed in can be asked for without an action', async () => {
  for (const person of people) {
    const me = await person.read<{ data: Thing; slip: string }>('/business/api/me')
    expect(me.data.attributes['shop_no']).toBe(person.account)
    expect(String(me.data.attributes['label'])).not.toBe('')
  }
})

test('the seeds are awkward', async () => {
  const [demo] = people as [AppPerson]
  const texts = JSON.stringify(await everything(demo))
  expect(texts).toMatch(/[֐-׿]/)
  expect(texts).toMatch(/[؀-ۿ]/)
  expect(texts).toContain('ñ')
  const [, crew, treatments, seen, guests, waiting, talks, reviews, notices] = await everything(demo)
  expect(crew?.some(({ attributes }) => attributes['on_leave'])).toBe(true)
  expect(treatments?.some(({ attributes }) => (attributes['hands'] as unknown[]).length === 0)).toBe(true)
  const codes = new Set(seen?.map(({ attributes }) => (attributes['stage'] as { code: string }).code))
  expect(codes).toEqual(new Set(['bk', 'ar', 'ch', 'dn', 'ns', 'cx']))
  expect(guests?.some(({ attributes }) => attributes['mail'] === null && attributes['cell'] === null)).toBe(true)
  expect(reviews?.some(({ attributes }) => attributes['words'] === '')).toBe(true)
  expect(reviews?.some(({ attributes }) => String(attributes['words']).length > 1000)).toBe(true)
  expect(new Set(reviews?.map(({ attributes }) => attributes['stars']))).toEqual(new Set([1, 2, 3, 4, 5]))
  expect(notices?.some(({ attributes }) => attributes['answer'] !== null)).toBe(true)
  for (const list of [seen, guests, waiting, talks, reviews, notices]) expect(list?.length).toBeGreaterThanOrEqual(60)
})

test('no id is in two accounts, and what belongs to others does not exist', async () => {
  const ids = new Map<string, string>()
  for (const person of people) {
    for (const { id } of (await everything(person)).flat()) {
      expect(ids.get(id) ?? person.account).toBe(person.account)
      ids.set(id, person.account)
    }
  }
  const [demo, stranger] = people as [AppPerson, AppPerson]
  for (const [list, code] of [
    [await read(stranger, 'branches'), 'BRANCH'],
    [await read(stranger, 'treatments'), 'TREATMENT'],
    [await read(stranger, 'crew'), 'CREW'],
    [await visits(stranger), 'VISIT'],
    [await whole(stranger, 'guests'), 'GUEST'],
    [await whole(stranger, 'waiting'), 'ENTRY'],
    [await whole(stranger, 'talks'), 'TALK'],
    [await whole(stranger, 'reviews'), 'REVIEW'],
  ] as const) {
    const [theirs] = list
    expect(await demo.denied(`/business/api/${theirs?.type}/${theirs?.id}`)).toEqual([404, `${code}_NOT_FOUND`])
  }
  const [theirs] = await visits(stranger, '&stage=bk')
  expect((await demo.form(`/business/visits/${theirs?.id}/cancel`)).status).toBe(404)
  const [branch] = await read(stranger, 'branches')
  expect(await demo.denied(`/business/api/waiting?branch=${branch?.id}`)).toEqual([404, 'BRANCH_NOT_FOUND'])
  const [free] = await openings(demo)
  const [guest] = await whole(stranger, 'guests')
  expect(await refuse(demo, 'visits', { ...free, guest: guest?.id })).toEqual([404, 'GUEST_NOT_FOUND'])
  expect(await app.effects(demo)).toEqual([])
})

test('seeds are the same after a reset and in another sandbox', async () => {
  await app.reset()
  const demo = await app.person()
  const before = await everything(demo)
  const [free] = await openings(demo)
  await add(demo, 'visits', { ...free, guest: before[4]?.[0]?.id })
  expect(await everything(demo)).not.toEqual(before)
  await app.reset()
  expect(await everything(demo)).toEqual(before)
  await using other = await tressario()
  expect(await everything(await other.person())).toEqual(before)
})

test('pages for people show lists, details and forms', async () => {
  const demo = await app.person()
  const [booked] = await visits(demo, '&stage=bk')
  const [talk] = await whole(demo, 'talks')
  const [review] = await whole(demo, 'reviews?unanswered=yes')
  const details = [`visits/${booked?.id}`, `talks/${talk?.id}`, `reviews/${review?.id}`]
  const lists = ['visits', 'waiting', 'guests', 'talks', 'reviews', 'notices', 'branches']
  for (const path of [...lists, ...details]) {
    const page = await demo.get(`/business/${path}`)
    expect([path, page.status]).toEqual([path, 200])
    const text = await page.text()
    expect(text).toContain('Iracema Conceição')
    expect(text).not.toContain('<b>Bobby</b>')
  }
  for (const path of lists.slice(2, 6)) {
    const first = await (await demo.get(`/business/${path}`)).text()
    const next = /href="[^"]*(\/business\/[^"]+)">Next/.exec(first)?.[1]?.replaceAll('&amp;', '&') ?? '/none'
    const second = await (await demo.get(next)).text()
    const ids = (page: string): string[] => [...page.matchAll(/>([gkrn]\d+)</g)].map(([, id = '']) => id)
    expect(ids(second)).toHaveLength(25)
    expect(ids(second).filter((id) => ids(first).includes(id))).toEqual([])
  }
  const form = await (await demo.get(`/business/visits/${booked?.id}`)).text()
  expect(form).toContain(`action="/salon/business/visits/${booked?.id}/move"`)
})

test.each([
  ['25 Oct 2026 02:30', '2026-10-25T00:30:00.000Z'],
  ['25 Oct 2026 03:00', '2026-10-25T02:00:00.000Z'],
  ['29 Mar 2026 03:00', '2026-03-29T01:00:00.000Z'],
  ['29 Mar 2026 02:30', null],
])('where clocks change in Berlin, %s is %s', (wall, moment) => {
  const seconds = momentOf(parseWall(wall)!, 'Europe/Berlin')
  expect(seconds === undefined ? null : new Date(seconds * 1000).toISOString()).toBe(moment)
})
