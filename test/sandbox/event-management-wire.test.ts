import { afterAll, beforeAll, expect, test } from 'vitest'
import { api, at, gatheringsOf, numberAt, open, whole } from './event-management-house.ts'
import type { Booking, Gathering, Guest, Mail, Slot, Voice } from './event-management-house.ts'
import { namesIn, type AppPerson, type OpenApp } from './open-app.ts'

let app: OpenApp
let demo: AppPerson
beforeAll(async () => {
  app = await open()
  demo = await app.person()
})
afterAll(() => app[Symbol.asyncDispose]())

/** The field names of the documents for this app. */
const documented =
  `event_id name start end status attendee_id first_name last_name email company ticket_type audience_type checked_in
  order_id registrant ordered_at session_id title tracks speakers speaker_id sessions text sections section since date track
  limit cursor next_cursor events attendees orders description`.split(/\s+/)

const lists = ['guests', 'bookings', 'slots', 'voices', 'wrap-up', 'setup'] as const

test('at least half of the names on the wire are the app’s own, and so are ids, days, moments and money', async () => {
  const names = new Set<string>()
  const no = await numberAt(demo, 'OVER', 0)
  for (const list of lists) namesIn(await demo.read(at(no, `/${list}`)), names)
  for (const path of ['me', 'gatherings', 'mails']) namesIn(await demo.read(`${api}/${path}`), names)
  expect(names.size).toBeGreaterThan(50)
  expect(documented.filter((name) => names.has(name)).length).toBeLessThanOrEqual(documented.length / 2)
  const [gathering] = await gatheringsOf(demo, 'AHEAD')
  const [booking] = await whole<Booking>(demo, at(no, '/bookings'))
  expect(gathering?.gathering_no).toMatch(/^\d+$/)
  expect(gathering?.days.first).toMatch(/^\d{8}$/)
  expect(booking?.booked.utc).toMatch(/^\d{8}T\d{6}Z$/)
  expect(booking?.booked.local).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  expect(Number.isInteger(booking?.paid.minor)).toBe(true)
})

test('who is signed in is told with the account’s code and label', async () => {
  expect(await demo.read(`${api}/me`)).toMatchObject({ organizer_no: demo.account, house: 'Congressos Peña' })
})

test('moments show the same instant in UTC and on the clocks of the zone', async () => {
  for (const { gathering_no: no } of (await gatheringsOf(demo, 'AHEAD')).slice(0, 14)) {
    for (const { opens } of await whole<Slot>(demo, at(no, '/slots'))) {
      const instant = new Date(opens.utc.replace(/(....)(..)(.....)(..)(..)Z/, '$1-$2-$3:$4:$5Z'))
      expect(instant.toLocaleString('sv-SE', { timeZone: opens.zone })).toBe(opens.local)
    }
  }
})

test('seeds hold what is awkward: accents, right-to-left text, zones, empty and long texts, every value', async () => {
  const gatherings = await whole<Gathering>(demo, `${api}/gatherings`)
  expect(gatherings).toHaveLength(64)
  expect(new Set(gatherings.map(({ zone }) => zone)).size).toBeGreaterThan(7)
  expect(Math.max(...gatherings.map(({ called }) => called.length))).toBeGreaterThan(150)
  for (const phase of ['AHEAD', 'OVER']) {
    const no = await numberAt(demo, phase, 0)
    const guests = await whole<Guest>(demo, at(no, '/guests'))
    const slots = await whole<Slot>(demo, at(no, '/slots'))
    const voices = await whole<Voice>(demo, at(no, '/voices'))
    expect([guests.length, (await whole(demo, at(no, '/bookings'))).length]).toEqual([130, 109])
    expect(new Set(guests.map(({ crowd }) => crowd)).size).toBe(6)
    expect(new Set(guests.map(({ pass }) => pass.label)).size).toBe(4)
    expect(new Set(guests.map(({ arrived }) => arrived === null)).size).toBe(2)
    for (const empty of [
      guests.map(({ mail }) => mail),
      slots.map(({ blurb }) => blurb),
      voices.map((one) => one.mail),
    ]) {
      expect(empty).toContain('')
    }
    expect(voices.filter((voice) => voice.slots.length === 0)).toHaveLength(1)
    expect(Math.max(...slots.map(({ blurb }) => blurb.length))).toBeGreaterThan(2000)
    for (const awkward of [/[֐-ۿ]/, /[À-ſ]/, /<b>/]) expect(JSON.stringify(guests)).toMatch(awkward)
  }
  const waiting = (await gatheringsOf(demo, 'OVER')).filter(({ wrap_up: wrapUp }) => wrapUp === 'NONE')
  expect(waiting).toHaveLength(16)
})

