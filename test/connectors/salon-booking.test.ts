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

const always = { from: dayFromNow(-500), to: dayFromNow(60) }
const begins = (rows: readonly Row[]): number[] => values(rows, 'start_at').map((start) => Date.parse(String(start)))
const ascending = (numbers: readonly number[]): number[] => numbers.toSorted((a, b) => a - b)
const appointments = (input: Row, between?: () => Promise<unknown>): Promise<Row[]> =>
  salon.every('list_appointments', 'appointments', input, between)
const shownAs: [string, string][] = [
  ['booked', 'Booked'],
  ['confirmed', 'Confirmed'],
  ['completed', 'Completed'],
  ['cancelled', 'Cancelled'],
  ['no_show', 'No-show'],
  ['arrived', 'Arrived'],
  ['Patch test pending', 'Patch test pending'],
  ['بانتظار التأكيد', 'بانتظار التأكيد'],
]

describe('appointments', () => {
  test('are listed to the end by start time, and filtered by each status', async () => {
    const all = await appointments(always)
    expect(all.length).toBeGreaterThan(600)
    expect(new Set(values(all, 'appointment_id')).size).toBe(all.length)
    expect(begins(all)).toEqual(ascending(begins(all)))
    let sum = 0
    for (const [status, shown] of shownAs) {
      const some = await appointments({ ...always, status })
      expect(new Set(values(some, 'status'))).toEqual(new Set([shown]))
      expect(some).toEqual(all.filter((one) => one['status'] === shown))
      sum += some.length
    }
    expect(sum).toBe(all.length)
  })

  test('are filtered by team member, client and location', async () => {
    const near = { from: dayFromNow(-30), to: dayFromNow(30) }
    const all = await appointments(near)
    const one = all[0]!
    const member = (row: Row): unknown => (row['team_member'] as Row)['team_member_id']
    const client = (row: Row): unknown => (row['client'] as Row)['client_id']
    for (const [filter, of] of [
      ['team_member_id', member],
      ['client_id', client],
      ['location_id', (row: Row) => row['location_id']],
    ] as const) {
      const some = await appointments({ ...near, [filter]: of(one) })
      expect(some).toEqual(all.filter((row) => of(row) === of(one)))
      expect(some.length).toBeGreaterThan(0)
      expect(some.length).toBeLessThan(all.length)
    }
  })

  test('are those of one day when only from is given, in the time of their location', async () => {
    const days = [7, 8, 9, 10]
    const whole = await appointments({ from: dayFromNow(7), to: dayFromNow(10) })
    const single: Row[] = []
    for (const day of days) {
      const some = await appointments({ from: dayFromNow(day) })
      expect(values(some, 'start_at').every((start) => String(start).startsWith(dayFromNow(day)))).toBe(true)
      single.push(...some)
    }
    expect(new Set(values(single, 'appointment_id'))).toEqual(new Set(values(whole, 'appointment_id')))
    expect(whole.length).toBeGreaterThan(4)
    expect(await salon.refused('list_appointments', { from: dayFromNow(1), to: dayFromNow(0) })).toBe('PARAM_INVALID')
  })

  test('are paged to the end while others are booked and called off, none twice, none missing', async () => {
    const window = { from: dayFromNow(-10), to: dayFromNow(60) }
    const before = await appointments(window)
    const last = before.findLast(({ status }) => status === 'Booked')
    let day = 30
    const during = await appointments(window, async () => {
      day += 1
      const start_at = at(day, '10:00')
      await salon.call('create_appointment', { client_id: dries, service_ids: [cut], start_at, team_member_id: jean })
      if (day === 31)
        await salon.call('cancel_appointment', {
          appointment_id: last?.['appointment_id'],
          cancellation_reason: 'Salon closed',
        })
    })
    expect(day).toBeGreaterThan(34)
    expect(during).toEqual(before)
    expect((await appointments(window)).length).toBe(before.length + day - 30)
  })

  test.each(['planned', 'any', 'own', 'done', 'agreed', 'called_off', 'missed'])(
    'of a custom status named %j are asked for by its id, and no code of the app is taken for a status',
    async (status) => {
      const input = { from: dayFromNow(0), status }
      expect(await salon.refused('list_appointments', input)).toBe('STATE_UNKNOWN')
      const { definition } = salon.app.endpoints.get('list_appointments')!
      const states = [
        { code: 'done', label: 'Completed' },
        { code: 'own', id: 's-1', label: status.toUpperCase() },
      ]
      const { query } = definition.encode(input, { anchor: null, now: new Date(), before: { states } })
      expect(query?.['state']).toBe('s-1')
    },
  )

  test('take no empty status', () => {
    expect(salon.takes('list_appointments', { from: dayFromNow(0), status: '' })).toBe(false)
  })

  test.each([
    ['list_appointments', { from: dayFromNow(0), status: 'Gone fishing' }, 'STATE_UNKNOWN'],
    ['list_appointments', { from: dayFromNow(0), location_id: 'x' }, 'BRANCH_UNKNOWN'],
    ['list_appointments', { from: dayFromNow(0), team_member_id: 'x' }, 'STYLIST_UNKNOWN'],
    ['find_available_slots', { service_ids: ['x'], date: dayFromNow(1) }, 'ITEM_UNKNOWN'],
    ['create_appointment', { client_id: 'x', service_ids: [cut], start_at: at(30, '10:00') }, 'GUEST_UNKNOWN'],
    ['create_appointment', { client_id: dries, service_ids: [cut], start_at: at(-1, '10:00') }, 'TIME_PASSED'],
    ['create_appointment', { client_id: dries, service_ids: [cut], start_at: at(400, '10:00') }, 'TIME_TOO_FAR'],
    [
      'create_appointment',
      { client_id: dries, service_ids: [cut], start_at: at(30, '02:00'), team_member_id: jean },
      'OUTSIDE_HOURS',
    ],
    [
      'create_appointment',
      { client_id: dries, service_ids: [cut], start_at: `${dayFromNow(30)}T10:00:30-04:00` },
      'TIME_INVALID',
    ],
    ['reschedule_appointment', { appointment_id: 'x', start_at: at(30, '10:00') }, 'VISIT_NOT_FOUND'],
    ['cancel_appointment', { appointment_id: 'x', cancellation_reason: 'Salon closed' }, 'VISIT_NOT_FOUND'],
  ])('%s %j is refused by the app', async (name, input, code) => {
    expect(await salon.refused(name, input)).toBe(code)
    expect(await salon.control.effects()).toEqual([])
  })

  test('create_appointment is not taken with a second 60', () => {
    const takes = (second: string) =>
      salon.takes('create_appointment', {
        client_id: dries,
        service_ids: [cut],
        start_at: `${dayFromNow(30)}T23:59:${second}Z`,
      })
    expect(['59', '60'].map(takes)).toEqual([true, false])
  })
})

