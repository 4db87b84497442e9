import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { AppCaller, dayFromNow, values } from './app-caller.ts'
import type { Row } from './app-caller.ts'

const past = '1000980' // 130 attendees, in Tokyo
const small = '1000470' // a few attendees
const ahead = '1002243' // in Kathmandu

let house: AppCaller
beforeAll(async () => {
  house = await AppCaller.open('event-management')
})
beforeEach(() => house.sandbox.reset())
afterAll(() => house.sandbox.close())

const events = (input: Row, user?: string) => house.rows('list_events', 'events', input, user)
const attendees = (input: Row, user?: string) =>
  house.every('list_attendees', 'attendees', { event_id: past, limit: 500, ...input }, undefined, user)
const orders = (input: Row) => house.every('list_registrations', 'orders', { event_id: past, limit: 500, ...input })
const sessions = (input: Row) => house.rows('list_sessions', 'sessions', { event_id: past, ...input })
const speakers = (input: Row) => house.rows('list_speakers', 'speakers', { event_id: past, ...input })
const sections = (input: Row) => house.rows('get_post_event_report', 'sections', { event_id: past, ...input })

/** Some of all, but neither none nor all of them. */
function expectPart(some: readonly Row[], all: readonly Row[], wanted: (row: Row) => boolean): void {
  expect(some).toEqual(all.filter(wanted))
  expect(some.length).toBeGreaterThan(0)
  expect(some.length).toBeLessThan(all.length)
}

describe('events', () => {
  test('are the upcoming ones by default, or the past ones, or all, the one that begins last first', async () => {
    const all = await events({ status: 'all' })
    expectPart(await events({ status: 'upcoming' }), all, ({ status }) => status === 'upcoming')
    expectPart(await events({ status: 'past' }), all, ({ status }) => status === 'past')
    expect(await events({})).toEqual(await events({ status: 'upcoming' }))
    const starts = values(all, 'start').map(String)
    expect(starts).toEqual(starts.toSorted().toReversed())
    for (const { start, end } of all) expect(String(end) >= String(start)).toBe(true)
    expect(all.find(({ event_id }) => event_id === past)).toEqual({
      event_id: past,
      name: 'Women in Quantum I',
      start: dayFromNow(-8),
      end: dayFromNow(-6),
      status: 'past',
    })
  })

  test('of another organizer do not exist', async () => {
    const mine = values(await events({ status: 'all' }), 'event_id')
    const theirs = values(await events({ status: 'all' }, 'stranger'), 'event_id')
    expect(theirs.length).toBe(64)
    expect(theirs.filter((one) => mine.includes(one))).toEqual([])
    for (const name of [
      'list_attendees',
      'list_registrations',
      'list_sessions',
      'list_speakers',
      'get_post_event_report',
    ]) {
      expect(await house.refused(name, { event_id: past }, 'stranger'), name).toBe('GATHERING_NOT_FOUND')
      expect(await house.refused(name, { event_id: 'made up' }), name).toBe('GATHERING_NOT_FOUND')
    }
  })
})

