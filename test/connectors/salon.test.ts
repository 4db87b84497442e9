import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { salon } from '../../connectors/salon/index.ts'
import { AppCaller, dayFromNow, values } from './app-caller.ts'
import type { Row } from './app-caller.ts'

let shop: AppCaller
beforeAll(async () => {
  shop = await AppCaller.open('salon')
})
afterAll(() => shop.sandbox.close())

const main = 'b1000001'
const kathmandu = 'b1000015'
const everything = { from: dayFromNow(-40), to: dayFromNow(40) }
const appointments = (input: Row, user?: string) => shop.rows('list_appointments', 'appointments', input, user)
const slots = (input: Row) => shop.rows('search_availability', 'slots', input)
const waitlist = (input: Row) => shop.rows('list_waitlist', 'entries', input)
const reviews = (input: Row) => shop.rows('list_reviews', 'reviews', input)
const clients = (input: Row) => shop.rows('find_client', 'clients', input)
const conversations = (input: Row) => shop.rows('list_conversations', 'conversations', input)

const dayOf = (row: Row): string => String(row['start']).slice(0, 10)
const times = (rows: readonly Row[]): number[] => rows.map(({ start }) => Date.parse(String(start)))
const ascending = (numbers: readonly number[]): number[] => numbers.toSorted((a, b) => a - b)

describe('locations and services', () => {
  test('locations come with their zones, the main one first, and a telephone or none', async () => {
    const locations = await shop.rows('list_locations', 'locations', {})
    expect(locations[0]).toEqual({
      location_id: main,
      name: 'Jardins',
      address: 'Rua Oscar Freire 812, São Paulo',
      time_zone: 'America/Sao_Paulo',
      phone: '+55 11 5550 0101',
    })
    expect(values(locations, 'time_zone')).toEqual([
      'America/Sao_Paulo',
      'Asia/Kathmandu',
      'Asia/Kuwait',
      'Europe/Lisbon',
    ])
    expect(values(locations, 'phone')).toContain(null)
  })

  test('services are those of one location, by default the main one, each priced in its currency', async () => {
    const own = await shop.rows('list_services', 'services', {})
    expect(await shop.rows('list_services', 'services', { location_id: main })).toEqual(own)
    expect(own.length).toBe(8)
    expect(own[0]).toEqual({
      service_id: 't1000007',
      name: 'Cut & blow-dry',
      duration_min: 60,
      price: { amount: '247.50', currency: 'BRL' },
      provider_ids: ['c1000002', 'c1000003', 'c1000004', 'c1000005'],
    })
    expect(own.at(-1)).toMatchObject({ provider_ids: [] })
    const kuwait = await shop.rows('list_services', 'services', { location_id: 'b1000026' })
    for (const { price } of kuwait)
      expect(price).toEqual({ amount: expect.stringMatching(/^\d+\.\d{3}$/), currency: 'KWD' })
    expect(values(kuwait, 'service_id')).not.toContain('t1000007')
    expect(await shop.refused('list_services', { location_id: 'b9' })).toBe('BRANCH_NOT_FOUND')
  })

  test('a currency without decimals has none', async () => {
    const [yen] = await shop.rows('list_services', 'services', {}, 'two_accounts')
    expect(yen?.['price']).toEqual({ amount: expect.stringMatching(/^\d+$/), currency: 'JPY' })
  })
})

