import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { AppCaller, dayFromNow, values } from './app-caller.ts'
import type { Row } from './app-caller.ts'
import { at, cut, dries, jean, list, martinique } from './salon-booking-calls.ts'

let salon: AppCaller
beforeAll(async () => {
  salon = await AppCaller.open('salon-booking')
})
beforeEach(() => salon.sandbox.reset())
afterAll(() => salon.sandbox.close())

const clients = (input: Row, between?: () => Promise<unknown>): Promise<Row[]> =>
  salon.every('list_clients', 'clients', input, between)

describe('clients', () => {
  test('are listed from A to Z, whatever the page, none twice, none missing', async () => {
    const all = await clients({ limit: 500 })
    expect(all.length).toBeGreaterThanOrEqual(60)
    expect(new Set(values(all, 'client_id')).size).toBe(all.length)
    const names = values(all, 'name').map(String)
    expect(names).toEqual(names.toSorted(new Intl.Collator('en', { sensitivity: 'base' }).compare))
    expect(list(await salon.call('list_clients', {}), 'clients')).toEqual(all.slice(0, 100))
    const some = await clients({ location_id: martinique, limit: 500 })
    expect(await clients({ location_id: martinique, limit: 1 })).toEqual(some)
    expect(some.length).toBeLessThan(all.length)
  })

  test('are paged to the end while others are added before and after', async () => {
    const before = await clients({ limit: 500 })
    let added = 0
    const during = await clients({ limit: 30 }, async () => {
      added += 1
      await salon.call('add_client', { name: `${added % 2 === 0 ? 'Zz' : 'Aa'} ${added}` })
    })
    expect(during).toEqual(before)
    expect((await clients({ limit: 500 })).length).toBe(before.length + added)
  })

  test('are found by part of their name, email or phone', async () => {
    const all = await clients({ limit: 500 })
    const one = all.find(({ email, phone }) => email !== null && phone !== null)!
    for (const search of [String(one['name']).slice(2, 7).toUpperCase(), String(one['email']), String(one['phone'])]) {
      const found = await clients({ search })
      expect(values(found, 'client_id')).toContain(one['client_id'])
      expect(found.length).toBeLessThan(all.length)
    }
    expect(await clients({ search: 'nobody is called this' })).toEqual([])
  })

  test('are filtered by the day of their last appointment, which leaves out cancelled ones and no-shows', async () => {
    const all = await clients({ limit: 500 })
    const day = dayFromNow(-60)
    const before = await clients({ last_appointment_before: day, limit: 500 })
    const seen = ({ last_appointment: last }: Row): boolean => typeof last === 'string' && last < day
    expect(before).toEqual(all.filter(seen))
    expect(before.length).toBeGreaterThan(0)
    expect(before.length).toBeLessThan(all.length)
    const days = values(all, 'last_appointment').filter((last) => typeof last === 'string')
    const last = days.toSorted()[0]
    expect(await clients({ last_appointment_before: last })).toEqual([])
    for (const client of all.filter(({ last_appointment }) => last_appointment !== dayFromNow(0)).slice(0, 20)) {
      const profile = await salon.call('get_client', { client_id: client['client_id'] })
      const past = list(profile, 'past_appointments').filter(
        ({ status, start_at }) =>
          status !== 'Cancelled' && status !== 'No-show' && Date.parse(String(start_at)) < Date.now(),
      )
      expect(past[0] === undefined ? null : String(past[0]['start_at']).slice(0, 10)).toBe(client['last_appointment'])
    }
  })

  test('show their notes and appointments newest first', async () => {
    const next = { from: dayFromNow(1), to: dayFromNow(24), status: 'booked', location_id: martinique }
    const ids = list(await salon.call('list_appointments', next), 'appointments').map(
      ({ client }) => (client as Row)['client_id'],
    )
    let upcoming = 0
    for (const client_id of new Set(ids)) {
      const profile = await salon.call('get_client', { client_id })
      for (const [key, when] of [
        ['upcoming_appointments', 'start_at'],
        ['past_appointments', 'start_at'],
        ['notes', 'created_at'],
      ] as const) {
        const times = values(list(profile, key), when).map((time) => Date.parse(String(time)))
        expect(times).toEqual(times.toSorted((a, b) => b - a))
      }
      upcoming = Math.max(upcoming, list(profile, 'upcoming_appointments').length)
      for (const past of list(profile, 'past_appointments')) expect(past['status']).toMatch(/\S/)
    }
    expect(upcoming).toBeGreaterThan(1)
  })

  test('are added with all that is said about them, once per email', async () => {
    const email = 'ada@post.example'
    const more = { phone: '+353 1 234 5678', accepts_sms_marketing: true, allergies: ['PPD', 'Öl & <Wachs>'] }
    const added = await salon.call('add_client', { name: 'Ada Ångström', email, location_id: martinique, ...more })
    expect(added).toMatchObject({ name: 'Ada Ångström', email, ...more, accepts_marketing: false })
    const { client_id } = added
    expect(await salon.call('get_client', { client_id })).toMatchObject({ allergies: more.allergies, notes: [] })
    expect(await clients({ search: 'ada@post', location_id: martinique })).toMatchObject([
      { client_id, email, last_appointment: null, accepts_marketing: false, accepts_sms_marketing: true },
    ])
    expect(await salon.refused('add_client', { name: 'Ada', email })).toBe('GUEST_EXISTS')
    expect(await salon.refused('add_client', { name: 'Ada', email: 'no address' })).toBe('MAIL_INVALID')
    const effects = await salon.control.effects()
    expect(effects.length).toBe(1)
  })

  test('get notes for the team', async () => {
    const text = 'Olá!\n<b>&"1"</b> 😀'
    const note = await salon.call('add_client_note', { client_id: dries, text })
    expect(note).toMatchObject({ client_id: dries, text })
    expect(Math.abs(Date.parse(String(note['created_at'])) - Date.now())).toBeLessThan(120_000)
    const { notes } = await salon.call('get_client', { client_id: dries })
    expect(notes).toEqual([{ text, created_at: note['created_at'] }])
  })

  test.each([
    ['list_clients', 'limit', 1, 0],
    ['list_clients', 'limit', 500, 501],
    ['add_client', 'name', 'x', ''],
    ['add_client', 'name', 'x'.repeat(120), 'x'.repeat(121)],
    ['add_client', 'phone', '1'.repeat(40), '1'.repeat(41)],
    ['add_client', 'email', 'x'.repeat(200), 'x'.repeat(201)],
    ['add_client', 'allergies', Array(20).fill('x'), Array(21).fill('x')],
    ['add_client_note', 'text', 'x'.repeat(2000), 'x'.repeat(2001)],
  ])('%s takes %s up to its bound, and not beyond', (name, field, good, bad) => {
    const rest = { list_clients: {}, add_client: { name: 'x' }, add_client_note: { client_id: 'x' } }[name]
    expect(salon.takes(name, { ...rest, [field]: good })).toBe(true)
    expect(salon.takes(name, { ...rest, [field]: bad })).toBe(false)
  })
})

