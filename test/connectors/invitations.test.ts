import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { values } from './app-caller.ts'
import type { AppCaller, Row } from './app-caller.ts'
import { House, cohosted, draft, scheduled, sent, numberIn } from './invitations-house.ts'

let house: House
let host: AppCaller
beforeAll(async () => {
  house = await House.open()
  host = house.caller
})
beforeEach(() => host.sandbox.reset())
afterAll(() => host.sandbox.close())

const events = (input: Row) => host.every('list_events', 'events', { limit: 100, ...input })
const guests = (input: Row, event_id = sent) => host.every('list_guests', 'guests', { event_id, ...input })
const contacts = (input: Row) => host.every('list_contacts', 'contacts', input)
const holds = (text: string) => (row: Row) => String(row['name']).toLowerCase().includes(text)

/** Some of all, those that are wanted, and not all. */
function expectPart(found: readonly Row[], all: readonly Row[], wanted: (row: Row) => boolean): void {
  expect(found).toEqual(all.filter(wanted))
  expect(found.length).toBeGreaterThan(0)
  expect(found.length).toBeLessThan(all.length)
}

describe('events', () => {
  test('are listed by status, sent ones by default, newest first, 20 a page', async () => {
    const numbers = new Set<unknown>()
    for (const status of ['draft', 'sent', 'scheduled']) {
      const found = await events({ status })
      expect(new Set(values(found, 'status'))).toEqual(new Set([status]))
      expect(new Set(values(found, 'type'))).toEqual(new Set(['card', 'flyer']))
      expect(found.length).toBe(64)
      const ids = values(found, 'event_id').map(numberIn)
      expect(ids).toEqual(ids.toSorted((a, b) => b - a))
      for (const id of ids) numbers.add(id)
    }
    expect(numbers.size).toBe(3 * 64)
    expect(await host.rows('list_events', 'events', {})).toEqual((await events({ status: 'sent' })).slice(0, 20))
  })

  test('are read to the end one by one, also while one is added', async () => {
    const whole = await events({ status: 'draft' })
    const party = { headline: 'Meanwhile', format: 'CARD', startsMs: String(Date.now() + 9e8), zone: 'Europe/Lisbon' }
    const single = await host.every('list_events', 'events', { status: 'draft', limit: 1 }, (page) =>
      page === 2 ? house.fill('parties', party) : undefined,
    )
    expect(single).toEqual(whole)
    const [first, ...others] = await events({ status: 'draft' })
    expect(first).toMatchObject({ title: 'Meanwhile', type: 'card', status: 'draft' })
    expect(others).toEqual(whole)
  })

  test('show in full as in the list, with host, place and time', async () => {
    const listed = await events({})
    const inFull = await Promise.all(listed.slice(0, 12).map(({ event_id }) => host.call('get_event', { event_id })))
    for (const [at, { host_name, location, time_zone, ...event }] of inFull.entries()) {
      expect(event).toEqual(listed[at])
      const { party } = (await house.read(`api/parties/${numberIn(event['event_id'])}`)) as { party: Row }
      expect([host_name, location ?? '', time_zone]).toEqual([party['hostedBy'], party['venue'], party['zone']])
      expect(Date.parse(String(event['event_date']))).toBe(party['startsMs'])
    }
    expect(values(inFull, 'location')).toContain(null)
    expect(new Set(values(inFull, 'time_zone')).size).toBeGreaterThan(1)
    const own = inFull.filter(({ host_name }) => host_name === 'Inês Conceição')
    expect(own.length).toBe(inFull.length - 1)
    expect(own.some(({ event_id }) => event_id === cohosted.sent)).toBe(false)
  })
})

