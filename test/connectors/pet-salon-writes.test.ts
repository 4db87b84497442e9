import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { AppCaller, dayFromNow, values } from './app-caller.ts'
import type { Row } from './app-caller.ts'

let salon: AppCaller
beforeAll(async () => {
  salon = await AppCaller.open('pet-salon')
})
beforeEach(() => salon.sandbox.reset())
afterAll(() => salon.sandbox.close())

/** From 18:00 to 19:00 everybody is free; the salon's clocks show UTC. */
const at = (day: number, time = '18:00'): string => `${dayFromNow(day)}T${time}:00+00:00`
const detail = (appointment_id: unknown, user?: string): Promise<Row> =>
  salon.call('get_appointment', { appointment_id }, user)
const trim = { start: at(20), client_id: 'C100001', pet_id: 'P100001', service_ids: ['S100010'] }
const petOf = async (client_id: string): Promise<unknown> =>
  ((await salon.call('get_client', { client_id }))['pets'] as Row[])[0]!['pet_id']

/** One that is in this status, today or on a day ahead. */
async function oneThatIs(status: string): Promise<string> {
  const all = await salon.rows('list_appointments', 'appointments', { from: dayFromNow(-10), to: dayFromNow(20) })
  return String(all.findLast((row) => row['status'] === status)!['appointment_id'])
}

