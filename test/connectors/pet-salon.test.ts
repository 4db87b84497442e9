import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AppCaller, dayFromNow, values } from './app-caller.ts'
import type { Row } from './app-caller.ts'

let salon: AppCaller
beforeAll(async () => {
  salon = await AppCaller.open('pet-salon')
})
afterAll(() => salon.sandbox.close())

const appointments = (input: Row, user?: string): Promise<Row[]> =>
  salon.rows('list_appointments', 'appointments', input, user)
const times = (rows: readonly Row[], key: string): number[] => values(rows, key).map((at) => Date.parse(String(at)))
const ascending = (numbers: readonly number[]): number[] => numbers.toSorted((a, b) => a - b)
const inThreeMonths = (): string => {
  const day = new Date()
  day.setUTCMonth(day.getUTCMonth() + 3)
  return day.toISOString().slice(0, 10)
}

describe('appointments', () => {
  test('are listed whole by start, in every status, each once', async () => {
    const all = await appointments({ from: dayFromNow(-60), to: dayFromNow(45) })
    expect(all.length).toBe(642)
    expect(new Set(values(all, 'appointment_id')).size).toBe(642)
    expect(times(all, 'start')).toEqual(ascending(times(all, 'start')))
    expect(new Set(values(all, 'status'))).toEqual(
      new Set(['Scheduled', 'Confirmed', 'Checked In', 'Ready', 'Checked Out', 'No Show', 'Voided']),
    )
    for (const { start, end } of all) expect(Date.parse(String(end))).toBeGreaterThan(Date.parse(String(start)))
    expect(all.some(({ pet }) => pet === null)).toBe(true)
  })

  test('are those of one day without to, and days join up', async () => {
    const whole = await appointments({ from: dayFromNow(-2), to: dayFromNow(2) })
    const single: Row[] = []
    for (const day of [-2, -1, 0, 1, 2]) {
      const some = await appointments({ from: dayFromNow(day) })
      for (const { start } of some) expect(String(start).slice(0, 10)).toBe(dayFromNow(day))
      single.push(...some)
    }
    expect(single).toEqual(whole)
    expect(whole.length).toBe(36)
  })

  test('are filtered by employee, and an unknown one is refused', async () => {
    const window = { from: dayFromNow(-5), to: dayFromNow(5) }
    const all = await appointments(window)
    const some = await appointments({ ...window, employee_id: 'E100001' })
    expect(some).toEqual(all.filter(({ employee }) => employee === 'Amélie Lefèvre'))
    expect(some.length).toBeGreaterThan(3)
    expect(some.length).toBeLessThan(all.length)
    expect(await salon.refused('list_appointments', { ...window, employee_id: 'E200001' })).toBe('EMP_NOT_FOUND')
  })

  test.each([
    [-1, -2, 'SPAN_BACKWARDS'],
    [0, 366, 'SPAN_TOO_LONG'],
  ])('from day %d to %d are refused', async (from, to, code) => {
    expect(await salon.refused('list_appointments', { from: dayFromNow(from), to: dayFromNow(to) })).toBe(code)
  })

  test('have the offset of the salon on their own day, and each sees only its own', async () => {
    const window = { from: dayFromNow(-60), to: dayFromNow(45) }
    const theirs = await appointments(window, 'stranger')
    for (const { start } of theirs) {
      const at = new Date(String(start))
      const options = { timeZone: 'America/New_York', dateStyle: 'short', timeStyle: 'short' } as const
      expect(new Intl.DateTimeFormat('sv-SE', options).format(at)).toBe(String(start).slice(0, 16).replace('T', ' '))
    }
    const mine = new Set(values(await appointments(window), 'appointment_id'))
    expect(theirs.some(({ appointment_id }) => mine.has(appointment_id))).toBe(false)
    const { appointment_id, client_id } = theirs[0]!
    expect(await salon.refused('get_appointment', { appointment_id })).toBe('TICKET_NOT_FOUND')
    expect(await salon.refused('get_client', { client_id })).toBe('CLIENT_NOT_FOUND')
  })

  test('are read in detail as they are listed, with prices, deposit, products and log', async () => {
    const past = (await appointments({ from: dayFromNow(-20), to: dayFromNow(-17) })).slice(0, 20)
    const prices = new Map(
      (await salon.rows('list_services', 'services', {})).map((one) => [one['name'], one['price']]),
    )
    const details: Row[] = []
    for (const row of past) {
      const { appointment_id, status, start, client, pet, employee } = row
      const detail = await salon.call('get_appointment', { appointment_id })
      expect(detail).toMatchObject({ appointment_id, status, start, client, pet, employee })
      const services = detail['services'] as Row[]
      expect(values(services, 'name')).toEqual(row['services'])
      for (const { name, price } of services) expect(price).toBe(prices.get(name))
      const log = detail['log'] as Row[]
      expect(times(log, 'at')).toEqual(ascending(times(log, 'at')))
      expect(log.at(-1)!['status']).toBe(status)
      details.push(detail)
    }
    expect(new Set(values(details, 'deposit'))).toEqual(new Set([0, 10]))
    const products = details.flatMap((detail) => detail['products'] as Row[])
    expect(products).toContainEqual({ name: 'Oatmeal Shampoo 250 ml', quantity: 1, price: 8.99 })
  })
})

