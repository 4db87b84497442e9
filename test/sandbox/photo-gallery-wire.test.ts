import { afterAll, beforeAll, expect, test } from 'vitest'
import { prooflight, type Item, type Photographer, type Prooflight } from './photo-gallery-studio.ts'

let run: Prooflight
let named: Photographer[]
beforeAll(async () => {
  run = await prooflight()
  named = await run.named()
})
afterAll(() => run[Symbol.asyncDispose]())

/** The field names of the documents for this app. */
const documented = `collection_id name event_date photos url password_protected download_pin file_name comment email
  downloaded_at contact_id phone type session_id client starts_at invoice_id total paid currency due_date query limit cursor
  next_cursor collections favorites downloads contacts sessions invoices with_comments_only from to unpaid_only photo_urls
  added failed photos_total`.split(/\s+/)

function namesIn(value: unknown, names: Set<string>): void {
  if (Array.isArray(value)) for (const item of value) namesIn(item, names)
  else if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value)) {
      names.add(name)
      namesIn(item, names)
    }
  }
}

test('at least half of the names on the wire are the app’s own, and so are ids, money and dates', async () => {
  const [demo] = named as [Photographer]
  const names = new Set<string>()
  const { data: galleries } = await demo.read('/galleries')
  const { data: bills } = await demo.read('/bills')
  const { data: bookings } = await demo.read('/calendar')
  const [gallery, bill] = [galleries[1], bills[3]]
  const inside = [`/galleries/${gallery?.id}`, `/galleries/${gallery?.id}/hearts`, `/galleries/${gallery?.id}/grabs`]
  for (const path of ['/me', '/galleries', '/people', '/calendar', '/bills', `/bills/${bill?.id}`, ...inside]) {
    namesIn(await demo.read(path), names)
  }
  const { id } = await demo.make('galleries', { title: 'Names' })
  namesIn(await (await demo.upload(id, ['https://cdn.example/a.jpg', 'x'])).json(), names)
  expect(names.size).toBeGreaterThan(40)
  const shared = documented.filter((name) => names.has(name))
  expect(shared.length).toBeLessThanOrEqual(documented.length / 2)
  expect(shared.length).toBeLessThanOrEqual(names.size / 2)
  expect(gallery?.id).toMatch(/^gal_[0-9a-z]+$/)
  expect(bill?.attributes['sum']).toMatch(/^\d+,\d\d$/)
  expect(bill?.attributes['due_day']).toMatch(/^\d{8}$/)
  expect(Number(bookings[0]?.attributes['begins_ms'])).toBeGreaterThan(1e12)
})

test('seeds hold what is awkward: accents, right-to-left text, zones, empty and very long texts, no days, all stages', async () => {
  for (const who of named.slice(0, 3)) {
    const [galleries, people, bills] = [await who.all('/galleries'), await who.all('/people'), await who.all('/bills')]
    const values = (items: Item[], name: string): unknown[] => items.map(({ attributes }) => attributes[name])
    expect(new Set(values(bills, 'stage'))).toEqual(new Set(['draft', 'sent', 'part_paid', 'paid']))
    expect(new Set(values(bills, 'money')).size).toBe(2)
    expect(new Set(values(people, 'standing'))).toEqual(new Set(['lead', 'client', 'visitor']))
    expect(values(people, 'tel')).toContain('')
    expect(values(people, 'mail')).toContain('')
    expect(values(galleries, 'shoot_day')).toContain(null)
    expect(values(galleries, 'frames')).toContain(0)
    expect(values(galleries, 'title').map((title) => String(title).length)).toContain(200)
    const texts = JSON.stringify([galleries, people])
    for (const awkward of [/[\u0590-\u06ff]/, /[\u00c0-\u017f]/, /<b>/]) expect(texts).toMatch(awkward)
    const remarks = await Promise.all(galleries.slice(0, 8).map(({ id }) => who.read(`/galleries/${id}/hearts`)))
    const lengths = remarks
      .flatMap(({ data }) => values(data, 'remark'))
      .map((text) => (typeof text === 'string' ? text.length : 0))
    expect(Math.max(...lengths)).toBeGreaterThanOrEqual(990)
    const { data: bookings } = await who.read('/calendar?filter[first]=20000101&filter[last]=29991231')
    expect(new Set(values(bookings, 'zone')).size).toBeGreaterThan(4)
  }
})

test('seeds are the same after a reset, and seven people are named', async () => {
  const everything = async (): Promise<unknown[]> => {
    const [demo] = named as [Photographer]
    const paths = ['/people', '/calendar', '/bills?page[size]=100', '/galleries?page[size]=100', '/mailings']
    return Promise.all(paths.map((path) => demo.read(path)))
  }
  await run.reset()
  const before = await everything()
  await named[0]?.make('galleries', { title: 'Gone after the reset' })
  expect(await everything()).not.toEqual(before)
  await run.reset()
  expect(await everything()).toEqual(before)
  const users = ['demo', 'stranger', 'poor', 'narrow', 'revoked', 'two_accounts', 'two_accounts']
  expect(named.map(({ user }) => user)).toEqual(users)
})

test('pages for people show lists, details and forms', async () => {
  const [demo] = named as [Photographer]
  const { data } = await demo.read('/galleries')
  const own = ['', '/galleries', `/galleries/${data[0]?.id}`, '/people', '/calendar', '/bills', '/outbox']
  for (const path of own.slice(1)) {
    const page = await demo.get(`/studio${path}`)
    expect([path, page.status]).toEqual([path, 200])
    expect(await page.text()).toContain('Ljósmyndir Sóley')
  }
  const older = /href="[^"]*(\/studio\/people\?page%5Btoken%5D=[^"]+)"/.exec(
    await (await demo.get('/studio/people')).text(),
  )
  expect((await demo.get(older?.[1] ?? '/none')).status).toBe(200)
  expect((await demo.form('/people', { full_name: 'By form', mail: 'form@mail.example', tel: '' })).status).toBe(303)
  expect((await demo.form('/galleries', { title: 'By form', day: '2026-05-17' })).status).toBe(303)
  expect((await demo.read('/galleries')).data[0]?.attributes).toMatchObject({ title: 'By form', shoot_day: '20260517' })
})