describe('booking', () => {
  test('makes an appointment that every read shows', async () => {
    const notes = 'No perfume.\nRing twice — שלום'
    const service_ids = ['S100012', 'S100010']
    const booked = await salon.call('book_appointment', { ...trim, service_ids, appointment_notes: notes })
    const { appointment_id } = booked
    expect(booked).toEqual({ appointment_id, status: 'Scheduled', message_sent: true })
    expect(await detail(appointment_id)).toMatchObject({
      status: 'Scheduled',
      start: trim.start,
      client: 'Martha Benjamin',
      pet: 'Biscuit',
      employee: 'Amélie Lefèvre',
      services: [
        { name: 'Ear Cleaning', price: 8 },
        { name: 'Nail Trim', price: 10 },
      ],
      appointment_notes: notes,
      confirmation_type: 'Text',
      deposit: 0,
    })
    const listed = await salon.rows('list_appointments', 'appointments', { from: dayFromNow(20) })
    expect(listed.at(-1)).toMatchObject({ appointment_id, start: trim.start, end: at(20, '18:25') })
    const { upcoming } = await salon.call('get_client', { client_id: 'C100001' })
    expect(upcoming).toContainEqual({ appointment_id, start: trim.start })
    expect((await salon.control.effects()).length).toBe(1)
  })

  test.each([
    ['C100002', 'Email', true],
    ['C100004', 'Phone Call', false],
    ['C100006', 'None', false],
    ['C100038', 'Email', false],
  ])('tells whether %s, whose way is %s, was written to', async (client_id, way, message_sent) => {
    const booked = await salon.call('book_appointment', { ...trim, client_id, pet_id: await petOf(client_id) })
    expect(booked['message_sent']).toBe(message_sent)
    expect((await detail(booked['appointment_id']))['confirmation_type']).toBe(way)
  })

  test('a waitlist entry takes it off the list', async () => {
    const [entry] = await salon.rows('list_waitlist', 'entries', {})
    const { waitlist_entry_id, client, comment } = entry!
    const { appointment_id } = await salon.call('book_appointment', { start: at(20, '16:30'), waitlist_entry_id })
    const booked = await detail(appointment_id)
    expect(booked).toMatchObject({ client, appointment_notes: comment })
    expect(values(booked['services'] as Row[], 'name')).toEqual(entry!['services'])
    const left = await salon.rows('list_waitlist', 'entries', {})
    expect(left.length).toBe(65)
    expect(values(left, 'waitlist_entry_id')).not.toContain(waitlist_entry_id)
    expect(await salon.refused('book_appointment', { start: at(21), waitlist_entry_id })).toBe('WAIT_NOT_FOUND')
  })

  test('goes to the first who is free, until nobody is', async () => {
    const team = await salon.rows('list_employees', 'employees', {})
    const able = team.filter(({ services }) => (services as string[]).includes('Nail Trim'))
    for (const { name } of able) {
      const { appointment_id } = await salon.call('book_appointment', trim)
      expect((await detail(appointment_id))['employee']).toBe(name)
    }
    expect(able.length).toBe(5)
    expect(await salon.refused('book_appointment', trim)).toBe('NOBODY_FREE')
    const taken = { ...trim, employee_id: 'E100001' }
    expect(await salon.refused('book_appointment', taken)).toBe('TIME_TAKEN')
    const { appointment_id } = await salon.call('book_appointment', { ...taken, start: at(20, '18:15') })
    const earlier = { appointment_id, start: trim.start }
    expect(await salon.refused('update_appointment', earlier)).toBe('TIME_TAKEN')
  })

  test.each([
    [{ start: at(-1) }, 'TIME_PASSED'],
    [{ start: '1800-01-01T10:00:00Z' }, 'TIME_PASSED'],
    [{ start: at(731) }, 'TOO_FAR'],
    [{ start: '9999-12-31T10:00:00Z' }, 'TOO_FAR'],
    [{ start: at(20, '07:59') }, 'CLOSED_THEN'],
    [{ start: at(20, '18:46') }, 'CLOSED_THEN'],
    [{ start: `${dayFromNow(20)}T18:00:30Z` }, 'TIME_INVALID'],
    [{ client_id: 'C200001' }, 'CLIENT_NOT_FOUND'],
    [{ pet_id: 'P100002' }, 'PET_OF_OTHER'],
    [{ pet_id: 'P999999' }, 'PET_NOT_FOUND'],
    [{ pet_id: null }, 'FIELD_REQUIRED'],
    [{ service_ids: ['S200010'] }, 'SVC_NOT_FOUND'],
    [{ employee_id: 'E100002' }, 'EMP_CANNOT'],
    [{ employee_id: 'E100006' }, 'EMP_LEFT'],
    [{ waitlist_entry_id: 'W100002' }, 'WAIT_OF_OTHER'],
    [{ waitlist_entry_id: 'W200002' }, 'WAIT_NOT_FOUND'],
  ])('with %j is refused, and nothing is booked', async (change, code) => {
    const wanted = Object.entries({ ...trim, ...change }).filter(([, value]) => value !== null)
    expect(await salon.refused('book_appointment', Object.fromEntries(wanted))).toBe(code)
    expect(await salon.control.effects()).toEqual([])
  })

  test.each([{ client_id: undefined }, { service_ids: undefined }])(
    'with %j and no waitlist entry is not taken',
    (change) => {
      expect(salon.takes('book_appointment', JSON.parse(JSON.stringify({ ...trim, ...change })))).toBe(false)
    },
  )

  test('takes a moment of any offset for the time on the clocks of another zone', async () => {
    const rows = await salon.rows('list_appointments', 'appointments', { from: dayFromNow(20) }, 'stranger')
    const local = `${dayFromNow(20)}T18:15:00${String(rows[0]!['start']).slice(-6)}`
    const start = new Date(local).toISOString()
    const wanted = { start, client_id: 'C200001', pet_id: 'P200001', service_ids: ['S200010'] }
    const { appointment_id } = await salon.call('book_appointment', wanted, 'stranger')
    expect((await detail(appointment_id, 'stranger'))['start']).toBe(local)
  })

  test('needs no pet in the hair edition', async () => {
    const [entry] = await salon.rows('list_waitlist', 'entries', {}, 'two_accounts')
    const [service] = await salon.rows('list_services', 'services', {}, 'two_accounts')
    const [row] = await salon.rows('list_appointments', 'appointments', { from: dayFromNow(20) }, 'two_accounts')
    const start = `${dayFromNow(20)}T18:00:00${String(row!['start']).slice(-6)}`
    const wanted = { start, client_id: entry!['client_id'], service_ids: [service!['service_id']] }
    const { appointment_id } = await salon.call('book_appointment', wanted, 'two_accounts')
    expect((await detail(appointment_id, 'two_accounts'))['pet']).toBeNull()
    const pickup = await salon.refused('send_pickup_text', { appointment_id }, 'two_accounts')
    expect(pickup).toBe('PET_EDITION_ONLY')
  })

  test('takes 1 to 8 different services and 1 to 2000 characters of notes', () => {
    const services = (count: number): Row => ({
      ...trim,
      service_ids: Array.from({ length: count }, (_, index) => `S${index}`),
    })
    expect([0, 1, 8, 9].map((count) => salon.takes('book_appointment', services(count)))).toEqual([
      false,
      true,
      true,
      false,
    ])
    expect(salon.takes('book_appointment', { ...trim, service_ids: ['S1', 'S1'] })).toBe(false)
    for (const [length, good] of [
      [0, false],
      [1, true],
      [2000, true],
      [2001, false],
    ] as const)
      expect(salon.takes('book_appointment', { ...trim, appointment_notes: 'x'.repeat(length) })).toBe(good)
  })
})

