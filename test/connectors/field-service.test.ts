import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { daysFrom } from '../../connectors/kit/dates.ts'
import { values } from './app-caller.ts'
import type { AppCaller, Row } from './app-caller.ts'
import {
  allPages,
  berlinDay,
  customersOf,
  invoicesOf,
  jobsOf,
  need,
  openFirm,
  opportunitiesOf,
} from './field-service-firm.ts'

let firm: AppCaller
beforeAll(async () => {
  firm = await openFirm()
})
beforeEach(() => firm.sandbox.reset())
afterAll(() => firm.sandbox.close())

const customer = { customer_number: '1010001', service_type: 'boiler REPAIR' }

describe('each list', () => {
  const added = async (job_number: unknown): Promise<unknown> => {
    await firm.call('add_charge', { job_number, name: 'Work', unit_price: '10' })
    return firm.call('generate_invoice', { job_number })
  }
  const lists: readonly [readonly [string, string], string, number, Row, () => Promise<unknown>][] = [
    [customersOf, 'customer_number', 96, {}, () => firm.call('create_customer', { name: 'Added meanwhile' })],
    [jobsOf, 'job_number', 240, {}, () => firm.call('create_job', customer)],
    [opportunitiesOf, 'job_number', 70, {}, () => firm.call('create_job', { ...customer, as_opportunity: true })],
    [invoicesOf, 'job_number', 60, {}, async () => added((await firm.call('create_job', customer))['job_number'])],
  ]

  test.each(lists)('%s has pages of 30 to its end, also while items are added', async (list, id, size, input, add) => {
    const whole = await allPages(firm, list, input)
    expect(whole.length).toBe(size)
    expect(new Set(values(whole, id)).size).toBe(size)
    const meanwhile = await allPages(firm, list, input, { between: (page) => (page === 1 ? add() : undefined) })
    expect(meanwhile.slice(0, size)).toEqual(whole)
    expect(meanwhile.length).toBe(size + 1)
    expect(values(whole, id)).not.toContain(meanwhile.at(-1)?.[id])
    const [name, key] = list
    expect(await firm.call(name, {})).toEqual({ [key]: whole.slice(0, 30), page: 1 })
    expect(await firm.call(name, { page: 2 })).toEqual({ [key]: meanwhile.slice(30, 60), page: 2 })
    for (const page of [99, 1_000_000]) expect(await firm.call(name, { page })).toEqual({ [key]: [], page })
  })
})

describe('customers', () => {
  test.each([
    ['a name, whatever its case and accents', ' muller ', 'name', /müller/i],
    ['a name in another script', 'כהן', 'name', /כהן/],
    ['an email', 'CLIENT.1.7', 'email', /^client\.1\.7/],
    ['a street', 'calle mayor', 'service_address', /^Calle Mayor/],
  ])('are found by part of %s', async (_what, query, key, found) => {
    const all = await allPages(firm, customersOf)
    const some = await allPages(firm, customersOf, { query })
    expect(some).toEqual(all.filter((one) => found.test(String(one[key]))))
    expect(some.length).toBeGreaterThan(0)
    expect(some.length).toBeLessThan(all.length)
  })

  test('are found by the digits of their phone number, and not at all by what nobody has', async () => {
    const { customer_number, phone } = need(await allPages(firm, customersOf), (one) => one['phone'] !== null)
    const query = String(phone).replaceAll(/\D/g, '')
    expect(values(await allPages(firm, customersOf, { query }), 'customer_number')).toEqual([customer_number])
    expect(await allPages(firm, customersOf, { query: 'nobody at all' })).toEqual([])
  })

  test('are shown in full as in the list, with null for what they do not have and empty texts for what nobody wrote', async () => {
    const details: Row[] = []
    for (const row of (await allPages(firm, customersOf)).slice(0, 32)) {
      const detail = await firm.call('get_customer', { customer_number: row['customer_number'] })
      expect(detail).toMatchObject(row)
      details.push(detail)
    }
    const absent = { email: null, phone: null, service_address: null, billing_address: null }
    for (const [key, nothing] of Object.entries({ ...absent, special_instructions: '', notes: '' })) {
      const known = details.filter((detail) => detail[key] !== nothing)
      expect(known.length, key).toBeGreaterThan(0)
      expect(known.length, key).toBeLessThan(details.length)
      for (const detail of known) expect(detail[key]).toMatch(/./)
    }
    expect(details.some((one) => one['service_address'] !== one['billing_address'])).toBe(true)
    const contacts = details.flatMap((one) => one['contacts'] as Row[])
    expect(new Set(values(contacts, 'primary'))).toEqual(new Set([true, false]))
    expect(values(contacts, 'email')).toContain(null)
  })

  test('have their jobs and opportunities', async () => {
    const all = await firm.call('get_customer', { customer_number: '1010036' })
    const { name } = all
    const listed = async (list: readonly [string, string], input: Row, state: string) => {
      const rows = (await allPages(firm, list, input)).filter((one) => one['customer'] === name)
      return rows.map((one) => JSON.stringify([one['job_number'], one[state]]))
    }
    const stages = await Promise.all(['new', 'won', 'lost'].map((stage) => listed(opportunitiesOf, { stage }, 'stage')))
    const wanted = [...(await listed(jobsOf, {}, 'status')), ...stages.flat()]
    const shown = (all['jobs'] as Row[]).map((one) => JSON.stringify([one['job_number'], one['status']]))
    expect(shown.length).toBeGreaterThan(3)
    for (const one of shown) expect(wanted).toContain(one)
    for (const { job_number, service_type, status } of all['jobs'] as Row[])
      expect(await firm.call('get_job', { job_number })).toMatchObject({ service_type, status, customer: name })
  })
})