describe('guests', () => {
  test('are read to the end, last added first, 25 a page, also while some are added', async () => {
    const whole = await guests({})
    expect(whole.length).toBe(140)
    expect((await host.rows('list_guests', 'guests', { event_id: sent })).length).toBe(25)
    const ids = values(whole, 'guest_id').map(numberIn)
    expect(ids).toEqual(ids.toSorted((a, b) => b - a))
    expect(new Set(ids).size).toBe(140)
    const added = [{ name: 'Meanwhile', phone: '+351 21 555 0134' }]
    const again = await host.every('list_guests', 'guests', { event_id: sent }, (page) =>
      page < 3 ? host.call('add_guests', { event_id: sent, guests: added }) : undefined,
    )
    expect(again).toEqual(whole)
    const now = await guests({})
    expect(values(now.slice(0, 3), 'name')).toEqual(['Meanwhile', 'Meanwhile', whole[0]?.['name']])
  })

  test.each(['unsent', 'sent', 'opened', 'attending', 'not_attending', 'maybe', 'bounced'])(
    'with status %s are found',
    async (status) => {
      expectPart(await guests({ status }), await guests({}), (guest) => guest['status'] === status)
    },
  )

  test('who are scheduled are found, and only who attends counts', async () => {
    const all = await guests({}, scheduled)
    expectPart(await guests({ status: 'scheduled' }, scheduled), all, ({ status }) => status === 'scheduled')
    for (const { status, total_attending } of [...all, ...(await guests({}))])
      expect(Number(total_attending) > 0).toBe(status === 'attending')
  })

  test('are found by Guest Tag, exactly as written, and by several filters together', async () => {
    const all = await guests({})
    const tagged = (tag: string) => (guest: Row) => (guest['tags'] as string[]).includes(tag)
    for (const tag of ['Family', 'חברים']) expectPart(await guests({ tag }), all, tagged(tag))
    expect(await guests({ tag: 'family' })).toEqual([])
    const found = await guests({ tag: 'Family', status: 'attending', search: 'LEE' })
    expectPart(found, all, (guest) => tagged('Family')(guest) && guest['status'] === 'attending' && holds('lee')(guest))
  })

  test('are searched by name, email and phone, in any case', async () => {
    const all = await guests({})
    expectPart(await guests({ search: ' ÖBERG ' }), all, holds('öberg'))
    expect(await guests({ search: 'nobody has this' })).toEqual([])
    expect(await guests({ search: '' })).toEqual(all)
    const who = [
      { name: 'By Mail', email: 'Needle@mail.example' },
      { name: 'By Phone', phone: '+99 (77) 123-45' },
    ]
    await host.call('add_guests', { event_id: sent, guests: who })
    expect(values(await guests({ search: 'needle@MAIL' }), 'name')).toEqual(['By Mail'])
    for (const search of ['(77) 123', '+997712345'])
      expect(values(await guests({ search }), 'name')).toEqual(['By Phone'])
  })

  test('show in full as in the list, with their messages, latest first', async () => {
    const all = await guests({})
    for (const guest_id of ['guest_100977', 'guest_101000', 'guest_101003']) {
      const { messages, ...guest } = await host.call('get_guest', { event_id: sent, guest_id })
      expect(guest).toEqual(all.find((one) => one['guest_id'] === guest_id))
      const { guest: raw } = (await house.read(`api/parties/${numberIn(sent)}/guests/${numberIn(guest_id)}`)) as {
        guest: Row
      }
      const letters = raw['letters'] as Row[]
      expect(values(messages as Row[], 'subject')).toEqual(values(letters, 'subject'))
      expect(values(messages as Row[], 'sent_at').map((at) => Date.parse(String(at)))).toEqual(
        values(letters, 'goneMs'),
      )
    }
    const { messages } = await host.call('get_guest', { event_id: sent, guest_id: 'guest_100977' })
    expect(values(messages as Row[], 'type')).toEqual(['private', 'broadcast'])
    expect(await host.call('get_guest', { event_id: sent, guest_id: 'guest_101003' })).toMatchObject({ messages: [] })
  })

  test('are exported as CSV, by a link that needs no session', async () => {
    const all = await guests({})
    const { download_url, ...rest } = await host.call('export_guest_list', { event_id: sent })
    expect(rest).toEqual({ event_id: sent, rows: all.length })
    const answer = await fetch(String(download_url))
    expect(answer.headers.get('content-type')).toMatch(/^text\/csv/)
    const lines = (await answer.text()).trimEnd().split('\r\n').slice(1)
    expect(lines.length).toBe(all.length)
    for (const { name } of all)
      expect(lines.some((line) => line.startsWith(`"${String(name).replaceAll('"', '""')}",`))).toBe(true)
  })
})