describe('a change', () => {
  test('moves, prices and notes an appointment, and leaves the rest', async () => {
    const before = await detail('T100444')
    const answer = await salon.call('update_appointment', {
      appointment_id: 'T100444',
      start: at(25, '10:00'),
      price: 19.99,
      service_id: 'S100011',
    })
    expect(answer).toEqual({ appointment_id: 'T100444', message_sent: expect.any(Boolean) })
    const moved = await detail('T100444')
    expect(moved).toEqual({
      ...before,
      start: at(25, '10:00'),
      services: (before['services'] as Row[]).map((one) =>
        one['name'] === 'Nail Grind' ? { ...one, price: 19.99 } : one,
      ),
      log: [...(before['log'] as Row[]), { at: expect.any(String), user: 'Désirée Yon', status: 'Changed' }],
    })
    await salon.call('update_appointment', { appointment_id: 'T100444', appointment_notes: 'Once more.' })
    expect((await detail('T100444'))['appointment_notes']).toBe('Once more.')
    await salon.call('update_appointment', { appointment_id: 'T100444', appointment_notes: '' })
    expect((await detail('T100444'))['appointment_notes']).toBe('')
  })

  test('of duration, employee and the price of the only service shows', async () => {
    const { appointment_id } = await salon.call('book_appointment', trim)
    const change = { appointment_id, duration_minutes: 50, employee_id: 'E100003', price: 0 }
    expect(await salon.call('update_appointment', change)).toEqual({ appointment_id, message_sent: true })
    const listed = await salon.rows('list_appointments', 'appointments', { from: dayFromNow(20) })
    expect(listed.at(-1)).toMatchObject({ appointment_id, end: at(20, '18:50'), employee: 'Søren Holm' })
    expect((await detail(appointment_id))['services']).toEqual([{ name: 'Nail Trim', price: 0 }])
    expect(await salon.refused('update_appointment', change)).toBe('NOTHING_TO_CHANGE')
  })

  test.each(['Scheduled', 'Confirmed', 'Checked In'])('is possible while it is %s, and keeps that', async (status) => {
    const appointment_id = await oneThatIs(status)
    await salon.call('update_appointment', { appointment_id, appointment_notes: 'Changed.' })
    expect(await detail(appointment_id)).toMatchObject({ status, appointment_notes: 'Changed.' })
  })

  test.each(['Ready', 'Checked Out', 'No Show', 'Voided'])('is refused when it is %s', async (status) => {
    const change = { appointment_id: await oneThatIs(status), appointment_notes: 'Changed.' }
    expect(await salon.refused('update_appointment', change)).toBe('TICKET_CLOSED')
  })

  test.each([
    [{ price: 12 }, 'SVC_REQUIRED'],
    [{ price: 12, service_id: 'S100001' }, 'FORM_REFUSED'],
    [{ price: 12.345, service_id: 'S100011' }, 'NUMBER_INVALID'],
    [{ start: at(-3) }, 'TIME_PASSED'],
    [{ start: '0001-01-01T10:00:00Z' }, 'TIME_PASSED'],
    [{ start: at(25, '18:30') }, 'CLOSED_THEN'],
    [{ employee_id: 'E100006' }, 'FORM_REFUSED'],
    [{ employee_id: 'E100001' }, 'EMP_CANNOT'],
    [{ employee_id: 'E1' }, 'FORM_REFUSED'],
    [{ appointment_id: 'T200001', appointment_notes: 'x' }, 'TICKET_NOT_FOUND'],
  ])('to %j is refused', async (change, code) => {
    expect(await salon.refused('update_appointment', { appointment_id: 'T100444', ...change })).toBe(code)
    expect(await salon.control.effects()).toEqual([])
  })

  test.each([{}, { service_id: 'S100011' }])('to %j is not taken', (change) => {
    expect(salon.takes('update_appointment', { appointment_id: 'T100444', ...change })).toBe(false)
  })

  test.each([
    ['duration_minutes', 4, 5, 600, 601],
    ['price', -0.01, 0, 100_000, 100_000.01],
  ])('takes a %s within its bounds', (field, below, low, high, above) => {
    const takes = [below, low, high, above].map((value) =>
      salon.takes('update_appointment', { appointment_id: 'T100444', [field]: value }),
    )
    expect(takes).toEqual([false, true, true, false])
  })
})