describe('clients', () => {
  const find = (query: string, limit?: number): Promise<Row[]> =>
    salon.rows('find_clients', 'clients', { query, ...(limit === undefined ? {} : { limit }) })

  test('are found by name, email and phone, best match first', async () => {
    expect(values(await find('martha benjamin'), 'client_id')).toEqual(['C100001', 'C100004'])
    expect(values(await find('MARTHABENJAM.1@'), 'client_id')).toEqual(['C100001'])
    const [martha] = await find('+290 5510 4000')
    expect(martha).toEqual({
      client_id: 'C100001',
      name: 'Martha Benjamin',
      phone: '+290 5510 4000',
      pets: [{ pet_id: 'P100001', name: 'Biscuit' }],
    })
    const browns = await find('brown', 50)
    expect(browns.length).toBeGreaterThan(3)
    for (const { name } of browns) expect(name).toContain('Brown')
    for (const query of ['nobody of this name', '🐩'.repeat(200)]) expect(await find(query)).toEqual([])
  })

  test('are as many as asked for, 10 unless told', async () => {
    const all = await find('a', 50)
    expect(all.length).toBe(50)
    expect(await find('a')).toEqual(all.slice(0, 10))
    expect(await find('a', 1)).toEqual(all.slice(0, 1))
    expect(all.some(({ phone }) => phone === null)).toBe(true)
    for (const limit of [0, 51, 1.5]) expect(salon.takes('find_clients', { query: 'a', limit })).toBe(false)
    for (const query of ['', ' ', 'x'.repeat(201)]) expect(salon.takes('find_clients', { query })).toBe(false)
  })

  test('are read with balance, notes, pets and what is ahead', async () => {
    const balances = new Map(
      (await salon.rows('run_report', 'rows', { report: 'Client Balances' })).map((row) => [
        row['client_id'],
        row['balance'],
      ]),
    )
    const ahead = await appointments({ from: dayFromNow(2), to: dayFromNow(45) })
    const emails: unknown[] = []
    for (const client_id of ['C100001', 'C100003', 'C100005', 'C100007', 'C100008', 'C100012']) {
      const client = await salon.call('get_client', { client_id })
      expect(client['balance']).toBe(balances.get(client_id) ?? 0)
      const coming = ahead.filter((row) => row['client_id'] === client_id && row['status'] !== 'Voided')
      expect(client['upcoming']).toEqual(coming.map(({ appointment_id, start }) => ({ appointment_id, start })))
      const [found] = await find(String(client['name']))
      expect(found!['pets']).toEqual((client['pets'] as Row[]).map(({ pet_id, name }) => ({ pet_id, name })))
      emails.push(client['email'])
    }
    expect(emails).toContain(null)
    expect(emails).toContain('marthabenjam.1@mail.example')
  })
})