describe('the team', () => {
  test('and the services are filtered by location, and fit together', async () => {
    const services = list(await salon.call('list_services', {}), 'services')
    const team = list(await salon.call('list_team_members', {}), 'team_members')
    const known = values(services, 'service_id')
    for (const { service_ids } of team) for (const one of service_ids as unknown[]) expect(known).toContain(one)
    const here = list(await salon.call('list_team_members', { location_id: martinique }), 'team_members')
    expect(here).toEqual(team.filter(({ locations }) => (locations as unknown[]).includes(martinique)))
    expect(here.length).toBeLessThan(team.length)
    const offered = list(await salon.call('list_services', { location_id: martinique }), 'services')
    expect(offered.length).toBeGreaterThan(0)
    expect(offered.length).toBeLessThan(services.length)
    for (const service of offered) expect(services).toContainEqual(service)
  })

  test.each(['break', 'training', 'admin'])('can have time blocked for a %s, which takes its slots', async (type) => {
    const wanted = { service_ids: [cut], date: dayFromNow(32), team_member_id: jean }
    const before = list(await salon.call('find_available_slots', wanted), 'slots')
    const time = { start_at: at(32, '13:00'), end_at: at(32, '14:00') }
    const blocked = await salon.call('add_blocked_time', { team_member_id: jean, type, ...time, title: 'Team' })
    expect(blocked).toEqual({
      blocked_time_id: expect.stringMatching(/./),
      team_member_id: jean,
      type,
      ...time,
    })
    const after = list(await salon.call('find_available_slots', wanted), 'slots')
    const free = ({ start_at, end_at }: Row): boolean =>
      String(end_at) <= time.start_at || String(start_at) >= time.end_at
    expect(after).toEqual(before.filter(free))
    expect(after.length).toBeLessThan(before.length)
  })

  test.each([
    [{ start_at: at(32, '14:00'), end_at: at(32, '13:00') }, 'TIME_ORDER'],
    [{ start_at: at(-2, '13:00'), end_at: at(-2, '14:00') }, 'TIME_PASSED'],
    [{ start_at: at(20, '10:30'), end_at: at(20, '11:00') }, 'TIME_TAKEN'],
    [{ team_member_id: 'x', start_at: at(32, '13:00'), end_at: at(32, '14:00') }, 'STYLIST_NOT_FOUND'],
  ])('cannot have %j blocked', async (input, code) => {
    expect(await salon.refused('add_blocked_time', { team_member_id: jean, type: 'break', ...input })).toBe(code)
    expect(await salon.control.effects()).toEqual([])
  })
})

describe('another account', () => {
  test.each([
    ['get_client', { client_id: dries }, 'GUEST_NOT_FOUND'],
    ['add_client_note', { client_id: dries, text: 'x' }, 'GUEST_NOT_FOUND'],
    ['list_appointments', { from: dayFromNow(0), location_id: martinique }, 'BRANCH_UNKNOWN'],
    [
      'reschedule_appointment',
      { appointment_id: '72a5d9ec-ad3c-4ba2-a035-2901e9b3d752', start_at: at(30, '10:00') },
      'VISIT_NOT_FOUND',
    ],
    [
      'cancel_appointment',
      { appointment_id: '72a5d9ec-ad3c-4ba2-a035-2901e9b3d752', cancellation_reason: 'Salon closed' },
      'VISIT_NOT_FOUND',
    ],
    ['create_appointment', { client_id: dries, service_ids: [cut], start_at: at(30, '10:00') }, 'GUEST_UNKNOWN'],
    [
      'add_blocked_time',
      { team_member_id: jean, type: 'break', start_at: at(32, '13:00'), end_at: at(32, '14:00') },
      'STYLIST_NOT_FOUND',
    ],
  ])('sees nothing of this one: %s', async (name, input, code) => {
    expect(await salon.refused(name, input, 'stranger')).toBe(code)
    expect(await salon.control.effects()).toEqual([])
  })

  test('has clients of its own', async () => {
    const mine = await clients({ limit: 500 })
    const theirs = list(await salon.call('list_clients', { limit: 500 }, 'stranger'), 'clients')
    expect(theirs.length).toBeGreaterThan(0)
    const ids = new Set(values(mine, 'client_id'))
    expect(values(theirs, 'client_id').filter((id) => ids.has(id))).toEqual([])
  })
})
