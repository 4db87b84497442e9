import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { exchanged } from './local-app.ts'
import type { AppCaller, Row } from './app-caller.ts'
import {
  allPages,
  berlinDay,
  jobsOf,
  need,
  newJob,
  openFirm,
  opportunitiesOf,
  opportunity,
} from './field-service-firm.ts'

let firm: AppCaller
beforeAll(async () => {
  firm = await openFirm()
})
beforeEach(() => firm.sandbox.reset())
afterAll(() => firm.sandbox.close())

const customer_number = '1010001'
const jobOf = (job_number: unknown): Promise<Row> => firm.call('get_job', { job_number })
const effects = async (): Promise<number> => (await firm.control.effects()).length
const numberOf = async (status: string): Promise<unknown> => need(await firm.rows(...jobsOf, { status }))['job_number']

describe('a customer', () => {
  test('is created with all that is told, and found again', async () => {
    const site = {
      street: '1 High <b>Street</b>',
      city: 'Köln',
      state: 'NRW',
      zip_code: '50667',
      country: 'Deutschland',
    }
    const name = 'Zoë & "ירושלים" 😀 GmbH'
    const more = { email: 'zoe@mail.example', phone: '+49 30 55501189', is_company: true }
    const billing = { city: 'Bonn' }
    const made = await firm.call('create_customer', { name, ...more, service_address: site, billing_address: billing })
    const { customer_number: number } = made
    expect(made).toEqual({ customer_number: number, name, status: 'created' })
    const shown = await firm.call('get_customer', { customer_number: number })
    expect(shown).toMatchObject({
      name,
      email: more.email,
      phone: more.phone,
      billing_address: 'Bonn',
      contacts: [],
      jobs: [],
    })
    for (const part of Object.values(site)) expect(shown['service_address']).toContain(part)
    expect((await firm.rows('list_customers', 'customers', { query: '55501189' })).length).toBe(1)
    expect(await effects()).toBe(1)
  })

  test('has nothing but a name when nothing else is told, and a person is their own contact', async () => {
    const { customer_number: number } = await firm.call('create_customer', { name: 'Ana' })
    expect(await firm.call('get_customer', { customer_number: number })).toEqual({
      customer_number: number,
      name: 'Ana',
      email: null,
      phone: null,
      service_address: null,
      billing_address: null,
      contacts: [{ name: 'Ana', email: null, primary: true }],
      jobs: [],
      special_instructions: '',
      notes: '',
    })
  })

  test('is billed at the service address unless told otherwise', async () => {
    const made = await firm.call('create_customer', { name: 'Ana', service_address: { street: 'Hof 1', city: 'Köln' } })
    const shown = await firm.call('get_customer', { customer_number: made['customer_number'] })
    expect(shown['billing_address']).toBe(shown['service_address'])
    expect(shown['service_address']).toBe('Hof 1, Köln')
  })
})

describe('a job', () => {
  test('is created unscheduled, with the service as the account names it', async () => {
    const texts = { description: 'Line one\nline two', scope_of_work: '<b>“Boiler”</b>' }
    const input = { customer_number, service_type: 'BOILER repair', ...texts }
    const made = await firm.call('create_job', input)
    const { job_number } = made
    expect(made).toEqual({ job_number, type: 'job', stage: null, customer_number, service_type: 'Boiler repair' })
    expect(await jobOf(job_number)).toEqual({
      job_number,
      service_type: 'Boiler repair',
      customer: 'Anna Müller',
      status: 'unscheduled',
      ...texts,
      charges: [],
      total: '0.00',
      events: [],
      time_entries: [],
      invoice: null,
    })
    const listed = need(
      await allPages(firm, jobsOf, { status: 'unscheduled' }),
      (one) => one['job_number'] === job_number,
    )
    expect(listed).toMatchObject({ scheduled_on: null, employees: [] })
    expect(await effects()).toBe(1)
  })

  test('becomes a new opportunity when asked for', async () => {
    const input = { customer_number, service_type: 'Annual contract', as_opportunity: true }
    const made = await firm.call('create_job', input)
    expect(made).toMatchObject({ type: 'opportunity', stage: 'new', service_type: 'Annual contract' })
    const listed = need(await allPages(firm, opportunitiesOf), (one) => one['job_number'] === made['job_number'])
    expect(listed).toMatchObject({ customer: 'Anna Müller', estimate_sent: false, created_on: berlinDay() })
    const { jobs } = await firm.call('get_customer', { customer_number })
    expect(jobs).toContainEqual({ job_number: made['job_number'], service_type: 'Annual contract', status: 'new' })
  })

  test('is not created for an unknown service or customer', async () => {
    const { outcome, sent } = await exchanged(firm.sandbox, firm.app, 'create_job', {
      customer_number,
      service_type: 'Boiler',
    })
    expect(outcome).toMatchObject({ kind: 'rejected', appCode: 'SERVICE_UNKNOWN' })
    expect(outcome.kind === 'rejected' && outcome.appMessage).toContain('Boiler repair, Drain cleaning')
    expect(sent).toBe(false)
    const refused = (number: string, user?: string) =>
      firm.refused('create_job', { customer_number: number, service_type: 'Boiler repair' }, user)
    expect([await refused('1'), await refused(customer_number, 'stranger')]).toEqual([
      'CLIENT_NOT_FOUND',
      'CLIENT_NOT_FOUND',
    ])
    expect(await effects()).toBe(0)
  })
})