describe('appointments', () => {
  test('are listed whole over a long time, by start, each once, with the offset of their location', async () => {
    const all = await appointments(everything)
    expect(all.length).toBeGreaterThan(150)
    expect(new Set(values(all, 'appointment_id')).size).toBe(all.length)
    expect(times(all)).toEqual(ascending(times(all)))
    expect(all.every(({ start, end }) => String(start).endsWith('-03:00') && String(end).endsWith('-03:00'))).toBe(true)
    const days: Row[] = []
    for (const from of [5, 6, 7]) days.push(...(await appointments({ from: dayFromNow(from) })))
    expect(await appointments({ from: dayFromNow(5), to: dayFromNow(7) })).toEqual(days)
    expect(days).toEqual(all.filter((one) => dayOf(one) >= dayFromNow(5) && dayOf(one) <= dayFromNow(7)))
    expect(new Set(days.map(dayOf)).size).toBe(3)
  })

  test('are those of one location', async () => {
    const own = await appointments({ ...everything, location_id: main })
    expect(own).toEqual(await appointments(everything))
    const there = await appointments({ ...everything, location_id: kathmandu })
    expect(there.length).toBeGreaterThan(0)
    expect(there.every(({ start }) => String(start).endsWith('+05:45'))).toBe(true)
  })

  test.each(['Booked', 'Arrived', 'In the chair', 'Completed', 'No-show', 'Cancelled'])(
    'are filtered by the status that the app shows: %s',
    async (status) => {
      const all = await appointments(everything)
      const found = await appointments({ ...everything, status })
      expect(found).toEqual(all.filter((one) => one['status'] === status))
      expect(found.length).toBeGreaterThan(0)
      expect(found.length).toBeLessThan(all.length)
    },
  )

  test('are filtered by provider', async () => {
    const all = await appointments(everything)
    const found = await appointments({ ...everything, provider_id: 'c1000004' })
    expect(found).toEqual(all.filter(({ provider }) => provider === 'ليلى منصور'))
    expect(found.length).toBeGreaterThan(0)
    expect(found.length).toBeLessThan(all.length)
    expect(await appointments({ ...everything, provider_id: 'c1000006' })).toEqual([])
  })

  test('are refused for a time that runs backwards, and for providers and locations of nobody', async () => {
    const from = dayFromNow(5)
    expect(await shop.refused('list_appointments', { from, to: dayFromNow(4) })).toBe('SPAN_BACKWARDS')
    expect(await shop.refused('list_appointments', { from, provider_id: 'c9' })).toBe('CREW_NOT_FOUND')
    expect(await shop.refused('list_appointments', { from, location_id: 'b2000001' })).toBe('BRANCH_NOT_FOUND')
  })
})

describe('availability', () => {
  const service_id = 't1000007'

  test('covers eight days by default, earliest first, with everybody who does the service', async () => {
    const from = dayFromNow(4)
    const found = await slots({ service_id, from })
    expect(found).toEqual(await slots({ service_id, from, to: dayFromNow(11), location_id: main }))
    expect(new Set(found.map(dayOf)).size).toBe(8)
    expect(times(found)).toEqual(ascending(times(found)))
    expect(new Set(values(found, 'provider_id'))).toEqual(new Set(['c1000002', 'c1000003', 'c1000004', 'c1000005']))
  })

  test('is that of one provider', async () => {
    const span = { service_id, from: dayFromNow(4), to: dayFromNow(5) }
    const all = await slots(span)
    const found = await slots({ ...span, provider_id: 'c1000004' })
    expect(found).toEqual(all.filter(({ provider_id }) => provider_id === 'c1000004'))
    expect(found[0]).toMatchObject({ provider: 'ليلى منصور' })
    expect(found.length).toBeGreaterThan(0)
    expect(found.length).toBeLessThan(all.length)
  })

  test('leaves out what is booked and what is over, and is empty where nobody does the service', async () => {
    const from = dayFromNow(7)
    const booked = await appointments({ from, status: 'Booked', provider_id: 'c1000002' })
    const free = times(await slots({ service_id: 't1000008', from, to: from, provider_id: 'c1000002' }))
    expect(booked.length).toBeGreaterThan(0)
    for (const { start } of booked) expect(free).not.toContain(Date.parse(String(start)))
    expect(await slots({ service_id, from: dayFromNow(-9), to: dayFromNow(-2) })).toEqual([])
    expect(await slots({ service_id: 't1000014', from })).toEqual([])
  })

  test('is on the clocks of the location', async () => {
    const [first] = await shop.rows('list_services', 'services', { location_id: kathmandu })
    const found = await slots({ service_id: first?.['service_id'], from: dayFromNow(4), to: dayFromNow(4) })
    expect(found.length).toBeGreaterThan(0)
    for (const slot of found) expect(slot['start']).toMatch(new RegExp(`^${dayFromNow(4)}T\\d\\d:\\d0:00\\+05:45$`))
  })

  test('is refused beyond 62 days, at another location, and for whoever does not do the service', async () => {
    const from = dayFromNow(1)
    expect(await slots({ service_id, from, to: dayFromNow(62) })).not.toEqual([])
    const refused = (more: Row) => shop.refused('search_availability', { service_id, from, ...more })
    expect(await refused({ to: dayFromNow(63) })).toBe('SPAN_TOO_LONG')
    expect(await refused({ to: dayFromNow(0) })).toBe('SPAN_BACKWARDS')
    expect(await refused({ location_id: kathmandu })).toBe('NOT_AT_BRANCH')
    expect(await refused({ provider_id: 'c1000006' })).toBe('CREW_CANNOT')
    expect(await refused({ service_id: 't9' })).toBe('TREATMENT_NOT_FOUND')
  })
})