describe('attendees', () => {
  test('are told by ticket type, audience type and check-in, alone and together', async () => {
    const all = await attendees({})
    expect(all.length).toBe(130)
    expectPart(await attendees({ ticket_type: ' vip ' }), all, ({ ticket_type }) => ticket_type === 'VIP')
    expectPart(await attendees({ ticket_type: 'כרטיס יומי' }), all, ({ ticket_type }) => ticket_type === 'כרטיס יומי')
    for (const audience_type of ['Delegate', 'Speaker', 'Exhibitor', 'Sponsor', 'Press', 'Crew']) {
      const some = await attendees({ audience_type: audience_type.toLowerCase() })
      expectPart(some, all, (one) => one['audience_type'] === audience_type)
    }
    for (const checked_in of [true, false]) {
      expectPart(await attendees({ checked_in }), all, (one) => one['checked_in'] === checked_in)
    }
    const both = await attendees({ ticket_type: 'VIP', audience_type: 'Delegate', checked_in: true })
    expectPart(
      both,
      all,
      (one) => one['ticket_type'] === 'VIP' && one['audience_type'] === 'Delegate' && one['checked_in'] === true,
    )
    expect(values(all, 'email')).toContain(null)
    expect(values(all, 'company')).toContain(null)
    for (const email of values(all, 'email')) if (email !== null) expect(email).toMatch(/^\S+@\S+$/)
  })

  test('of a ticket type or audience that there is not are refused', async () => {
    expect(await house.refused('list_attendees', { event_id: past, ticket_type: 'Gold' })).toBe('PASS_UNKNOWN')
    expect(await house.refused('list_attendees', { event_id: past, audience_type: 'Robots' })).toBe('CROWD_UNKNOWN')
    expect(await house.refused('list_registrations', { event_id: past, ticket_type: 'Gold' })).toBe('PASS_UNKNOWN')
  })

  test('and orders belong to organizers; door staff sees attendees only', async () => {
    const accounts = await house.control.accounts()
    const door = accounts.find(({ kind }) => kind === 'door')!
    const run = (name: string, input: Row) =>
      house.sandbox.call(house.app, house.app.endpoints.get(name)!, input, door.session)
    const listed = (await run('list_events', {})).outcome
    expect(listed.kind).toBe('ok')
    const [event] = (listed.kind === 'ok' ? listed.output['events'] : []) as Row[]
    const event_id = event?.['event_id']
    for (const name of ['list_attendees', 'list_sessions', 'list_speakers']) {
      expect((await run(name, { event_id })).outcome.kind, name).toBe('ok')
    }
    const refused = { kind: 'rejected', appCode: 'ORGANIZER_ONLY' }
    expect((await run('list_registrations', { event_id })).outcome).toMatchObject(refused)
    expect((await run('get_post_event_report', { event_id })).outcome).toMatchObject(refused)
    const writes: [string, Row][] = [
      ['add_attendee', { event_id, first_name: 'A', last_name: 'B', email: 'a@mail.example' }],
      ['send_announcement', { event_id, message: 'Hello' }],
      ['message_speakers', { event_id, message: 'Hello' }],
    ]
    for (const [name, input] of writes) expect((await run(name, input)).outcome, name).toMatchObject(refused)
    expect(await house.control.effects()).toEqual([])
  })
})

describe('orders', () => {
  test('are told by ticket type and by the day on the clocks of the event, newest first', async () => {
    const all = await orders({})
    const times = values(all, 'ordered_at').map((time) => Date.parse(String(time)))
    expect(times).toEqual(times.toSorted((a, b) => b - a))
    for (const { ordered_at } of all) expect(ordered_at).toMatch(/\+09:00$/)
    expectPart(await orders({ ticket_type: 'standard' }), all, ({ ticket_type }) => ticket_type === 'Standard')
    const days = [...new Set(values(all, 'ordered_at').map((time) => String(time).slice(0, 10)))]
    const middle = days[Math.floor(days.length / 2)]!
    for (const since of [days[1]!, middle]) {
      expectPart(await orders({ since }), all, ({ ordered_at }) => String(ordered_at).slice(0, 10) >= since)
    }
    const both = await orders({ since: middle, ticket_type: 'VIP' })
    expect(both).toEqual((await orders({ since: middle })).filter(({ ticket_type }) => ticket_type === 'VIP'))
    expect(await orders({ since: dayFromNow(1) })).toEqual([])
    for (const since of ['0000-01-01', '0001-01-01', '0999-12-31', '2000-02-29'])
      expect(await orders({ since })).toEqual(all)
    expect(await orders({ since: '9999-12-31' })).toEqual([])
    for (const { registrant, email } of all) expect([registrant, email]).not.toContain('')
  })
})