describe('vaccination alerts', () => {
  const alerts = (input: Row): Promise<Row[]> => salon.rows('list_vaccination_alerts', 'alerts', input)

  test('are those before a day, soonest first, flagged 3 months ahead', async () => {
    const all = await alerts({ expiring_before: dayFromNow(700) })
    expect(times(all, 'expires')).toEqual(ascending(times(all, 'expires')))
    expect(String(all.at(-1)!['expires']) <= inThreeMonths()).toBe(true)
    expect(String(all.at(-1)!['expires']) > dayFromNow(45)).toBe(true)
    const expired = await alerts({})
    expect(expired).toEqual(all.filter(({ expires }) => String(expires) < dayFromNow(0)))
    expect(expired.length).toBeGreaterThan(20)
    expect(expired.length).toBeLessThan(all.length)
    const last = String(expired.at(-1)!['expires'])
    expect(await alerts({ expiring_before: last })).toEqual(expired.filter(({ expires }) => String(expires) < last))
    expect(await alerts({ expiring_before: '9999-12-31' })).toEqual(all)
    for (const expiring_before of ['0000-01-01', '0001-01-01']) expect(await alerts({ expiring_before })).toEqual([])
  })

  test('are only of pets with an appointment ahead when asked', async () => {
    const all = await alerts({ upcoming_only: false })
    expect(all).toEqual(await alerts({}))
    const coming = await alerts({ upcoming_only: true })
    expect(coming).toEqual(all.filter((alert) => alert['next_appointment'] !== null))
    expect(coming.length).toBeGreaterThan(5)
    expect(coming.length).toBeLessThan(all.length)
    for (const moment of times(coming, 'next_appointment')) expect(moment).toBeGreaterThan(Date.now())
  })
})

describe('the waitlist, the price list and the team', () => {
  test('the waitlist comes whole, first come first, or of one preferred day', async () => {
    const all = await salon.rows('list_waitlist', 'entries', {})
    expect(values(all, 'waitlist_entry_id')).toEqual(values(all, 'waitlist_entry_id').map(String).toSorted())
    expect(all.length).toBe(66)
    expect(all.filter(({ employee }) => employee === 'First Available').length).toBe(33)
    const days = all.flatMap(({ preferred }) => preferred as string[])
    for (const day of days) expect(day).toMatch(/^\d{4}-\d\d-\d\d (morning|afternoon|any time)$/)
    const [first, second, third] = values(all, 'preferred')
    expect(first).toEqual([`${dayFromNow(2)} morning`])
    expect(second).toEqual([`${dayFromNow(3)} afternoon`, `${dayFromNow(6)} any time`])
    expect(third).toEqual([`${dayFromNow(4)} any time`, `${dayFromNow(7)} morning`, `${dayFromNow(11)} afternoon`])
    expect(all.some(({ preferred }) => (preferred as string[]).length === 0)).toBe(true)
    for (const date of [dayFromNow(5), dayFromNow(9)]) {
      const some = await salon.rows('list_waitlist', 'entries', { date })
      expect(some).toEqual(all.filter(({ preferred }) => (preferred as string[]).some((day) => day.startsWith(date))))
      expect(some.length).toBeGreaterThan(2)
    }
    expect(await salon.rows('list_waitlist', 'entries', { date: dayFromNow(60) })).toEqual([])
  })

  test('services are listed all or by category', async () => {
    const all = await salon.rows('list_services', 'services', {})
    expect(all.length).toBe(20)
    expect(all[8]).toEqual({
      service_id: 'S100009',
      name: 'Oatmeal Bath',
      category: 'Bath & Brush',
      duration_minutes: 40,
      price: 31.5,
    })
    for (const category of new Set(values(all, 'category'))) {
      const some = await salon.rows('list_services', 'services', { category })
      expect(some).toEqual(all.filter((one) => one['category'] === category))
    }
    expect(await salon.refused('list_services', { category: 'cats' })).toBe('CTG_NOT_FOUND')
  })

  test('employees who have left are not listed', async () => {
    const team = await salon.rows('list_employees', 'employees', {})
    expect(values(team, 'employee_id')).toEqual([1, 2, 3, 4, 5, 7, 8, 9].map((one) => `E10000${one}`))
    const names = values(await salon.rows('list_services', 'services', {}), 'name')
    for (const { services } of team) expect(names).toEqual(expect.arrayContaining(services as string[]))
  })
})

