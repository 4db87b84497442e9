import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { AppCaller, dayFromNow, values } from './app-caller.ts'
import type { Row } from './app-caller.ts'
import { afua, always, amelie, cents, children, descending, everyJob } from './field-jobs-company.ts'
import { kwabena, sum, times, windowOn } from './field-jobs-company.ts'

let company: AppCaller
beforeAll(async () => {
  company = await AppCaller.open('field-jobs')
})
beforeEach(() => company.sandbox.reset())
afterAll(() => company.sandbox.close())

const unbilled = 'bd15d4d7-ba9b-4cf7-90e9-d2ac10f11b30'
const job_type = 'Leak repair'
const lists = [
  { name: 'list_jobs', key: 'jobs', id: 'job_id', filter: { from: dayFromNow(1), to: dayFromNow(4) }, least: 25 },
  { name: 'list_leads', key: 'leads', id: 'lead_id', filter: { status: 'lost' }, least: 25 },
  { name: 'list_estimates', key: 'estimates', id: 'estimate_id', filter: { status: 'draft' }, least: 45 },
  { name: 'list_invoices', key: 'invoices', id: 'invoice_id', filter: { status: 'unpaid' }, least: 60 },
]
const additions: Readonly<Record<string, [string, Row]>> = {
  list_jobs: ['create_job', { client_id: amelie, job_type, window: windowOn(4) }],
  list_estimates: ['create_estimate', { client_id: amelie, items: [{ name: 'Labour' }] }],
  list_invoices: ['create_invoice', { job_id: unbilled }],
}

describe('each list', () => {
  test.each(lists)('$name is paged to its end one by one, also while something is added', async (list) => {
    const { name, key, id, filter, least } = list
    const whole = await company.rows(name, key, { ...filter, limit: 100 })
    expect(whole.length).toBeGreaterThanOrEqual(least)
    expect(new Set(values(whole, id)).size).toBe(whole.length)
    const addition = additions[name]
    const single = await company.every(name, key, { ...filter, limit: 1 }, (page) =>
      page === 2 && addition ? company.call(...addition) : undefined,
    )
    expect(single).toEqual(whole)
    const now = await company.rows(name, key, { ...filter, limit: 100 })
    expect(now.length).toBe(whole.length + (addition ? 1 : 0))
  })

  test.each(lists)('$name goes on where it was, whatever the limit is then', async ({ name, key, filter, least }) => {
    const whole = await company.rows(name, key, { ...filter, limit: 100 })
    const pages: Row[][] = []
    let cursor: unknown
    for (const limit of [7, 2, 100, 3]) {
      const answer = await company.call(name, { ...filter, limit, ...(cursor === undefined ? {} : { cursor }) })
      pages.push(children(answer, key))
      expect(pages.at(-1)?.length).toBeLessThanOrEqual(limit)
      cursor = answer['next_cursor']
    }
    expect(pages.flat()).toEqual(whole.slice(0, pages.flat().length))
    expect(pages.flat().length).toBeGreaterThan(10)
    expect(pages.flat().length).toBeLessThan(least)
  })

  test.each(lists)('$name gives 50 by default', async ({ name, key }) => {
    const wide = name === 'list_jobs' ? { from: dayFromNow(-20) } : {}
    expect(await company.rows(name, key, wide)).toHaveLength(50)
  })
})