describe('a charge', () => {
  test.each([false, true])('is added, and the running total told; to an opportunity: %s', async (as_opportunity) => {
    const job_number = await newJob(firm, { as_opportunity })
    const first = await firm.call('add_charge', {
      job_number,
      name: 'Filter',
      unit_price: '18.99',
      quantity: 2.5,
      notes: 'Blue',
    })
    const charge_id = (first['charge'] as Row)['charge_id']
    const charge = { charge_id, name: 'Filter', quantity: 2.5, unit_price: '18.99', amount: '47.48', notes: 'Blue' }
    expect(first).toEqual({ job_number, charge, total: '47.48' })
    const second = await firm.call('add_charge', { job_number, name: 'Work', unit_price: '1234.5' })
    expect(second).toMatchObject({ charge: { quantity: 1, unit_price: '1234.50', notes: '' }, total: '1281.98' })
    expect(await jobOf(job_number)).toMatchObject({ charges: [charge, second['charge']], total: '1281.98' })
    expect(await effects()).toBe(3)
  })

  test.each([
    ['more decimals than two', { quantity: 0.125 }, 'FIGURE_INVALID'],
    ['a quantity like 0.1 + 0.2', { quantity: 0.1 + 0.2 }, 'FIGURE_INVALID'],
    ['a price that is too high', { unit_price: '1000000.01' }, 'FIGURE_OUT_OF_BOUNDS'],
    ['a blank name', { name: ' ' }, 'FIELD_REQUIRED'],
    ['a job of nobody', { job_number: '1' }, 'ORDER_NOT_FOUND'],
  ])('is refused with %s, never rounded', async (_what, more, code) => {
    const job_number = await newJob(firm)
    expect(await firm.refused('add_charge', { job_number, name: 'x', unit_price: '1', ...more })).toBe(code)
    expect((await jobOf(job_number))['charges']).toEqual([])
  })

  test.each(['0', '0.01', '999.9', '1000000.00'])('keeps a price of %s as it is', async (unit_price) => {
    const added = await firm.call('add_charge', { job_number: await newJob(firm), name: 'x', unit_price })
    expect(added['total']).toBe(Number(unit_price).toFixed(2))
  })
})