describe('slots', () => {
  const find = async (input: Row): Promise<Row[]> => list(await salon.call('find_available_slots', input), 'slots')

  test('last as long as the services together, and are filtered by person and place', async () => {
    const services = list(await salon.call('list_services', {}), 'services')
    const service_ids = values(services.slice(0, 3), 'service_id')
    const minutes = values(services.slice(0, 3), 'duration_minutes').map(Number)
    const all = await find({ service_ids, date: dayFromNow(20) })
    expect(begins(all)).toEqual(ascending(begins(all)))
    for (const { start_at, end_at } of all)
      expect(Date.parse(String(end_at)) - Date.parse(String(start_at))).toBe(
        minutes.reduce((sum, one) => sum + one, 0) * 60_000,
      )
    const his = await find({ service_ids, date: dayFromNow(20), team_member_id: jean })
    expect(his).toEqual(all.filter((slot) => slot['team_member_id'] === jean))
    expect(new Set(values(his, 'team_member'))).toEqual(new Set(['Jean-Noël Césaire']))
    const there = await find({ service_ids, date: dayFromNow(20), location_id: martinique })
    expect(values(there, 'start_at').every((start) => String(start).endsWith('-04:00'))).toBe(true)
    expect(there.length).toBeLessThan(all.length)
    expect(his.length).toBeLessThanOrEqual(there.length)
  })

  test('are offered as far ahead as they can be booked, and no further', async () => {
    const last = (await find({ service_ids: [cut], date: dayFromNow(365), team_member_id: jean })).at(-1)
    const booking = { client_id: dries, service_ids: [cut], team_member_id: jean, start_at: last?.['start_at'] }
    expect(await salon.call('create_appointment', booking)).toMatchObject({ start_at: last?.['start_at'] })
    for (const date of [dayFromNow(368), '9999-12-31']) expect(await find({ service_ids: [cut], date })).toEqual([])
  })

  test('are in the winter and the summer time of their place', async () => {
    const lisbon = '620c96ce-e220-45f5-a5e4-dd48cd5bd5b0'
    const days = Array.from({ length: 360 }, (_, index) => dayFromNow(index + 1))
    for (const [end, offset] of [
      ['-01-15', '+00:00'],
      ['-07-15', '+01:00'],
    ] as const) {
      const date = days.find((day) => day.endsWith(end))
      const slots = await find({ service_ids: [cut], date, team_member_id: lisbon })
      expect(slots[0]?.['start_at']).toMatch(new RegExp(`^${date}T\\d\\d:\\d\\d:00\\${offset}$`))
    }
  })

  test('can be booked as they are, and are gone then', async () => {
    const wanted = { service_ids: [cut], date: dayFromNow(30), team_member_id: jean }
    const slots = await find(wanted)
    const { start_at, end_at } = slots[4]!
    const booking = { client_id: dries, service_ids: [cut], start_at, team_member_id: jean }
    const booked = await salon.call('create_appointment', booking)
    expect(booked).toMatchObject({ start_at, end_at, status: 'Booked', location_id: martinique })
    expect(await appointments({ from: dayFromNow(30) })).toEqual([booked])
    const profile = await salon.call('get_client', { client_id: dries })
    expect(profile['upcoming_appointments']).toEqual([
      { appointment_id: booked['appointment_id'], start_at, services: ['Cut & finish'] },
    ])
    expect(values(await find(wanted), 'start_at')).not.toContain(start_at)
    expect(await salon.refused('create_appointment', booking)).toBe('TIME_TAKEN')
    expect((await salon.control.effects()).length).toBe(1)
  })
})

