import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { api, at, gatheringsOf, numberAt, open, whole } from './event-management-house.ts'
import type { Booking, Gathering, Guest, Mail, Slot, Voice } from './event-management-house.ts'
import type { AppPerson, OpenApp } from './open-app.ts'

let app: OpenApp
let me: AppPerson
let no: string
beforeAll(async () => {
  app = await open()
  me = await app.newcomer()
  no = await numberAt(me, 'AHEAD', 0)
})
afterEach(() => vi.useRealTimers())
afterAll(() => app[Symbol.asyncDispose]())

/** The filtered list is what the whole list has of it, and that is neither nothing nor everything. */
async function filters<T>(list: string, filter: string, holds: (item: T) => boolean): Promise<T[]> {
  const all = await whole<T>(me, at(no, `/${list}`))
  const wanted = all.filter(holds)
  expect(wanted.length).toBeGreaterThan(0)
  expect(wanted.length).toBeLessThan(all.length)
  expect(await whole(me, at(no, `/${list}?${filter}`))).toEqual(wanted)
  return wanted
}

test('gatherings come by phase or all together, the one that begins last first', async () => {
  const all = await whole<Gathering>(me, `${api}/gatherings`)
  const days = all.map(({ days: { first } }) => first)
  expect(days).toEqual(days.toSorted().toReversed())
  for (const phase of ['AHEAD', 'OVER']) {
    const some = all.filter((one) => one.phase === phase)
    expect(some).toHaveLength(32)
    expect(await gatheringsOf(me, phase)).toEqual(some)
  }
})

test('a gathering is over when its last day is over where it is', async () => {
  const next = (await gatheringsOf(me, 'AHEAD')).at(-1)
  const { zone = '', days = { last: '' } } = next ?? {}
  const midnight = Date.parse(days.last.replace(/(....)(..)(..)/, '$1-$2-$3')) + 86_400_000
  const local = Date.parse(`${new Date(midnight).toLocaleString('sv-SE', { timeZone: zone }).replace(' ', 'T')}Z`)
  const end = midnight - (local - midnight)
  for (const [now, phase] of [
    [end - 1000, 'AHEAD'],
    [end, 'OVER'],
  ] as const) {
    vi.useFakeTimers({ toFake: ['Date'], now })
    const shown = (await whole<Gathering>(me, `${api}/gatherings`)).find(
      (one) => one.gathering_no === next?.gathering_no,
    )
    expect(shown?.phase).toBe(phase)
  }
})

test('guests are found by pass, crowd and check-in, alone and together', async () => {
  await filters<Guest>('guests', 'pass=vip', ({ pass }) => pass.label === 'VIP')
  await filters<Guest>('guests', 'crowd=PRESS', ({ crowd }) => crowd === 'Press')
  await filters<Guest>('guests', 'arrived=yes', ({ arrived }) => arrived !== null)
  await filters<Guest>('guests', 'arrived=no', ({ arrived }) => arrived === null)
  const both = ({ pass, arrived, crowd }: Guest) => pass.label === 'VIP' && arrived === null && crowd === 'Delegate'
  await filters<Guest>('guests', 'pass=VIP&arrived=no&crowd=delegate', both)
})

test('bookings come newest first, by pass and from a day on in the gathering’s zone', async () => {
  const all = await whole<Booking>(me, at(no, '/bookings'))
  const moments = all.map(({ booked }) => booked.utc)
  expect(moments).toEqual(moments.toSorted().toReversed())
  await filters<Booking>('bookings', 'pass=Estudiante', ({ pass }) => pass.label === 'Estudiante')
  const day = (all[40]?.booked.local ?? '').slice(0, 10)
  await filters<Booking>('bookings', `from_day=${day.replaceAll('-', '')}`, ({ booked }) => booked.local >= day)
})

test('the agenda is in order, by day and by stream', async () => {
  const all = await whole<Slot>(me, at(no, '/slots'))
  const order = all.map(({ opens, closes }) => `${opens.utc} ${closes.utc}`)
  expect(order).toEqual(order.toSorted())
  const day = (all[12]?.opens.local ?? '').slice(0, 10)
  await filters<Slot>('slots', `day=${day.replaceAll('-', '')}`, ({ opens }) => opens.local.startsWith(day))
  await filters<Slot>('slots', 'stream=%20MAIN%20stage', ({ streams }) => streams.includes('Main stage'))
})