describe('jobs', () => {
  const statuses = ['unscheduled', 'scheduled', 'in_progress', 'on_hold', 'canceled', 'complete']
  let all: Row[]
  beforeAll(async () => {
    all = await allPages(firm, jobsOf)
  })

  test('are listed by status', async () => {
    for (const status of statuses) {
      const some = await allPages(firm, jobsOf, { status })
      expect(some).toEqual(all.filter((job) => job['status'] === status))
      expect(some.length).toBe(40)
    }
    expect(new Set(values(all, 'status'))).toEqual(new Set(statuses))
  })

  test('are listed by the day they are scheduled on', async () => {
    const today = berlinDay()
    const monday = daysFrom(today, -((new Date(today).getUTCDay() + 6) % 7))
    const month = (away: number): [string, string] => {
      const [year, now] = [Number(today.slice(0, 4)), Number(today.slice(5, 7)) - 1]
      const first = (more: number): string => new Date(Date.UTC(year, now + more, 1)).toISOString().slice(0, 10)
      return [first(away), daysFrom(first(away + 1), -1)]
    }
    const year = (away: number): [string, string] => {
      const of = Number(today.slice(0, 4)) + away
      return [`${of}-01-01`, `${of}-12-31`]
    }
    const windows: Readonly<Record<string, [string, string]>> = {
      today: [today, today],
      tomorrow: [daysFrom(today, 1), daysFrom(today, 1)],
      yesterday: [daysFrom(today, -1), daysFrom(today, -1)],
      this_week: [monday, daysFrom(monday, 6)],
      next_week: [daysFrom(monday, 7), daysFrom(monday, 13)],
      last_week: [daysFrom(monday, -7), daysFrom(monday, -1)],
      this_month: month(0),
      next_month: month(1),
      last_month: month(-1),
      this_year: year(0),
      last_year: year(-1),
    }
    for (const [scheduled, [from, to]] of Object.entries(windows)) {
      const some = await allPages(firm, jobsOf, { scheduled })
      const inside = (day: unknown): boolean => typeof day === 'string' && day >= from && day <= to
      expect(some, scheduled).toEqual(all.filter((job) => inside(job['scheduled_on'])))
      expect(some.length, scheduled).toBeGreaterThan(0)
      expect(some.length, scheduled).toBeLessThan(all.length)
    }
  })

  test('are listed by employee, by status and day as well, and an unknown employee is refused', async () => {
    const theirs = all.filter((job) => (job['employees'] as string[]).includes('Fatma Çelik'))
    expect(await allPages(firm, jobsOf, { employee: 'fatma çELIK' })).toEqual(theirs)
    expect(theirs.length).toBeGreaterThan(5)
    expect(theirs.length).toBeLessThan(all.length)
    const done = await allPages(firm, jobsOf, { employee: 'Fatma Çelik', status: 'complete', scheduled: 'this_year' })
    const year = berlinDay().slice(0, 4)
    const ofThisYear = (job: Row): boolean => String(job['scheduled_on']).startsWith(year)
    expect(done).toEqual(theirs.filter((job) => job['status'] === 'complete' && ofThisYear(job)))
    expect(await firm.refused('list_jobs', { employee: 'Nobody' })).toBe('CREW_UNKNOWN')
  })

  test('are shown in full as in the list, and their figures add up', async () => {
    const cents = (value: unknown): number => Math.round(Number(value) * 100)
    const sum = (rows: unknown, key: string): number =>
      (rows as Row[]).reduce((total, row) => total + cents(row[key]), 0)
    const details: Row[] = []
    for (const row of all.slice(0, 40)) {
      const { scheduled_on, employees, ...head } = row
      const detail = await firm.call('get_job', { job_number: row['job_number'] })
      expect(detail).toMatchObject(head)
      const events = detail['events'] as Row[]
      expect(events.length === 0).toBe(scheduled_on === null)
      const names = events.flatMap((event) => (event['employee'] === null ? [] : [(event['employee'] as Row)['name']]))
      expect(new Set(names)).toEqual(new Set(employees as string[]))
      const days = events.map((event) => String(event['start_at']).slice(0, 10))
      if (scheduled_on !== null) expect(days).toContain(scheduled_on)
      expect(sum(detail['charges'], 'amount')).toBe(cents(detail['total']))
      details.push(detail)
    }
    const charges = details.flatMap((detail) => detail['charges'] as Row[])
    for (const { quantity, unit_price, amount } of charges)
      expect(cents(amount)).toBe(Math.round(Number(quantity) * cents(unit_price)))
    const events = details.flatMap((detail) => detail['events'] as Row[])
    for (const { start_at, end_at } of events) {
      expect(start_at).toMatch(/T\d\d:\d\d:00\+0[12]:00$/)
      expect(Date.parse(String(start_at))).toBeLessThan(Date.parse(String(end_at)))
    }
    const invoices = details.flatMap((detail) => (detail['invoice'] === null ? [] : [detail['invoice'] as Row]))
    for (const one of invoices)
      expect(cents(one['total']) - cents(one['balance_remaining'])).toBe(sum(one['payments'], 'amount'))
    expect(details.flatMap((detail) => detail['time_entries'] as Row[]).length).toBeGreaterThan(3)
    const methods = new Set(
      values(
        invoices.flatMap((one) => one['payments'] as Row[]),
        'method',
      ),
    )
    expect(methods).toEqual(new Set(['card', 'cash', 'check', 'other']))
    for (const [key, nothing] of Object.entries({ description: '', scope_of_work: '', invoice: null }))
      expect(new Set(details.map((detail) => detail[key] === nothing)), key).toEqual(new Set([true, false]))
  })

  test('that are opportunities are listed by stage, and shown with it', async () => {
    const fresh = await allPages(firm, opportunitiesOf)
    for (const stage of ['new', 'won', 'lost']) {
      const some = await allPages(firm, opportunitiesOf, { stage })
      expect(some.length).toBe(70)
      expect(new Set(values(some, 'stage'))).toEqual(new Set([stage]))
      expect(new Set(values(some, 'estimate_sent'))).toEqual(new Set([true, false]))
      if (stage === 'new') expect(some).toEqual(fresh)
      const { job_number, customer: name, service_type } = need(some)
      const detail = await firm.call('get_job', { job_number })
      expect(detail).toMatchObject({ job_number, customer: name, service_type, status: stage })
      expect([detail['events'], detail['time_entries'], detail['invoice']]).toEqual([[], [], null])
    }
    const days = values(fresh, 'created_on').map((day) => Date.parse(String(day)))
    expect(days).toEqual(days.toSorted((a, b) => a - b))
  })
})