describe('voiding', () => {
  test.each(['Scheduled', 'Confirmed', 'Checked In', 'Ready', 'Checked Out', 'No Show'])(
    'is possible when it is %s, once',
    async (status) => {
      const wanted = { appointment_id: await oneThatIs(status), reason: 'Booked twice' }
      expect(await salon.call('void_appointment', wanted)).toMatchObject({ status: 'Voided' })
      expect((await detail(wanted.appointment_id))['status']).toBe('Voided')
      expect(await salon.refused('void_appointment', wanted)).toBe('ALREADY_VOID')
    },
  )

  test.each([
    [true, 1, 0],
    [undefined, 0, 10],
    [false, 0, 10],
  ])('with void_card_transactions %j voids %d payments and leaves %d to the client', async (cards, count, credit) => {
    const day = await salon.rows('list_appointments', 'appointments', { from: dayFromNow(5) })
    const { client_id } = day.find(({ appointment_id }) => appointment_id === 'T100398')!
    const before = await salon.call('get_client', { client_id })
    const flag = cards === undefined ? {} : { void_card_transactions: cards }
    const answer = await salon.call('void_appointment', { appointment_id: 'T100398', reason: 'Ill', ...flag })
    expect(answer).toEqual({ appointment_id: 'T100398', status: 'Voided', voided_card_transactions: count })
    const after = await salon.call('get_client', { client_id })
    expect(Number(after['balance']) - Number(before['balance'])).toBeCloseTo(credit, 5)
    expect(values(after['upcoming'] as Row[], 'appointment_id')).not.toContain('T100398')
    const report = { report: 'Voided Tickets', from: dayFromNow(5) }
    expect(await salon.rows('run_report', 'rows', report)).toContainEqual(
      expect.objectContaining({ appointment_id: 'T100398', reason: 'Ill' }),
    )
  })

  test('needs a reason of at most 500 characters, and the right', async () => {
    const takes = ['', ' ', 'x', 'x'.repeat(500), 'x'.repeat(501)].map((reason) =>
      salon.takes('void_appointment', { appointment_id: 'T100398', reason }),
    )
    expect(takes).toEqual([false, false, true, true, false])
    const [row] = await salon.rows('list_appointments', 'appointments', { from: dayFromNow(5) }, 'revoked')
    const wanted = { appointment_id: row!['appointment_id'], reason: 'Ill' }
    expect(await salon.refused('void_appointment', wanted, 'revoked')).toBe('ROLE_NOT_ALLOWED')
    expect(await salon.refused('void_appointment', wanted)).toBe('TICKET_NOT_FOUND')
  })
})