describe('jobs', () => {
  test('of all days are listed newest first, and each status filters them', async () => {
    const all = await everyJob(company)
    expect(all.length).toBeGreaterThan(480)
    expect(times(all, 'scheduled_start')).toEqual(descending(times(all, 'scheduled_start')))
    let count = 0
    for (const status of ['Submitted', 'In progress', 'Waiting for parts', 'Done', 'Canceled']) {
      const some = await everyJob(company, { status: [status.toUpperCase()] })
      expect(some).toEqual(all.filter((row) => row['status'] === status))
      expect(some.length).toBeGreaterThan(0)
      count += some.length
    }
    expect(count).toBe(all.length)
    const either = await everyJob(company, { status: ['Done', 'Canceled'] })
    expect(either).toEqual(all.filter(({ status }) => status === 'Done' || status === 'Canceled'))
    expect(await company.refused('list_jobs', { status: ['Sleeping'] })).toBe('STATE_UNKNOWN')
    expect(values(all, 'address')).toContain(null)
  })

  test('are those of the last 14 days and today unless other days are given', async () => {
    const all = await everyJob(company)
    const between = (from: number, to: number): Row[] =>
      all.filter(({ scheduled_start }) => {
        const day = String(scheduled_start).slice(0, 10)
        return day >= dayFromNow(from) && day <= dayFromNow(to)
      })
    for (const [input, from, to] of [
      [{}, -14, 0],
      [{ from: dayFromNow(-2) }, -2, 0],
      [{ to: dayFromNow(2) }, -14, 2],
      [{ from: dayFromNow(3), to: dayFromNow(3) }, 3, 3],
    ] as const)
      expect(await company.every('list_jobs', 'jobs', { ...input, limit: 100 })).toEqual(between(from, to))
    const ahead = await company.every('list_jobs', 'jobs', { from: dayFromNow(3), limit: 100 })
    expect(ahead).toEqual(between(3, 3))
    expect(await company.refused('list_jobs', { from: dayFromNow(2), to: dayFromNow(1) })).toBe('DAYS_BACKWARDS')
  })

  test('are filtered by who is on them', async () => {
    const all = await everyJob(company)
    const hers = await everyJob(company, { tech_id: afua })
    expect(hers).toEqual(all.filter((row) => (row['techs'] as string[]).includes('Afua Müller')))
    expect(hers.length).toBeGreaterThan(20)
    expect(await company.refused('list_jobs', { tech_id: amelie })).toBe('CREW_UNKNOWN')
  })

  test('add up in full: items to the total, and payments to what is due', async () => {
    const all = await everyJob(company)
    const [paid, owing, off] = [
      all.find((row) => row['status'] === 'Done' && row['amount_due'] === '0.00' && row['total'] !== '0.00'),
      all.find((row) => row['amount_due'] !== row['total'] && row['amount_due'] !== '0.00'),
      all.find((row) => row['status'] === 'Canceled' && row['total'] !== '0.00'),
    ]
    for (const row of [paid, owing, off]) {
      const job = await company.call('get_job', { job_id: row?.['job_id'] })
      const { scheduled_start, techs: _, ...common } = row!
      expect(job).toMatchObject({ ...common, window: { start: scheduled_start } })
      const lines = children(job, 'items').map(({ quantity, price }) => Math.round(Number(quantity) * cents(price)))
      expect(sum(lines)).toBe(cents(job['total']))
      const received = sum(children(job, 'payments').map(({ amount }) => cents(amount)))
      expect(cents(job['amount_due'])).toBe(row === off ? 0 : cents(job['total']) - received)
      expect(received > 0).toBe(row !== off)
    }
    expect(await company.refused('get_job', { job_id: amelie })).toBe('JOB_NOT_FOUND')
    expect(company.takes('get_job', { job_id: 'J-1' })).toBe(false)
    expect(company.takes('get_job', {})).toBe(false)
  })
})

describe('the schedule', () => {
  const schedule = (input: Row): Promise<Row[]> => company.rows('get_schedule', 'days', input)

  test('has every job of each day but canceled ones, for everybody who is on it', async () => {
    const days = await schedule({ from: dayFromNow(5), to: dayFromNow(7) })
    expect(values(days, 'date')).toEqual([dayFromNow(5), dayFromNow(6), dayFromNow(7)])
    const listed = await everyJob(company, { from: dayFromNow(5), to: dayFromNow(7) })
    for (const day of days) {
      const shown = children(day, 'techs').flatMap((tech) =>
        children(tech, 'jobs').map(({ job_id, start, job_type: type }) => [job_id, start, type, tech['name']]),
      )
      const wanted = listed
        .filter((row) => row['status'] !== 'Canceled' && String(row['scheduled_start']).startsWith(String(day['date'])))
        .flatMap((row) =>
          (row['techs'] as string[]).map((name) => [row['job_id'], row['scheduled_start'], row['job_type'], name]),
        )
      const starting = shown.filter(([, start]) => String(start).startsWith(String(day['date'])))
      expect(starting.map(String).toSorted()).toEqual(wanted.map(String).toSorted())
      expect(wanted.length).toBeGreaterThan(0)
    }
  })

  test('is of one day when only from is given, of the people asked for, and of 31 days at most', async () => {
    const [day, ...others] = await schedule({ from: dayFromNow(3) })
    expect(others).toEqual([])
    expect(children(day, 'techs')).toHaveLength(10)
    const [few] = await schedule({ from: dayFromNow(3), tech_ids: [kwabena, afua] })
    expect(few?.['techs']).toEqual(
      children(day, 'techs').filter(({ tech_id }) => tech_id === afua || tech_id === kwabena),
    )
    expect(await schedule({ from: dayFromNow(0), to: dayFromNow(30), tech_ids: [afua] })).toHaveLength(31)
    const beyond = { from: dayFromNow(0), to: dayFromNow(31) }
    expect(await company.refused('get_schedule', beyond)).toBe('TOO_MANY_DAYS')
    expect(await company.refused('get_schedule', { from: dayFromNow(0), tech_ids: ['x'] })).toBe('CREW_UNKNOWN')
    expect(await company.refused('get_schedule', { from: dayFromNow(1), to: dayFromNow(0) })).toBe('DAYS_BACKWARDS')
    expect(company.takes('get_schedule', {})).toBe(false)
    expect(company.takes('get_schedule', { from: dayFromNow(0), tech_ids: [] })).toBe(false)
  })

  test('shows time off that is to come, with its reason if it has one, and none that is over', async () => {
    const offOf = async (from: number, to: number): Promise<Row[]> =>
      (await schedule({ from: dayFromNow(from), to: dayFromNow(to) })).flatMap((day) =>
        children(day, 'techs').flatMap((tech) => children(tech, 'time_off')),
      )
    const coming = await offOf(0, 30)
    expect(coming.length).toBeGreaterThan(10)
    expect(coming.every(({ start, end }) => Date.parse(String(start)) < Date.parse(String(end)))).toBe(true)
    expect(new Set(values(coming, 'reason'))).toContain('Holiday')
    expect(values(coming, 'reason')).toContain('')
    expect(values(coming, 'reason')).not.toContain(null)
    expect(await offOf(-30, -10)).toEqual([])
  })
})