describe('lists that are paged', () => {
  const lists = [
    { name: 'list_attendees', key: 'attendees', id: 'attendee_id' },
    { name: 'list_registrations', key: 'orders', id: 'order_id' },
  ]
  const signUp = async (): Promise<void> => {
    const { session } = (await house.control.accounts()).find(({ user }) => user === 'demo')!
    const cookie = session.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
    const root = `${house.sandbox.url}/event-management`
    const setup = await fetch(`${root}/organizer/v1/gatherings/${ahead}/setup`, { headers: { cookie } })
    const { signup_path } = (await setup.json()) as { signup_path: string }
    const body = new URLSearchParams({
      given_name: 'Ada',
      family_name: 'Late',
      mail: 'ada.late@mail.example',
      pass: 'VIP',
    })
    const answer = await fetch(root + signup_path, { method: 'POST', body, redirect: 'manual' })
    expect(answer.status).toBe(303)
  }

  test.each(lists)('$name is read to its end in pages of any size, no item twice', async ({ name, key, id }) => {
    const whole = values(await house.every(name, key, { event_id: past, limit: 500 }), id)
    expect(new Set(whole).size).toBe(whole.length)
    expect(values(await house.every(name, key, { event_id: past, limit: 7 }), id)).toEqual(whole)
    expect((await house.rows(name, key, { event_id: past })).length).toBe(100)
    const few = values(await house.every(name, key, { event_id: small, limit: 500 }), id)
    expect(few.length).toBeGreaterThan(1)
    expect(values(await house.every(name, key, { event_id: small, limit: 1 }), id)).toEqual(few)
  })

  test.each(lists)('$name goes on as it was while somebody registers', async ({ name, key, id }) => {
    const whole = values(await house.every(name, key, { event_id: ahead, limit: 500 }), id)
    const read = await house.every(name, key, { event_id: ahead, limit: 20 }, (page) =>
      page === 2 ? signUp() : undefined,
    )
    expect(values(read, id)).toEqual(whole)
    const [first, second] = await house.rows(name, key, { event_id: ahead, limit: 2 })
    expect([second?.[id], first?.['email']]).toEqual([whole[0], 'ada.late@mail.example'])
  })

  test.each(lists)('$name takes 1 to 500 and cursors of its own', ({ name }) => {
    for (const limit of [1, 500]) expect(house.takes(name, { event_id: past, limit })).toBe(true)
    for (const limit of [0, 501, 1.5]) expect(house.takes(name, { event_id: past, limit })).toBe(false)
    expect(house.takes(name, { event_id: past, cursor: 'made-up' })).toBe(false)
    expect(house.takes(name, {})).toBe(false)
  })
})