test('seeds are the same after a reset and in another sandbox', async () => {
  const no = await numberAt(demo, 'AHEAD', 0)
  const everything = async (who: AppPerson): Promise<unknown[]> =>
    Promise.all(
      [`${api}/gatherings`, `${api}/mails`, at(no, '/guests'), at(no, '/slots')].map((path) => who.read(path)),
    )
  await app.reset()
  const before = await everything(demo)
  await demo.wrote('PUT', at(no, '/guests'), { given_name: 'Gone', family_name: 'Soon', mail: 'gone@mail.example' })
  expect(await everything(demo)).not.toEqual(before)
  await app.reset()
  await using other = await open()
  expect(await everything(await other.person())).toEqual(before)
  expect(await everything(demo)).toEqual(before)
})

test('no number is in two accounts, and what is a stranger’s does not exist', async () => {
  const people = await app.people()
  expect(people).toHaveLength(7)
  const numbers = (await Promise.all(people.map((who) => whole<Gathering>(who, `${api}/gatherings`)))).flat()
  expect(new Set(numbers.map(({ gathering_no: no }) => no)).size).toBe(64 * 7)
  const stranger = await app.person('stranger')
  const theirs = await numberAt(stranger, 'OVER', 0)
  for (const list of lists) expect(await demo.denied(at(theirs, `/${list}`))).toEqual([404, 'GATHERING_NOT_FOUND'])
  const [slot] = await whole<Slot>(stranger, at(theirs, '/slots'))
  const [voice] = await whole<Voice>(stranger, at(theirs, '/voices'))
  expect(await demo.refused('PATCH', `${api}/slots/${slot?.slot_no}`, { blurb: 'x' })).toEqual([404, 'SLOT_NOT_FOUND'])
  expect(await demo.refused('PUT', at(theirs, '/guests'), {})).toEqual([404, 'GATHERING_NOT_FOUND'])
  const mine = await numberAt(demo, 'OVER', 0)
  expect(await demo.denied(at(mine, `/voices?slot_no=${slot?.slot_no}`))).toEqual([404, 'SLOT_NOT_FOUND'])
  const fields = { words: 'x', voice_no: voice?.voice_no ?? '' }
  expect((await demo.form(`/desk/gatherings/${mine}/mail-voices`, fields)).status).toBe(404)
  for (const write of ['announce', 'mail-voices', 'wrap-up', 'slots', 'guests']) {
    expect((await demo.form(`/desk/gatherings/${theirs}/${write}`)).status).toBe(404)
  }
  const [mail] = await whole<Mail>(stranger, `${api}/mails`)
  expect(await whole(demo, `${api}/mails?mailing_no=${mail?.mailing_no}`)).toEqual([])
  expect(await app.effects(demo)).toEqual([])
})

test('pages for people show lists, details and the forms that they may use', async () => {
  for (const [kind, status] of [
    ['organizer', 200],
    ['door', 403],
  ] as const) {
    const who = await app.newcomer(kind)
    const detail = `/desk/gatherings/${await numberAt(who, 'OVER', 1)}`
    for (const path of ['/', '/desk', '/desk?phase=OVER', `${detail}/guests`, `${detail}/guests?arrived=no`]) {
      expect([path, (await who.get(path)).status]).toEqual([path, 200])
    }
    for (const path of ['/desk/mails', `${detail}/bookings`]) expect((await who.get(path)).status).toBe(status)
    const text = await (await who.get(detail)).text()
    for (const form of ['announce', 'mail-voices', 'wrap-up', 'slots']) {
      expect(text.includes(`${detail}/${form}"`)).toBe(kind === 'organizer')
    }
    const more = /href="\/event-management([^"]+continuation=[^"]+)"/.exec(
      await (await who.get(`${detail}/guests`)).text(),
    )
    expect((await who.get(more?.[1] ?? '/none')).status).toBe(200)
  }
})
