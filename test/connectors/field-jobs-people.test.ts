import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { AppCaller, dayFromNow, values } from './app-caller.ts'
import type { Row } from './app-caller.ts'
import { afua, amelie, cents, child, descending, everyJob, sum, times } from './field-jobs-company.ts'

let company: AppCaller
beforeAll(async () => {
  company = await AppCaller.open('field-jobs')
})
beforeEach(() => company.sandbox.reset())
afterAll(() => company.sandbox.close())

describe('leads', () => {
  const leads = (input: Row): Promise<Row[]> => company.every('list_leads', 'leads', { limit: 100, ...input })

  test('are open ones by default, newest first, and filtered by status and day', async () => {
    for (const status of ['open', 'converted', 'lost']) {
      const all = await leads({ status })
      expect(new Set(values(all, 'status'))).toEqual(new Set([status]))
      expect(times(all, 'created_at')).toEqual(descending(times(all, 'created_at')))
      const since = dayFromNow(-20)
      const recent = await leads({ status, since })
      expect(recent).toEqual(all.filter(({ created_at }) => String(created_at) >= since))
      expect(recent.length).toBeGreaterThan(0)
      expect(recent.length).toBeLessThan(all.length)
      if (status !== 'open') continue
      expect(await leads({})).toEqual(all)
      expect(all).toHaveLength(85)
      expect(values(all, 'assigned_to')).toContain(null)
      expect(all.find(({ assigned_to }) => child({ assigned_to }, 'assigned_to')['tech_id'] === afua)).toBeDefined()
    }
    expect(
      values(
        await leads({ status: 'lost' }).then(async (lost) => [...lost, ...(await leads({ status: 'converted' }))]),
        'phone',
      ),
    ).toContain(null)
  })
})

describe('clients', () => {
  const clients = (input: Row): Promise<Row[]> => company.rows('list_clients', 'clients', input)

  test('come by name, 25 unless more are asked for, with their jobs and what they owe', async () => {
    const all = await clients({ limit: 100 })
    const names = values(all, 'name').map((name) => String(name).toLowerCase())
    expect(names).toEqual(names.toSorted())
    expect(await clients({})).toEqual(all.slice(0, 25))
    const jobs = await everyJob(company)
    for (const client of all.slice(0, 40)) {
      const theirs = jobs.filter((job) => child(job, 'client')['client_id'] === client['client_id'])
      expect(client['jobs']).toBe(theirs.length)
      expect(cents(client['balance_due'])).toBe(sum(theirs.map(({ amount_due }) => cents(amount_due))))
    }
    expect(await company.call('list_clients', {})).not.toHaveProperty('next_cursor')
    expect(company.takes('list_clients', { cursor: 'x' })).toBe(false)
  })

  test('are found by part of their name, phone, email or address, in any case', async () => {
    const all = await clients({ limit: 100 })
    const one = all.find(({ client_id }) => client_id === amelie)
    for (const query of ['AMÉLIE gr', '+233 23 995 1045', '239951045', 'AmelieGro.46@', 'KÖNIGSTRAßE 7']) {
      const found = await clients({ query, limit: 100 })
      expect(values(found, 'client_id')).toContain(amelie)
      expect(found.length).toBeLessThan(all.length)
    }
    expect(one).toMatchObject({ phone: '+233 23 995 1045', email: 'ameliegro.46@post.example' })
    expect(await clients({ query: 'nobody is called this' })).toEqual([])
    for (const key of ['phone', 'email']) expect(values(all, key)).toContain(null)
  })
})

describe('estimates and invoices', () => {
  const all = (name: string, key: string, input: Row): Promise<Row[]> =>
    company.every(name, key, { limit: 100, ...input })

  test('of estimates each status is shown, all by default, drafts unsent and others sent', async () => {
    const every = await all('list_estimates', 'estimates', {})
    expect(every).toHaveLength(150)
    for (const status of ['draft', 'sent', 'approved', 'declined']) {
      const some = await all('list_estimates', 'estimates', { status })
      expect(some).toEqual(every.filter((row) => row['status'] === status))
      expect(some.length).toBeGreaterThan(5)
      expect(new Set(some.map(({ sent_at }) => sent_at === null))).toEqual(new Set([status === 'draft']))
    }
    const recent = await all('list_estimates', 'estimates', { since: dayFromNow(-30) })
    expect(recent).toEqual(every.slice(0, recent.length))
    expect(recent.length).toBeGreaterThan(40)
    expect(recent.length).toBeLessThan(60)
    const sent = recent.filter(({ sent_at }) => sent_at !== null)
    expect(sent.every(({ sent_at }) => String(sent_at) >= dayFromNow(-30))).toBe(true)
  })

  test('of invoices each status is shown, unpaid by default, with sums that fit it', async () => {
    for (const status of ['unpaid', 'partially_paid', 'paid']) {
      const some = await all('list_invoices', 'invoices', { status })
      expect(new Set(values(some, 'status'))).toEqual(new Set([status]))
      expect(some.length).toBeGreaterThan(10)
      for (const { total, amount_due } of some) {
        const due = cents(amount_due)
        if (status === 'unpaid') expect(amount_due).toBe(total)
        else if (status === 'paid') expect(due).toBe(0)
        else expect(due > 0 && due < cents(total)).toBe(true)
      }
      const recent = await all('list_invoices', 'invoices', { status, since: dayFromNow(-20) })
      expect(recent).toEqual(some.slice(0, recent.length))
      expect(recent.length).toBeGreaterThan(0)
      expect(recent.length).toBeLessThan(some.length)
      if (status === 'unpaid') expect(await all('list_invoices', 'invoices', {})).toEqual(some)
    }
  })
})

test('each input is taken within its bounds only', () => {
  for (const name of ['list_jobs', 'list_leads', 'list_clients', 'list_estimates', 'list_invoices']) {
    for (const limit of [1, 100]) expect(company.takes(name, { limit })).toBe(true)
    for (const limit of [0, 101, 1.5, '5']) expect(company.takes(name, { limit })).toBe(false)
    expect(company.takes(name, { surprise: 1 })).toBe(false)
  }
  for (const [name, statuses] of [
    ['list_leads', ['open', 'converted', 'lost']],
    ['list_estimates', ['draft', 'sent', 'approved', 'declined']],
    ['list_invoices', ['unpaid', 'partially_paid', 'paid']],
  ] as const) {
    for (const status of statuses) expect(company.takes(name, { status })).toBe(true)
    for (const status of ['all', 'fresh', '']) expect(company.takes(name, { status })).toBe(false)
    expect(company.takes(name, { since: '2026-02-28' })).toBe(true)
    expect(company.takes(name, { since: '2026-02-30' })).toBe(false)
    expect(company.takes(name, { cursor: 'made-up' })).toBe(false)
  }
  for (const status of [[], 'Done', [''], Array.from({ length: 21 }, () => 'Done')])
    expect(company.takes('list_jobs', { status })).toBe(false)
  expect(company.takes('list_clients', { query: 'x'.repeat(200) })).toBe(true)
  expect(company.takes('list_clients', { query: 'x'.repeat(201) })).toBe(false)
})