describe('invoices', () => {
  test('are unpaid or paid, and the same as in their jobs', async () => {
    const unpaid = await allPages(firm, invoicesOf, { tab: 'unpaid' })
    const paid = await allPages(firm, invoicesOf, { tab: 'paid' })
    expect(unpaid).toEqual(await allPages(firm, invoicesOf))
    expect([unpaid.length, paid.length]).toEqual([60, 80])
    for (const one of unpaid) expect(Number(one['balance_remaining'])).toBeGreaterThan(0)
    for (const one of paid) expect(one['balance_remaining']).toBe('0.00')
    expect(unpaid.some((one) => one['balance_remaining'] !== one['total'])).toBe(true)
    expect(new Set([...unpaid, ...paid].map((one) => JSON.stringify([one['sent'], one['viewed']]))).size).toBe(3)
    for (const { job_number, customer: name, ...row } of [...unpaid.slice(0, 8), ...paid.slice(0, 8)]) {
      const job = await firm.call('get_job', { job_number })
      const { status, total, balance_remaining, sent_at, viewed_at, url, currency } = job['invoice'] as Row
      const shown = { total, balance_remaining, sent: sent_at !== null, viewed: viewed_at !== null }
      expect([job['customer'], shown, currency]).toEqual([name, row, 'EUR'])
      expect(status).toBe(row['balance_remaining'] === '0.00' ? 'paid' : 'unpaid')
      expect(url === null).toBe(sent_at === null)
    }
  })

  test('are for admins only', async () => {
    expect(await firm.refused('list_invoices', {}, 'revoked')).toBe('ADMIN_ONLY')
    const done = await allPages(firm, jobsOf, { status: 'complete' }, { user: 'revoked' })
    for (const { job_number } of done.slice(0, 8))
      expect((await firm.call('get_job', { job_number }, 'revoked'))['invoice']).toBe(null)
  })
})