describe('an event', () => {
  const times = { start_at: '2027-01-15T09:00:00+01:00', end_at: '2027-01-15T16:30:00Z' }

  test('makes an unscheduled job scheduled, and is in the time of the firm', async () => {
    const job_number = await newJob(firm)
    const input = { job_number, ...times, title: 'First look', employee: 'amélie brûlé', notes: 'Ring' }
    const { event_id } = await firm.call('schedule_event', input)
    expect(await jobOf(job_number)).toMatchObject({
      status: 'scheduled',
      events: [
        {
          event_id,
          title: 'First look',
          start_at: '2027-01-15T09:00:00+01:00',
          end_at: '2027-01-15T17:30:00+01:00',
          employee: { name: 'Amélie Brûlé' },
          notes: 'Ring',
        },
      ],
    })
    const listed = await allPages(firm, jobsOf, { status: 'scheduled', employee: 'Amélie Brûlé' })
    expect(listed.at(-1)).toMatchObject({ job_number, scheduled_on: '2027-01-15', employees: ['Amélie Brûlé'] })
    expect(await effects()).toBe(2)
  })

  test('needs neither a title nor an employee', async () => {
    const job_number = await newJob(firm)
    await firm.call('schedule_event', { job_number, ...times })
    expect((await jobOf(job_number))['events']).toMatchObject([{ title: 'Boiler repair', employee: null, notes: '' }])
  })

  test.each(['scheduled', 'in_progress', 'on_hold'])('leaves a job that is %s as it is', async (status) => {
    const job_number = await numberOf(status)
    const { event_id } = await firm.call('schedule_event', { job_number, ...times })
    const job = await jobOf(job_number)
    expect(job['status']).toBe(status)
    expect((job['events'] as Row[]).map((event) => event['event_id'])).toContain(event_id)
  })

  test('is refused on what is complete or canceled, and on opportunities', async () => {
    const refused = async (number: unknown): Promise<string> =>
      firm.refused('schedule_event', { job_number: number, ...times })
    expect(await refused(await numberOf('complete'))).toBe('ORDER_DONE')
    expect(await refused(await numberOf('canceled'))).toBe('ORDER_DROPPED')
    expect(await refused(await opportunity(firm, 'won'))).toBe('NOT_A_JOB')
    expect(await effects()).toBe(0)
  })

  test.each([
    ['an end before the beginning', { end_at: '2027-01-15T08:59:00+01:00' }, 'TIMES_BACKWARDS'],
    ['more than 14 days', { end_at: '2027-01-29T09:01:00+01:00' }, 'VISIT_TOO_LONG'],
    ['seconds', { start_at: '2027-01-15T09:00:30+01:00' }, 'TIME_INVALID'],
    ['an unknown employee', { employee: 'Nobody' }, 'CREW_UNKNOWN'],
    ['an employee who left', { employee: 'Piet de Vries' }, 'CREW_LEFT'],
  ])('is refused with %s', async (_what, more, code) => {
    const job_number = await newJob(firm)
    expect(await firm.refused('schedule_event', { job_number, ...times, ...more })).toBe(code)
    expect(await jobOf(job_number)).toMatchObject({ status: 'unscheduled', events: [] })
  })
})

describe('a time entry', () => {
  const entry = { employee: 'Chidi Okafor', hours: 1.5 }

  test('is logged today unless told otherwise', async () => {
    const job_number = await newJob(firm)
    const today = await firm.call('log_time_entry', { job_number, ...entry, notes: 'Waited' })
    const { time_entry_id, employee } = today['time_entry'] as Row
    const logged = { time_entry_id, employee, date: berlinDay(), hours: 1.5, notes: 'Waited' }
    expect(today).toEqual({ job_number, time_entry: logged })
    expect(employee).toMatchObject({ name: 'Chidi Okafor' })
    const earlier = await firm.call('log_time_entry', { job_number, ...entry, hours: 24, date: '2024-02-29' })
    expect(earlier['time_entry']).toMatchObject({ date: '2024-02-29', hours: 24, notes: '' })
    expect((await jobOf(job_number))['time_entries']).toEqual([earlier['time_entry'], logged])
    expect(await effects()).toBe(3)
  })

  test('is taken on a complete job, not on a canceled one or an opportunity', async () => {
    await firm.call('log_time_entry', { job_number: await numberOf('complete'), ...entry })
    expect(await firm.refused('log_time_entry', { job_number: await numberOf('canceled'), ...entry })).toBe(
      'ORDER_DROPPED',
    )
    expect(await firm.refused('log_time_entry', { job_number: await opportunity(firm, 'new'), ...entry })).toBe(
      'NOT_A_JOB',
    )
    expect(await effects()).toBe(1)
  })

  test.each([
    ['a day to come', { date: berlinDay(2) }, 'DAY_IN_FUTURE'],
    ['more decimals than two', { hours: 1.005 }, 'FIGURE_INVALID'],
    ['an unknown employee', { employee: 'Nobody' }, 'CREW_UNKNOWN'],
    ['an employee who left', { employee: 'Piet de Vries' }, 'CREW_LEFT'],
  ])('is refused with %s', async (_what, more, code) => {
    const job_number = await newJob(firm)
    expect(await firm.refused('log_time_entry', { job_number, ...entry, ...more })).toBe(code)
    expect((await jobOf(job_number))['time_entries']).toEqual([])
  })
})