describe('the pickup text', () => {
  test('makes an appointment that is checked in Ready, once', async () => {
    const wanted = { appointment_id: 'T100368' }
    expect(await salon.call('send_pickup_text', wanted)).toEqual({ ...wanted, status: 'Ready' })
    expect((await detail('T100368'))['status']).toBe('Ready')
    expect(await salon.refused('send_pickup_text', wanted)).toBe('ALREADY_TOLD')
  })

  test.each(['Scheduled', 'Confirmed', 'Checked Out', 'No Show', 'Voided'])(
    'is refused when it is %s',
    async (status) => {
      const wanted = { appointment_id: await oneThatIs(status) }
      expect(await salon.refused('send_pickup_text', wanted)).toBe('PET_NOT_HERE')
    },
  )

  test('is refused for a client without a mobile number', async () => {
    expect(await salon.refused('send_pickup_text', { appointment_id: 'T100370' })).toBe('NO_MOBILE')
    expect(await salon.control.effects()).toEqual([])
  })
})

describe('pets', () => {
  test('notes that are given change, others stay, and an empty text clears', async () => {
    const [before] = (await salon.call('get_client', { client_id: 'C100002' }))['pets'] as Row[]
    const notes = { ...(before!['notes'] as Row), general: 'Shy “ילד”\nof cats.', medical: '' }
    const { general, medical } = notes
    const answer = await salon.call('update_pet_notes', { pet_id: 'P100002', general, medical })
    expect(answer).toEqual({ ...before, notes })
    await salon.call('update_pet_notes', { pet_id: 'P100002', grooming: 'Short.', personality: 'Calm.' })
    const [after] = (await salon.call('get_client', { client_id: 'C100002' }))['pets'] as Row[]
    expect(after!['notes']).toEqual({ ...notes, grooming: 'Short.', personality: 'Calm.' })
    expect((before!['notes'] as Row)['medical']).not.toBe('')
    expect(salon.takes('update_pet_notes', { pet_id: 'P100001' })).toBe(false)
  })

  test.each(['general', 'grooming', 'personality', 'medical'])('%s notes have 2000 characters at most', (kind) => {
    for (const [length, good] of [
      [2000, true],
      [2001, false],
    ] as const)
      expect(salon.takes('update_pet_notes', { pet_id: 'P100002', [kind]: 'x'.repeat(length) })).toBe(good)
  })

  test('a later vaccination ends the alert, a soon one raises it', async () => {
    const alerts = (): Promise<Row[]> =>
      salon.rows('list_vaccination_alerts', 'alerts', { expiring_before: dayFromNow(60) })
    const [first] = await alerts()
    const { pet_id, vaccine } = first!
    const expires = dayFromNow(700)
    expect(await salon.call('add_vaccination', { pet_id, vaccine, expires })).toEqual({ pet_id, vaccine, expires })
    expect(await alerts()).not.toContainEqual(first)
    expect(await salon.refused('add_vaccination', { pet_id, vaccine, expires })).toBe('SHOT_KNOWN')
    const soon = { pet_id: 'P100001', vaccine: 'bordetella', expires: dayFromNow(0) }
    expect((await salon.call('add_vaccination', soon))['vaccine']).toBe('Bordetella')
    expect(await alerts()).toContainEqual(
      expect.objectContaining({ pet_id: 'P100001', vaccine: 'Bordetella', expires: dayFromNow(0) }),
    )
  })

  test.each([
    ['add_vaccination', { pet_id: 'P100001', vaccine: 'Flu', expires: dayFromNow(9) }, 'VAX_UNKNOWN'],
    ['add_vaccination', { pet_id: 'P100001', vaccine: 'Rabies', expires: dayFromNow(-1) }, 'EXP_PASSED'],
    ['add_vaccination', { pet_id: 'P100001', vaccine: 'Rabies', expires: dayFromNow(3660) }, 'EXP_TOO_FAR'],
    ['add_vaccination', { pet_id: 'P200001', vaccine: 'Rabies', expires: dayFromNow(9) }, 'PET_NOT_FOUND'],
    ['update_pet_notes', { pet_id: 'P200001', general: 'x' }, 'PET_NOT_FOUND'],
  ])('%s %j is refused', async (name, input, code) => {
    expect(await salon.refused(name, input)).toBe(code)
    expect(await salon.control.effects()).toEqual([])
  })
})