describe('contacts', () => {
  test('are read to the end by name, 25 a page, also while some are added', async () => {
    const whole = await contacts({})
    expect(whole.length).toBe(130)
    expect((await host.rows('list_contacts', 'contacts', {})).length).toBe(25)
    const names = values(whole, 'name').map((name) => String(name).toLowerCase())
    expect(names).toEqual(names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))))
    expect(values(whole, 'email')).toContain(null)
    expect(new Set(values(whole, 'phone_numbers').map((phones) => (phones as string[]).length))).toEqual(
      new Set([0, 1, 2]),
    )
    const again = await host.every('list_contacts', 'contacts', {}, (page) =>
      page === 2 ? house.fill('address-book', { fullName: '0 comes first', mail: 'first@mail.example' }) : undefined,
    )
    expect(again).toEqual(whole)
    expect((await contacts({}))[0]).toMatchObject({ name: '0 comes first', email: 'first@mail.example' })
  })

  test('are searched by name, email and phone numbers, in any case', async () => {
    const all = await contacts({})
    expectPart(await contacts({ search: 'MÜLLER' }), all, holds('müller'))
    expectPart(await contacts({ search: 'annalee.35@' }), all, ({ email }) => email === 'annalee.35@mail.example')
    for (const search of ['53 5550', '53 5550'.replaceAll(' ', '')])
      expectPart(await contacts({ search }), all, ({ phone_numbers }) =>
        (phone_numbers as string[]).some((phone) => phone.replaceAll(' ', '').includes('535550')),
      )
    expect(await contacts({ search: 'nobody has this' })).toEqual([])
  })
})

describe('what is not there, or not yours, is not found', () => {
  const calls: [string, Row][] = [
    ['get_event', {}],
    ['list_guests', {}],
    ['get_guest', { guest_id: 'guest_101000' }],
    ['export_guest_list', {}],
    ['add_guests', { guests: [{ name: 'New', email: 'a@mail.example' }] }],
    ['tag_guests', { guest_ids: ['guest_101000'], tag: 'Family' }],
    ['send_invitation', {}],
    ['send_message', { message: 'Hi', recipients: { status: ['sent'] } }],
    ['send_private_message', { guest_id: 'guest_101000', message: 'Hi' }],
  ]

  test.each(calls)('by %s', async (name, input) => {
    for (const event_id of [
      '1',
      '100190',
      'none',
      'event_1',
      'event_999999999',
      'event_-1',
      'event_0100190',
      'guest_100190',
    ])
      expect(await host.refused(name, { event_id, ...input })).toBe('PARTY_NOT_FOUND')
    expect(await host.refused(name, { event_id: sent, ...input }, 'stranger')).toBe('PARTY_NOT_FOUND')
    expect(await host.control.effects()).toEqual([])
  })

  test.each([
    ['get_guest', {}],
    ['send_private_message', { message: 'Hi' }],
  ])('as a guest by %s', async (name, input) => {
    for (const guest_id of ['101000', 'none', 'guest_1', 'guest_200977', 'contact_101000'])
      expect(await host.refused(name, { event_id: sent, guest_id, ...input })).toBe('GUEST_NOT_FOUND')
    expect(await host.refused(name, { event_id: draft, guest_id: 'guest_101000', ...input })).toBe('GUEST_NOT_FOUND')
  })

  test('by the lists of another account', async () => {
    for (const [name, key, id] of [
      ['list_events', 'events', 'event_id'],
      ['list_contacts', 'contacts', 'contact_id'],
    ] as const) {
      const mine = new Set(values(await host.every(name, key, {}), id))
      const theirs = values(await host.every(name, key, {}, undefined, 'stranger'), id)
      expect(theirs.length).toBeGreaterThan(0)
      expect(theirs.filter((one) => mine.has(one))).toEqual([])
    }
  })
})