test('voices are those of the gathering or of one slot, each with all that they speak at', async () => {
  const [, slot] = await whole<Slot>(me, at(no, '/slots'))
  expect(slot?.voices).toHaveLength(2)
  const names = (slot?.voices ?? []).map(({ voice_no: voice }) => voice)
  const of = await filters<Voice>('voices', `slot_no=${slot?.slot_no}`, ({ voice_no: voice }) => names.includes(voice))
  expect(of).toHaveLength(2)
  for (const { slots } of of) expect(slots.length).toBeGreaterThan(1)
})

test('mails are those of one mailing or everything', async () => {
  const all = await whole<Mail>(me, `${api}/mails`)
  expect(new Set(all.map(({ kind }) => kind))).toEqual(new Set(['ANNOUNCEMENT', 'TO_VOICES']))
  const wanted = all.filter(({ mailing_no: mailing }) => mailing === all[0]?.mailing_no)
  expect(wanted.length).toBeLessThan(all.length)
  expect(await whole(me, `${api}/mails?mailing_no=${all[0]?.mailing_no}`)).toEqual(wanted)
})

test('every paged list is read to its end in small pages while items are added: nothing twice, nothing missing', async () => {
  const { signup_path: path } = await me.read<{ signup_path: string }>(at(no, '/setup'))
  let turn = 0
  const person = () => ({ given_name: 'Mean', family_name: 'While', mail: `m${turn++}@mail.example` })
  const small = await numberAt(me, 'AHEAD', 9)
  const lists: [string, () => Promise<Response>][] = [
    [at(no, '/guests'), () => me.write('PUT', at(no, '/guests'), person())],
    [at(no, '/bookings'), () => me.form(path, person())],
    [`${api}/mails`, () => me.form(`/desk/gatherings/${small}/announce`, { words: 'Meanwhile' })],
  ]
  vi.useFakeTimers({ toFake: ['Date'] })
  for (const [list, add] of lists) {
    const before = await whole(me, list, 500)
    let pages = 0
    const size = list.endsWith('/mails') ? 5 : 1
    const seen = await whole(me, list, size, async () => {
      // The clock is moved so that reading and adding stay below the published rate.
      vi.setSystemTime(Date.now() + 1000)
      if (pages++ % 10 === 0) expect([201, 303]).toContain((await add()).status)
    })
    expect(before.length).toBeGreaterThanOrEqual(60)
    expect(seen).toEqual(before)
    expect((await whole(me, list, 500)).length).toBeGreaterThan(before.length)
  }
})

test('parameters that are wrong are refused', async () => {
  for (const [path, status, code] of [
    ['guests?page_size=0', 400, 'PARAMETER_INVALID'],
    ['guests?page_size=501', 400, 'PARAMETER_INVALID'],
    ['guests?limit=5', 400, 'PARAMETER_UNKNOWN'],
    ['guests?crowd=Press&crowd=Crew', 400, 'PARAMETER_INVALID'],
    ['guests?arrived=true', 400, 'PARAMETER_INVALID'],
    ['guests?pass=Gold', 422, 'PASS_UNKNOWN'],
    ['guests?crowd=Fans', 422, 'CROWD_UNKNOWN'],
    ['bookings?from_day=20260231', 400, 'PARAMETER_INVALID'],
    ['slots?day=2026-01-01', 400, 'PARAMETER_INVALID'],
    ['slots?stream=Nowhere', 422, 'STREAM_UNKNOWN'],
    ['voices?slot_no=1', 404, 'SLOT_NOT_FOUND'],
    ['guests?continuation=abc', 400, 'CONTINUATION_UNKNOWN'],
  ] as const) {
    expect([path, ...(await me.denied(at(no, `/${path}`)))]).toEqual([path, status, code])
  }
  expect(await me.denied(`${api}/gatherings?phase=past`)).toEqual([400, 'PARAMETER_INVALID'])
})

test('a continuation is good for one list with the same filters of one account', async () => {
  const { pagination } = await me.read<{ pagination: { continuation: string } }>(
    at(no, '/guests?arrived=no&page_size=5'),
  )
  const more = `continuation=${pagination.continuation}`
  expect(await whole(me, at(no, `/guests?arrived=no&page_size=500&${more}`))).not.toEqual([])
  for (const path of [`guests?${more}`, `guests?arrived=yes&${more}`, `bookings?${more}`]) {
    expect(await me.denied(at(no, `/${path}`))).toEqual([400, 'CONTINUATION_UNKNOWN'])
  }
})