describe('clients', () => {
  test('are found by name in any capitals and accents, from A to Z', async () => {
    const found = await clients({ query: 'ÉLODIE', limit: 50 })
    expect(found.length).toBeGreaterThan(1)
    expect(values(found, 'name').every((name) => String(name).startsWith('Élodie'))).toBe(true)
    expect(values(await clients({ query: 'elodie', limit: 50 }), 'client_id')).toEqual(values(found, 'client_id'))
    const names = values(found, 'name').map(String)
    expect(names).toEqual(names.toSorted())
    for (const query of ['nobody at all', '💇'.repeat(200)]) expect(await clients({ query })).toEqual([])
  })

  test('are found by a part of the email and by digits of the phone number', async () => {
    const ana = {
      client_id: 'g1000081',
      name: 'Ana Eriksen',
      email: 'anaeriksen.34@mail.example',
      phone: '+39 89 5550133',
      tags: ['Prefers silence', 'Mother & child'],
    }
    expect(await clients({ query: 'anaeriksen.34@' })).toEqual([ana])
    expect(await clients({ query: '5550133' })).toEqual([ana])
    expect(await clients({ query: '(39) 89-555 0133' })).toEqual([ana])
  })

  test('come ten at a time unless told otherwise, some without email or telephone', async () => {
    expect((await clients({ query: 'a' })).length).toBe(10)
    const many = await clients({ query: 'a', limit: 50 })
    expect(many.length).toBe(50)
    expect((await clients({ query: 'a', limit: 1 })).length).toBe(1)
    expect(values(many, 'email')).toContain(null)
    expect(values(many, 'phone')).toContain(null)
  })
})

