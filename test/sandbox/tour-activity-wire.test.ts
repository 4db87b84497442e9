import { afterAll, beforeAll, expect, test } from 'vitest'
import { namesIn, type AppPerson, type OpenApp } from './open-app.ts'
import {
  allBookings,
  calendar,
  dayAhead,
  openPanel,
  rowsOf,
  year,
  type Detail,
  type Thread,
  type Tour,
} from './tour-activity-panel.ts'

let app: OpenApp
let people: AppPerson[]
let demo: AppPerson
let stranger: AppPerson
beforeAll(async () => {
  app = await openPanel()
  people = await app.people()
  ;[demo, stranger] = people as [AppPerson, AppPerson]
})
afterAll(() => app[Symbol.asyncDispose]())

/** The field names of the documents for this app. */
const documented =
  `activity_id name destination status booking_id activity date time people reference price amount currency
  lead_traveler email phone slots quota with unread last_message received_at rating text invoice_id period value
  download_url month services commission net from to times year since unread_only cursor next_cursor activities bookings
  days threads reviews invoices payments bookings_on_closed_slots`.split(/\s+/)

const wide = `fromDay=${dayAhead(-440)}&toDay=${dayAhead(140)}&st=ANY`

test('at least half of the names on the wire are the app’s own, and so are days, months and ids', async () => {
  const [booking] = await allBookings(demo, 'st=ANY')
  const names = new Set(['fromDay', 'toDay', 'hours', 'side', 'words', 'year', 'fresh', 'size', 'next'])
  const lists = ['/panel/me', '/panel/tours', '/panel/bookings', '/panel/inbox', '/panel/reviews']
  const inside = [`/panel/bookings/${booking?.bk}`, `/panel/tours/${booking?.act}/calendar`]
  for (const path of [...lists, ...inside, `/panel/bills?year=${year - 1}`, `/panel/payouts?year=${year - 1}`]) {
    namesIn(await demo.read(path), names)
  }
  const shared = documented.filter((name) => names.has(name))
  expect(names.size).toBeGreaterThan(40)
  expect(shared.length).toBeLessThanOrEqual(names.size / 2)
  expect(shared.length).toBeLessThanOrEqual(documented.length / 2)
  expect(booking).toMatchObject({
    bk: expect.stringMatching(/^B\d+$/),
    day: expect.stringMatching(/^\d\d-\d\d-20\d\d$/),
  })
  const [bill] = await rowsOf<{ month: string; pdf: string; sum: { value: string } }>(
    demo,
    `/panel/bills?year=${year - 1}`,
  )
  expect(bill).toMatchObject({ month: `12-${year - 1}`, sum: { value: expect.stringMatching(/^\d+\.\d\d$/) } })
})

test('seeds hold what is awkward, in every state', async () => {
  const [tours, threads] = [await rowsOf<Tour>(demo, '/panel/tours'), await rowsOf<Thread>(demo, '/panel/inbox')]
  const reviews = await rowsOf<{ mark: number; words: string }>(demo, '/panel/reviews')
  expect(new Set(tours.map(({ state }) => state))).toEqual(new Set(['LIVE', 'PAUSED', 'CHECKING']))
  expect(new Set(tours.map(({ tz }) => tz)).size).toBeGreaterThan(8)
  expect(new Set(threads.map(({ side, fresh }) => `${side} ${fresh}`)).size).toBe(4)
  expect(new Set(threads.map(({ last }) => last.by))).toEqual(new Set(['US', 'CLIENT', 'OFFICE']))
  expect(Math.max(...threads.map(({ last }) => last.words.length))).toBe(2000)
  expect(new Set(reviews.map(({ mark }) => mark)).size).toBe(10)
  expect(Math.min(...reviews.map(({ words }) => words.length))).toBe(0)
  const text = JSON.stringify([tours, threads, reviews])
  for (const awkward of [/[\u0590-\u05ff]/, /[\u0600-\u06ff]/, /[\u00c0-\u017f]/, /<b>/, /築地/])
    expect(text).toMatch(awkward)
  expect((await allBookings(demo, '')).length).toBeGreaterThan(60)
  const all = await allBookings(demo, wide)
  const voids = all.filter(({ st }) => st === 'VOID')
  expect(voids.length).toBeGreaterThan(20)
  for (const { act } of tours.slice(1, 3)) {
    const days = await calendar(demo, act, 1, 80)
    expect(days.filter(({ sale }) => sale === 'SHUT')).toHaveLength(8)
    expect(days.flatMap(({ runs }) => runs).every(({ sold, places }) => sold <= places)).toBe(true)
  }
  const payouts = await rowsOf<{ state: string }>(demo, `/panel/payouts?year=${year - 1}`)
  expect(payouts.some(({ state }) => state === 'PAID')).toBe(true)
  const detail = await demo.read<Detail>(`/panel/bookings/${voids[0]?.bk}`)
  expect(detail.holder.mail).toMatch(/^.•••@mail\.example$/)
})