describe('the agenda', () => {
  test('is in order and in the time zone of the event, and told by day and track', async () => {
    const all = await sessions({})
    expect(all.length).toBe(26)
    const order = all.map(({ start, end }) => [Date.parse(String(start)), Date.parse(String(end))] as const)
    expect(order).toEqual(order.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]))
    for (const { start, end } of all) expect(`${String(start)} ${String(end)}`).toMatch(/\+09:00 .*\+09:00$/)
    const days = [-8, -7, -6].map(dayFromNow)
    const perDay: Row[] = []
    for (const date of days) {
      const some = await sessions({ date })
      expectPart(some, all, ({ start }) => String(start).startsWith(date))
      perDay.push(...some)
    }
    expect(perDay).toEqual(all)
    expect(await sessions({ date: dayFromNow(-9) })).toEqual([])
    const onTrack = (track: string) => (row: Row) => (row['tracks'] as string[]).includes(track)
    for (const track of ['Recorded', 'Échanges', 'מסלול חדשנות']) {
      expectPart(await sessions({ track: ` ${track.toUpperCase()} ` }), all, onTrack(track))
    }
    const both = await sessions({ track: 'Workshops', date: days[1]! })
    expectPart(both, all, (row) => onTrack('Workshops')(row) && String(row['start']).startsWith(days[1]!))
    expect(await house.refused('list_sessions', { event_id: past, track: 'Exchanges' })).toBe('STREAM_UNKNOWN')
  })

  test.each([
    [ahead, 'Asia/Kathmandu'],
    ['1001752', 'America/Bogota'],
    ['1000389', 'Europe/Lisbon'],
    ['1000373', 'America/New_York'],
    ['1000336', 'Pacific/Auckland'],
    ['1000322', 'America/St_Johns'],
    ['1001417', 'Europe/Lisbon'],
    ['1001350', 'America/St_Johns'],
  ])('of %s shows moments as the clocks of %s do', async (event_id, timeZone) => {
    const clock = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
    const event = (await events({ status: 'all' })).find((one) => one['event_id'] === event_id)!
    for (const { start, end } of await sessions({ event_id })) {
      for (const moment of [String(start), String(end)]) {
        expect(moment.slice(0, 19).replace('T', ' ')).toBe(clock.format(new Date(moment)))
        expect(moment.slice(0, 10) >= String(event['start'])).toBe(true)
        expect(moment.slice(0, 10) <= String(event['end'])).toBe(true)
      }
    }
  })

  test('names the speakers, who are listed with the titles of their sessions', async () => {
    const [all, agenda] = [await speakers({}), await sessions({})]
    expect(all.length).toBe(14)
    expect(values(all, 'email')).toContain(null)
    for (const { name, sessions: titles } of all) {
      const theirs = agenda.filter((one) => (one['speakers'] as string[]).includes(String(name)))
      expect((titles as string[]).toSorted()).toEqual(values(theirs, 'title').map(String).toSorted())
    }
    const session = agenda.find((one) => (one['speakers'] as string[]).length === 2)!
    const two = await speakers({ session_id: session['session_id'] })
    expectPart(two, all, ({ name }) => (session['speakers'] as unknown[]).includes(name))
    const [other] = await sessions({ event_id: ahead })
    expect(await house.refused('list_speakers', { event_id: past, session_id: other?.['session_id'] })).toBe(
      'SLOT_NOT_FOUND',
    )
  })
})

describe('the post-event report', () => {
  test('is read whole or by section, once it was requested', async () => {
    const all = await sections({})
    expect(all.length).toBe(8)
    expectPart(await sections({ section: 'attendance' }), all, ({ title }) => title === 'Attendance')
    const came = (await attendees({ checked_in: true })).length
    expect((await sections({ section: 'Attendance' }))[0]?.['text']).toContain(`Arrived: ${came}`)
    expect(await house.refused('get_post_event_report', { event_id: past, section: 'Weather' })).toBe('CHAPTER_UNKNOWN')
    expect(await house.call('get_post_event_report', { event_id: past })).toEqual({ event_id: past, sections: all })
  })

  test.each([
    ['was not requested', '1000688'],
    ['is still to come', ahead],
  ])('is not ready when it %s', async (_what, event_id) => {
    expect(await house.refused('get_post_event_report', { event_id })).toBe('WRAP_UP_NOT_READY')
  })

  test('is there after the organizer has requested it in the app', async () => {
    const { session } = (await house.control.accounts()).find(({ user }) => user === 'demo')!
    const cookie = session.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
    const root = `${house.sandbox.url}/event-management`
    const me = (await (await fetch(`${root}/organizer/v1/me`, { headers: { cookie } })).json()) as { stamp: string }
    const body = new URLSearchParams({ stamp: me.stamp })
    const asked = await fetch(`${root}/desk/gatherings/1000688/wrap-up`, {
      method: 'POST',
      body,
      redirect: 'manual',
      headers: { cookie },
    })
    expect(asked.headers.get('location')).toContain('done=wrap_up_ready')
    expect((await sections({ event_id: '1000688' })).length).toBe(8)
  })
})