describe('reports', () => {
  const month = { from: dayFromNow(-30), to: dayFromNow(-1) }
  const report = (name: string, input: Row = month, user?: string): Promise<Row[]> =>
    salon.rows('run_report', 'rows', { report: name, ...input }, user)
  const sum = (rows: readonly Row[], key: string): number =>
    Math.round(values(rows, key).reduce<number>((total, value) => total + Number(value) * 100, 0))

  test('by employee, by service and by day come to the same sales', async () => {
    const byEmployee = await report('Sales By Employee Category')
    const byService = await report('Sales By Service')
    const byDay = await report('Daily Totals')
    expect(Object.keys(byEmployee[0]!)).toEqual(['employee', 'category', 'services', 'sales'])
    expect(Object.keys(byService[0]!)).toEqual(['service_id', 'service', 'sold', 'sales'])
    expect(Object.keys(byDay[0]!)).toEqual(['day', 'tickets', 'services', 'products'])
    expect(sum(byEmployee, 'sales')).toBe(sum(byService, 'sales'))
    expect(sum(byDay, 'services')).toBe(sum(byService, 'sales'))
    expect(sum(byEmployee, 'services')).toBe(sum(byService, 'sold'))
    expect(values(byDay, 'day')).toEqual(values(byDay, 'day').map(String).toSorted())
    const out = (await appointments(month)).filter(({ status }) => status === 'Checked Out')
    expect(sum(byDay, 'tickets')).toBe(out.length * 100)
    const one = await report('Sales By Employee Category', { ...month, employee_id: 'E100001' })
    expect(one).toEqual(byEmployee.filter(({ employee }) => employee === 'Amélie Lefèvre'))
    expect(one.length).toBeGreaterThan(2)
    expect(await report('Daily Totals', { from: month.to })).toEqual(byDay.filter(({ day }) => day === month.to))
  })

  test('of voided tickets and booked time tell what the calendar shows', async () => {
    const all = await appointments(month)
    const voided = await report('Voided Tickets')
    expect(values(voided, 'appointment_id')).toEqual(
      values(
        all.filter(({ status }) => status === 'Voided'),
        'appointment_id',
      ),
    )
    const booked = await report('Employee Booked Time')
    const counted = all.filter(({ status }) => status !== 'Voided' && status !== 'No Show')
    expect(sum(booked, 'tickets')).toBe(counted.length * 100)
    expect((await report('Pets By Breed', {})).length).toBe(8)
  })

  test.each([
    ['sales by service', {}, 'RPT_NOT_FOUND'],
    ['Sales By Service', {}, 'RPT_NEEDS_RANGE'],
    ['Client Balances', month, 'RPT_HAS_NO_RANGE'],
    ['Daily Totals', { ...month, employee_id: 'E100001' }, 'RPT_NOT_BY_EMP'],
    ['Daily Totals', { from: month.to, to: month.from }, 'SPAN_BACKWARDS'],
    ['Daily Totals', { from: dayFromNow(-400), to: month.to }, 'SPAN_TOO_LONG'],
  ])('%s %j is refused', async (name, input, code) => {
    expect(await salon.refused('run_report', { report: name, ...input })).toBe(code)
  })

  test('are refused to a role without access, or come without rows', async () => {
    const sales = { report: 'Sales By Service', ...month }
    expect(await salon.refused('run_report', sales, 'revoked')).toBe('ROLE_NOT_ALLOWED')
    expect(await report('Voided Tickets', month, 'revoked')).toEqual([])
    expect((await report('Client Balances', {}, 'revoked')).length).toBeGreaterThan(3)
  })
})

test('the hair edition has no pets', async () => {
  const all = await appointments({ from: dayFromNow(-5), to: dayFromNow(5) }, 'two_accounts')
  expect(new Set(values(all, 'pet'))).toEqual(new Set([null]))
  expect(await salon.refused('list_vaccination_alerts', {}, 'two_accounts')).toBe('PET_EDITION_ONLY')
  expect(await salon.refused('run_report', { report: 'Pets By Breed' }, 'two_accounts')).toBe('PET_EDITION_ONLY')
  const shot = { pet_id: 'P100001', vaccine: 'Rabies', expires: dayFromNow(9) }
  expect(await salon.refused('add_vaccination', shot, 'two_accounts')).toBe('PET_EDITION_ONLY')
  const [entry] = await salon.rows('list_waitlist', 'entries', {}, 'two_accounts')
  expect(entry!['pet_id']).toBeNull()
})