test('money has as many decimals as the currency', async () => {
  for (const [who, pattern] of [
    [stranger, /^\d+$/],
    [people[3], /^\d+\.\d{3}$/],
  ] as [AppPerson, RegExp][]) {
    const [booking] = await allBookings(who, wide)
    expect((await who.read<Detail>(`/panel/bookings/${booking?.bk}`)).total.value).toMatch(pattern)
  }
})

test('the seed is the same after a reset, and no id is in two accounts', async () => {
  const everything = async (person: AppPerson) => ({
    tours: await rowsOf<Tour>(person, '/panel/tours'),
    threads: await rowsOf<Thread>(person, '/panel/inbox'),
    bookings: await allBookings(person, wide),
  })
  await app.reset()
  const before = await everything(demo)
  await demo.wrote('POST', `/panel/inbox/${before.threads[0]?.bk}`, { side: 'OFFICE', words: 'Gone after the reset.' })
  expect(await everything(demo)).not.toEqual(before)
  await app.reset()
  expect(await everything(demo)).toEqual(before)
  const seen = new Set<string>()
  for (const person of [...people, await app.newcomer()]) {
    const { tours, bookings } = await everything(person)
    for (const id of [...tours.map(({ act }) => act), ...bookings.map(({ bk }) => bk)]) {
      expect(seen.has(id)).toBe(false)
      seen.add(id)
    }
  }
})

test('what a stranger has does not exist', async () => {
  const [[tour], [booking]] = [await rowsOf<Tour>(stranger, '/panel/tours'), await allBookings(stranger, wide)]
  const [bill] = await rowsOf<{ inv: string }>(stranger, `/panel/bills?year=${year - 1}`)
  for (const path of [
    `/panel/bookings?act=${tour?.act}`,
    `/panel/tours/${tour?.act}/calendar`,
    `/panel/reviews?act=${tour?.act}`,
  ]) {
    expect(await demo.denied(path)).toEqual([404, 'TOUR_NOT_FOUND'])
  }
  for (const path of [`/panel/bookings/${booking?.bk}`, `/panel/inbox?bk=${booking?.bk}`, '/panel/bookings/B1x']) {
    expect(await demo.denied(path)).toEqual([404, 'BOOKING_NOT_FOUND'])
  }
  expect(await demo.denied(`/desk/bills/${bill?.inv}/download`)).toEqual([404, 'BILL_NOT_FOUND'])
  expect((await stranger.get(`/desk/bills/${bill?.inv}/download`)).status).toBe(200)
  const span = { fromDay: dayAhead(3), toDay: dayAhead(3) }
  expect((await demo.form(`/desk/tours/${tour?.act}/shut`, span)).status).toBe(404)
  const message = { side: 'OFFICE', words: 'x' }
  expect(await demo.refused('POST', `/panel/inbox/${booking?.bk}`, message)).toEqual([404, 'BOOKING_NOT_FOUND'])
})

test('every page for people opens', async () => {
  const [booking] = await allBookings(demo, '')
  const inside = [`/desk/tours/${booking?.act}`, `/desk/bookings/${booking?.bk}`, '/desk/tours', '/desk/bookings']
  for (const path of ['/', ...inside, '/desk/inbox', '/desk/sent', '/desk/reviews', '/desk/money']) {
    expect([path, (await demo.get(path)).status]).toEqual([path, 200])
  }
})