describe('the lists of guests', () => {
  test('the waitlist is whole and by day, of one location, of one day', async () => {
    const all = await waitlist({})
    expect(all.length).toBe(66)
    expect(await waitlist({ location_id: main })).toEqual(all)
    const days = values(all, 'date').map(String)
    expect(days).toEqual(days.toSorted())
    expect(days[0]).toBe(dayFromNow(-2))
    const found = await waitlist({ date: dayFromNow(5) })
    expect(found).toEqual(all.filter(({ date }) => date === dayFromNow(5)))
    expect(found[0]).toEqual({
      waitlist_entry_id: 'w1000429',
      client: 'Zoë O’Malley',
      service: 'Cut & blow-dry',
      provider: 'any',
      date: dayFromNow(5),
    })
    expect(values(found, 'provider')).toContain('Øyvind Skår')
    expect((await waitlist({ location_id: kathmandu })).length).toBe(8)
    expect(await waitlist({ date: dayFromNow(300) })).toEqual([])
  })

  test('any day that a calendar has is taken', async () => {
    for (const since of ['0000-02-29', '0001-01-01']) expect(await reviews({ since })).toEqual(await reviews({}))
    expect(await reviews({ since: '9999-12-31' })).toEqual([])
    for (const from of ['0000-01-01', '0001-01-01', '9999-12-31']) {
      expect(await waitlist({ date: from })).toEqual([])
      expect(await appointments({ from })).toEqual([])
      expect(await slots({ service_id: 't1000007', from })).toEqual([])
    }
  })

  test('conversations come most recent first, twenty by default, all or only the unread', async () => {
    const many = await conversations({ limit: 50 })
    expect(many.length).toBe(50)
    expect(await conversations({})).toEqual(many.slice(0, 20))
    expect(await conversations({ unread_only: false, limit: 1 })).toEqual(many.slice(0, 1))
    const touched = values(many, 'updated_at').map((time) => Date.parse(String(time)))
    expect(touched).toEqual(touched.toSorted((a, b) => b - a))
    const unread = await conversations({ unread_only: true, limit: 50 })
    expect(unread.every((one) => one['unread'] === true)).toBe(true)
    const among = many.filter((one) => one['unread'] === true)
    expect(unread.slice(0, among.length)).toEqual(among)
    expect(among.length).toBeLessThan(many.length)
    expect(many[0]).toEqual({
      conversation_id: 'k1001053',
      client: 'Beatriz Araújo',
      unread: true,
      last_message: 'هل لديكم موعد قبل العيد؟',
      updated_at: `${dayFromNow(-1)}T23:50:00Z`,
    })
  })

  test('reviews are whole and newest first, since a day, all or only those without a reply', async () => {
    const all = await reviews({})
    expect(all.length).toBe(66)
    const days = values(all, 'posted_at').map(String)
    expect(days).toEqual(days.toSorted().toReversed())
    const since = dayFromNow(-40)
    expect(await reviews({ since })).toEqual(all.filter(({ posted_at }) => String(posted_at) >= since))
    expect(values(await reviews({ since }), 'posted_at')).toContain(since)
    const open = all.filter(({ replied }) => replied === false)
    expect(await reviews({ unanswered_only: true })).toEqual(open)
    expect(await reviews({ unanswered_only: false })).toEqual(all)
    expect(open.length).toBeLessThan(all.length)
    expect(all[0]).toMatchObject({ client: 'Priya Gülen', rating: 1, text: '' })
    expect(new Set(values(all, 'rating'))).toEqual(new Set([1, 2, 3, 4, 5]))
    expect((await reviews({ location_id: kathmandu })).length).toBe(7)
  })
})

test('a list longer than a whole one can be is refused, not cut short', () => {
  const answer = (rows: number, next_row: number | null) =>
    salon.failure({
      status: 200,
      headers: {},
      text: '',
      location: null,
      elsewhere: null,
      json: { data: [], paging: { rows, next_row } },
    })
  expect(answer(1000, 1001)).toMatchObject({ kind: 'rejected', appCode: 'LIST_TOO_LONG' })
  expect(answer(1000, null)).toBeUndefined()
  expect(answer(50, 51)).toBeUndefined()
})

test('what belongs to one business is not there for another', async () => {
  const theirs = await appointments(everything, 'stranger')
  const own = new Set(values(await appointments(everything), 'appointment_id'))
  expect(theirs.length).toBeGreaterThan(0)
  expect(theirs.filter(({ appointment_id }) => own.has(appointment_id))).toEqual([])
  for (const [name, key, id, input] of [
    ['list_locations', 'locations', 'location_id', {}],
    ['list_services', 'services', 'service_id', {}],
    ['find_client', 'clients', 'client_id', { query: 'a', limit: 50 }],
    ['list_waitlist', 'entries', 'waitlist_entry_id', {}],
    ['list_conversations', 'conversations', 'conversation_id', { limit: 50 }],
    ['list_reviews', 'reviews', 'review_id', {}],
  ] as const) {
    const mine = new Set(values(await shop.rows(name, key, input), id))
    const other = values(await shop.rows(name, key, input, 'stranger'), id)
    expect(other.length).toBeGreaterThan(0)
    expect(other.filter((one) => mine.has(one))).toEqual([])
  }
})