test('nobody sees anything of another firm', async () => {
  const lists = [customersOf, jobsOf, opportunitiesOf, invoicesOf] as const
  for (const list of lists) {
    const key = list === customersOf ? 'customer_number' : 'job_number'
    const mine = new Set(values(await firm.rows(list[0], list[1], {}), key))
    const theirs = values(await allPages(firm, list, {}, { user: 'stranger' }), key)
    expect(theirs.length).toBeGreaterThanOrEqual(60)
    expect(theirs.filter((one) => mine.has(one))).toEqual([])
  }
  expect(await firm.refused('get_customer', { customer_number: '1010001' }, 'stranger')).toBe('CLIENT_NOT_FOUND')
  expect(await firm.refused('get_job', { job_number: '1200001' }, 'stranger')).toBe('ORDER_NOT_FOUND')
  expect(await firm.refused('get_customer', { customer_number: 'nobody' })).toBe('CLIENT_NOT_FOUND')
  expect(await firm.refused('get_job', { job_number: '1010001' })).toBe('ORDER_NOT_FOUND')
})

test.each([
  ['list_customers', { query: 'x', page: 1 }, [{ page: 0 }, { page: 1.5 }, { page: '1' }, { limit: 3 }]],
  [
    'list_jobs',
    { status: 'complete', scheduled: 'this_year' },
    [{ status: 'done' }, { scheduled: 'next_year' }, { status: 'all' }, { employee: '' }],
  ],
  ['list_opportunities', { stage: 'lost' }, [{ stage: 'all' }, { stage: 'unscheduled' }, { page: 0 }]],
  ['list_invoices', { tab: 'paid' }, [{ tab: 'all' }, { page: -1 }]],
  ['get_customer', { customer_number: '1' }, [{ customer_number: '' }, { customer_number: 1 }]],
  ['get_job', { job_number: '1' }, [{ job_number: '' }, { job_number: 1 }]],
])('%s takes what is documented and nothing else', (name, good, bad) => {
  expect(firm.takes(name, good)).toBe(true)
  for (const one of bad) expect(firm.takes(name, { ...good, ...one }), JSON.stringify(one)).toBe(false)
  expect(firm.takes(name, {})).toBe(!name.startsWith('get_'))
})