test('an appointment is at the location that is named, wherever else somebody is free then', async () => {
  const team = list(await salon.call('list_team_members', {}), 'team_members')
  const date = dayFromNow(30)
  const slotsAt = async (location_id: unknown): Promise<[unknown, number[]]> => {
    const { slots } = await salon.call('find_available_slots', { service_ids: [cut], date, location_id })
    return [location_id, begins(slots as Row[])]
  }
  const locations = [...new Set(team.flatMap(({ locations: ids }) => ids as string[]))]
  const free: [unknown, number[]][] = []
  for (const location of locations) free.push(await slotsAt(location))
  // A moment at which several have a chair free: the app's own choice is one of them only.
  const moment = free
    .flatMap(([, starts]) => starts)
    .find((start) => free.filter(([, starts]) => starts.includes(start)).length > 1)!
  const chosen = free.filter(([, starts]) => starts.includes(moment)).map(([location]) => location)
  for (const location_id of chosen) {
    const start_at = new Date(moment).toISOString().replace('.000Z', '+00:00')
    const booked = await salon.call('create_appointment', {
      client_id: dries,
      service_ids: [cut],
      start_at,
      location_id,
    })
    expect(booked).toMatchObject({ location_id })
    expect((await salon.control.effects()).at(-1)?.body).toMatchObject({ branch: location_id })
    await salon.sandbox.reset()
  }
  const wrong = { client_id: dries, service_ids: [cut], start_at: at(30, '10:00'), team_member_id: jean }
  const elsewhere = locations.find((location) => location !== martinique)
  expect(await salon.refused('create_appointment', { ...wrong, location_id: elsewhere })).toBe('OUTSIDE_HOURS')
})

describe('changes of an appointment', () => {
  const change = (name: string, appointment_id: unknown): [string, Row] =>
    name === 'cancel_appointment'
      ? [name, { appointment_id, cancellation_reason: 'guest is ILL' }]
      : [name, { appointment_id, start_at: at(40, '11:00'), team_member_id: jean }]
  const one = async (status: string, days: readonly [number, number]): Promise<unknown> => {
    const window = { from: dayFromNow(days[0]), to: dayFromNow(days[1]), status, location_id: martinique }
    return list(await salon.call('list_appointments', window), 'appointments').at(-1)?.['appointment_id']
  }

  test.each(['booked', 'confirmed', 'بانتظار التأكيد'])('move one that is %s and keep its status', async (status) => {
    const appointment_id = await one(status, [2, 30])
    const [before] = (await appointments({ from: dayFromNow(2), to: dayFromNow(30), status })).filter(
      (row) => row['appointment_id'] === appointment_id,
    )
    const moved = await salon.call(...change('reschedule_appointment', appointment_id))
    expect(moved).toMatchObject({ appointment_id, start_at: at(40, '11:00'), status: before?.['status'] })
    expect(moved['team_member']).toEqual({ team_member_id: jean, name: 'Jean-Noël Césaire' })
    expect(moved['services']).toEqual(before?.['services'])
    expect(await appointments({ from: dayFromNow(40) })).toEqual([moved])
  })

  test.each(['booked', 'confirmed', 'بانتظار التأكيد'])('cancel one that is %s, for good', async (status) => {
    const appointment_id = await one(status, [2, 30])
    expect(await salon.call(...change('cancel_appointment', appointment_id))).toMatchObject({
      appointment_id,
      status: 'Cancelled',
    })
    expect(await salon.refused(...change('cancel_appointment', appointment_id))).toBe('VISIT_CALLED_OFF')
    expect(await salon.refused(...change('reschedule_appointment', appointment_id))).toBe('VISIT_CALLED_OFF')
    expect((await salon.control.effects()).length).toBe(1)
  })

  test.each([
    ['completed', 'VISIT_DONE', 'VISIT_DONE'],
    ['cancelled', 'VISIT_CALLED_OFF', 'VISIT_CALLED_OFF'],
    ['no_show', 'VISIT_MISSED', 'VISIT_MISSED'],
    ['booked', 'VISIT_OVER', 'VISIT_OVER'],
  ])('are refused for one of the past that is %s', async (status, cancelled, moved) => {
    const appointment_id = await one(status, [-500, -2])
    expect(appointment_id).toBeDefined()
    expect(await salon.refused(...change('cancel_appointment', appointment_id))).toBe(cancelled)
    expect(await salon.refused(...change('reschedule_appointment', appointment_id))).toBe(moved)
    expect(await salon.control.effects()).toEqual([])
  })

  test('need one of the reasons of the salon, which the refusal lists', async () => {
    const appointment_id = await one('booked', [2, 30])
    const input = { appointment_id, cancellation_reason: 'Alien abduction' }
    expect(await salon.refused('cancel_appointment', input)).toBe('REASON_UNKNOWN')
    expect(salon.takes('cancel_appointment', { appointment_id })).toBe(false)
    expect(await salon.control.effects()).toEqual([])
  })
})