describe('other accounts', () => {
  const dayIn = (zone: string, moment: unknown): string =>
    new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(new Date(String(moment)))

  test('are counted in days of their own clocks', async () => {
    const zone = 'America/New_York'
    const around = await everyJob(company, {}, 'stranger')
    const day = dayIn(
      zone,
      around.find(({ scheduled_start }) => dayIn(zone, scheduled_start) !== String(scheduled_start).slice(0, 10))?.[
        'scheduled_start'
      ],
    )
    const those = await everyJob(company, { from: day, to: day }, 'stranger')
    expect(those).toEqual(around.filter(({ scheduled_start }) => dayIn(zone, scheduled_start) === day))
    expect(new Set(those.map(({ scheduled_start }) => String(scheduled_start).slice(0, 10))).size).toBe(2)
    const leads = await company.every('list_leads', 'leads', { limit: 100 }, undefined, 'stranger')
    const since = dayIn(zone, leads[20]?.['created_at'])
    const recent = await company.every('list_leads', 'leads', { limit: 100, since }, undefined, 'stranger')
    expect(recent).toEqual(leads.filter(({ created_at }) => dayIn(zone, created_at) >= since))
  })

  test('write amounts with the decimals of their currency', async () => {
    const totals = async (user: string): Promise<unknown[]> =>
      values(await everyJob(company, { limit: 50 }, user), 'total')
    expect((await totals('narrow')).every((total) => /^\d+\.\d{3}$/.test(String(total)))).toBe(true)
    expect((await totals('poor')).every((total) => /^\d+$/.test(String(total)))).toBe(true)
  })

  test('see nothing of the first', async () => {
    for (const { name, key, id } of lists) {
      const input = name === 'list_jobs' ? always : { limit: 100 }
      const mine = values(await company.every(name, key, input), id)
      const theirs = values(await company.every(name, key, input, undefined, 'stranger'), id)
      expect(theirs.length).toBeGreaterThan(50)
      expect(theirs.filter((one) => mine.includes(one))).toEqual([])
    }
    expect(
      values(await company.rows('list_clients', 'clients', { limit: 100 }, 'stranger'), 'client_id'),
    ).not.toContain(amelie)
    expect(await company.refused('get_job', { job_id: unbilled }, 'stranger')).toBe('JOB_NOT_FOUND')
    expect(await company.refused('list_jobs', { tech_id: afua }, 'stranger')).toBe('CREW_UNKNOWN')
  })

  test('may do what their role permits', async () => {
    expect(await company.refused('list_invoices', {}, 'poor')).toBe('ROLE_FORBIDS')
    expect(await company.refused('list_leads', {}, 'two_accounts')).toBe('ROLE_FORBIDS')
    expect(await company.refused('list_clients', {}, 'revoked')).toBe('ROLE_FORBIDS')
    const own = await everyJob(company, {}, 'revoked')
    expect(own.length).toBeGreaterThan(10)
    expect(own.every((row) => (row['techs'] as string[]).includes('Maya Gurung'))).toBe(true)
  })
})
