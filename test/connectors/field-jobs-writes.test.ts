import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { AppCaller, dayFromNow, values } from './app-caller.ts'
import type { Row } from './app-caller.ts'
import { afua, always, amelie, at, children, everyJob, kwabena, windowOn } from './field-jobs-company.ts'

let company: AppCaller
beforeAll(async () => {
  company = await AppCaller.open('field-jobs')
})
beforeEach(() => company.sandbox.reset())
afterAll(() => company.sandbox.close())

const job_type = 'Leak repair'
const actions = async (): Promise<string[]> => (await company.control.effects()).map(({ action }) => action)
const someJob = async (test: (row: Row) => boolean): Promise<Row> => (await everyJob(company)).find(test) ?? {}
const isOpen = ({ status, scheduled_start, techs }: Row): boolean =>
  status === 'Submitted' && String(scheduled_start) > dayFromNow(2) && String(techs) === 'Afua Müller'
const found = async (query: string): Promise<Row[]> => company.rows('list_clients', 'clients', { query })

describe('a job is created', () => {
  test('for a client, with all there is to say, and shows in the list, the schedule and of the client', async () => {
    const window = { start: `${dayFromNow(40)}T09:00:00+02:00`, end: `${dayFromNow(40)}T12:30:00+02:00` }
    const notes = ' Key & <b>dog</b>\r\n"3rd" floor 🔑 مفتاح'
    const made = await company.call('create_job', {
      client_id: amelie,
      job_type: 'GUTTER & roof',
      window,
      address: 'Elsewhere 5',
      notes,
      tech_ids: [kwabena, afua],
      items: [{ name: 'Labour', quantity: 1.25 }, { name: 'Thermostat “Éco”' }],
    })
    expect(made).toMatchObject({
      status: 'Submitted',
      job_type: 'Gutter & roof',
      client: { client_id: amelie, name: 'Amélie Groß', phone: '+233 23 995 1045' },
      address: 'Elsewhere 5',
      window: { start: at(40, '07:00'), end: at(40, '10:30') },
      notes,
      items: [
        { name: 'Labour', quantity: 1.25, price: '89.50' },
        { name: 'Thermostat “Éco”', quantity: 1, price: '124.99' },
      ],
      total: '236.87',
      amount_due: '236.87',
      payments: [],
    })
    const { job_id } = made
    expect(await company.call('get_job', { job_id })).toEqual(made)
    const [listed] = await company.rows('list_jobs', 'jobs', { from: dayFromNow(40), to: dayFromNow(40) })
    expect(listed).toMatchObject({ job_id, techs: ['Afua Müller', 'Kwabena Ọ̀ṣọ́'], total: '236.87' })
    const [day] = await company.rows('get_schedule', 'days', { from: dayFromNow(40), tech_ids: [afua] })
    expect(children(children(day, 'techs')[0], 'jobs')).toEqual([
      { job_id, start: at(40, '07:00'), end: at(40, '10:30'), job_type: 'Gutter & roof' },
    ])
    expect((await found('ameliegro.46@'))[0]).toMatchObject({ jobs: 4 })
    expect(await actions()).toEqual(['job.add'])
  })

  test('for a new client, who is a client from then on', async () => {
    const client = { name: 'ריבה Ñandú', phone: '+233 20 777', email: 'new@post.example', address: 'Here 1' }
    const made = await company.call('create_job', { client, job_type, window: windowOn(30) })
    const { name, phone, address } = client
    expect(made).toMatchObject({ client: { name, phone }, address, notes: '', items: [], total: '0.00' })
    const [added, ...others] = await found('NEW@post.example')
    expect(added).toMatchObject({ ...client, jobs: 1, balance_due: '0.00' })
    expect(others).toEqual([])
    const again = { client: { ...client, email: 'New@Post.Example' }, job_type, window: windowOn(31) }
    expect(await company.refused('create_job', again)).toBe('CUSTOMER_EXISTS')
    const bare = await company.call('create_job', { client: { name: 'Nobody' }, job_type, window: windowOn(31) })
    expect(bare).toMatchObject({ client: { phone: null }, address: null })
    expect(await actions()).toEqual(['job.add', 'job.add'])
  })

  test('with parts of a second in its times, which are cut off', async () => {
    const window = { start: `${dayFromNow(30)}T09:00:00.999999Z`, end: `${dayFromNow(30)}T12:00:00.001+02:00` }
    const made = await company.call('create_job', { client_id: amelie, job_type, window })
    expect(made).toMatchObject({ window: { start: at(30, '09:00'), end: at(30, '10:00') } })
  })

  test.each<[string, Row]>([
    ['KIND_UNKNOWN', { job_type: 'Massage' }],
    ['ENTRY_UNKNOWN', { items: [{ name: 'Gold' }] }],
    ['QTY_INVALID', { items: [{ name: 'Labour', quantity: 0.125 }] }],
    ['CUSTOMER_UNKNOWN', { client_id: 'x' }],
    ['MAIL_INVALID', { client_id: undefined, client: { name: 'A', email: 'nobody' } }],
    ['MOBILE_INVALID', { client_id: undefined, client: { name: 'A', phone: 'call me' } }],
    ['CREW_UNKNOWN', { tech_ids: [amelie] }],
    ['TIME_PASSED', { window: windowOn(-1) }],
    ['TIME_TOO_FAR', { window: windowOn(740) }],
    ['WINDOW_TOO_SHORT', { window: { start: at(30, '09:00'), end: at(30, '09:04') } }],
    ['WINDOW_TOO_LONG', { window: { start: at(30, '09:00'), end: at(37, '09:01') } }],
  ])('but %s is refused for %j', async (code, change) => {
    const input = { client_id: amelie, job_type, window: windowOn(30), ...change }
    expect(await company.refused('create_job', JSON.parse(JSON.stringify(input)))).toBe(code)
    expect(await actions()).toEqual([])
  })

  test('but is not taken with a window to a second 60', () => {
    const window = (second: string) => ({ start: at(30, '09:00'), end: `${dayFromNow(30)}T23:59:${second}Z` })
    const takes = (second: string) =>
      company.takes('create_job', { client_id: amelie, job_type, window: window(second) })
    expect(['59', '60'].map(takes)).toEqual([true, false])
  })
})

describe('a job is changed', () => {
  test.each(['Submitted', 'In progress', 'Waiting for parts'])('while it is %s', async (status) => {
    const staff = (await company.rows('get_schedule', 'days', { from: dayFromNow(0) })).flatMap((day) =>
      children(day, 'techs'),
    )
    const { job_id, techs } = await someJob(
      (row) =>
        row['status'] === status && /^[^,]+$/.test(String(row['techs'])) && String(row['techs']) !== 'Kwabena Ọ̀ṣọ́',
    )
    const before = await company.call('get_job', { job_id })
    const moved = await company.call('reschedule_job', { job_id, window: windowOn(36) })
    expect(moved).toEqual({ ...before, window: windowOn(36) })
    expect(await company.call('get_job', { job_id })).toEqual(moved)
    expect(await company.refused('reschedule_job', { job_id, window: windowOn(36) })).toBe('WINDOW_SAME')
    const unassign = values(
      staff.filter(({ name }) => name === String(techs)),
      'tech_id',
    )
    const swapped = await company.call('assign_job', { job_id, assign: [kwabena], unassign })
    expect(swapped).toEqual({ job_id, techs: [{ tech_id: kwabena, name: 'Kwabena Ọ̀ṣọ́' }] })
    const [row] = await company.rows('list_jobs', 'jobs', { ...always, from: dayFromNow(36) })
    expect(row).toMatchObject({ job_id, status, techs: ['Kwabena Ọ̀ṣọ́'] })
    expect(await actions()).toEqual(['job.move', 'job.crew'])
  })

  test.each([
    ['Done', 'JOB_FINISHED'],
    ['Canceled', 'JOB_CALLED_OFF'],
  ])('but not when it is %s', async (status, code) => {
    const { job_id } = await someJob((row) => row['status'] === status)
    expect(await company.refused('reschedule_job', { job_id, window: windowOn(33) })).toBe(code)
    expect(await company.refused('assign_job', { job_id, assign: [afua] })).toBe(code)
    expect(await actions()).toEqual([])
  })

  test('by putting people on who are not on it, and taking off who are', async () => {
    const { job_id } = await someJob(isOpen)
    const both = await company.call('assign_job', { job_id, assign: [kwabena] })
    expect(values(children(both, 'techs'), 'tech_id')).toEqual([afua, kwabena])
    const input = { job_id, assign: [kwabena] }
    expect(await company.refused('assign_job', input)).toBe('CREW_ALREADY_ON')
    const nobody = await company.call('assign_job', { job_id, unassign: [afua, kwabena] })
    expect(nobody).toEqual({ job_id, techs: [] })
    expect(await company.refused('assign_job', { job_id, unassign: [afua] })).toBe('CREW_NOT_ON')
    expect(company.takes('assign_job', { job_id })).toBe(false)
    expect(await company.refused('assign_job', { job_id, assign: ['x'] })).toBe('CREW_UNKNOWN')
    expect(await company.refused('assign_job', { job_id: amelie, assign: [afua] })).toBe('JOB_NOT_FOUND')
    expect(await company.refused('reschedule_job', { job_id: amelie, window: windowOn(33) })).toBe('JOB_NOT_FOUND')
    expect(await company.refused('reschedule_job', { job_id, window: windowOn(-1) })).toBe('TIME_PASSED')
    expect(await actions()).toEqual(['job.crew', 'job.crew'])
  })

  test('never onto somebody who has time off then', async () => {
    const { job_id } = await someJob(isOpen)
    const days = await company.rows('get_schedule', 'days', { from: dayFromNow(5), to: dayFromNow(30) })
    const tech = days.flatMap((day) => children(day, 'techs')).find((one) => children(one, 'time_off').length > 0)
    const { start } = children(tech, 'time_off')[0] ?? {}
    const end = new Date(Date.parse(String(start)) + 3_600_000).toISOString()
    const window = { start, end }
    await company.call('reschedule_job', { job_id, window })
    const tech_ids = [tech?.['tech_id']]
    expect(await company.refused('assign_job', { job_id, assign: tech_ids })).toBe('CREW_OFF')
    expect(await company.refused('create_job', { client_id: amelie, job_type, window, tech_ids })).toBe('CREW_OFF')
    expect(await actions()).toEqual(['job.move'])
  })
})

describe('an estimate', () => {
  const items = [{ name: 'Call-out' }, { name: 'Kupferrohr 15 mm', quantity: 2.75 }]

  test('is drafted unsent, listed first, and sent once by email', async () => {
    const draft = await company.call('create_estimate', { client_id: amelie, items, notes: 'Ours' })
    const { estimate_id } = draft
    const row = { estimate_id, client: 'Amélie Groß', total: '96.05', status: 'draft', sent_at: null }
    expect(draft).toEqual({
      ...row,
      items: [
        { name: 'Call-out', quantity: 1, price: '65.00' },
        { name: 'Kupferrohr 15 mm', quantity: 2.75, price: '11.29' },
      ],
    })
    expect((await company.rows('list_estimates', 'estimates', { status: 'draft' }))[0]).toEqual(row)
    const sent = await company.call('send_estimate', { estimate_id })
    const sent_at = expect.stringMatching(new RegExp(`^${dayFromNow(0)}T.*Z$`))
    const told = { sent_via: 'email', sent_to: 'ameliegro.46@post.example' }
    expect(sent).toEqual({ ...row, status: 'sent', sent_at, ...told })
    expect((await company.rows('list_estimates', 'estimates', { since: dayFromNow(0) }))[0]).toEqual({
      ...row,
      status: 'sent',
      sent_at: sent['sent_at'],
    })
    expect(await company.refused('send_estimate', { estimate_id })).toBe('ESTIMATE_NOT_DRAFT')
    expect(await actions()).toEqual(['estimate.add', 'estimate.send'])
  })

  test('is sent by text when asked for, or where there is no email address, and to nobody without either', async () => {
    const clients = await company.rows('list_clients', 'clients', { limit: 100 })
    const draftFor = async (of: (client: Row) => boolean): Promise<[Row, unknown]> => {
      const client = clients.find(of) ?? {}
      const { estimate_id } = await company.call('create_estimate', { client_id: client['client_id'], items })
      return [client, estimate_id]
    }
    const [both, asked] = await draftFor(({ email, phone }) => email !== null && phone !== null)
    const byText = await company.call('send_estimate', { estimate_id: asked, via: 'text' })
    expect(byText).toMatchObject({ sent_via: 'text', sent_to: both['phone'] })
    const [phone, only] = await draftFor((client) => client['email'] === null && client['phone'] !== null)
    expect(await company.refused('send_estimate', { estimate_id: only, via: 'email' })).toBe('NO_ADDRESS')
    expect(await company.call('send_estimate', { estimate_id: only })).toMatchObject({ sent_to: phone['phone'] })
    const [, unreachable] = await draftFor((client) => client['email'] === null && client['phone'] === null)
    expect(await company.refused('send_estimate', { estimate_id: unreachable })).toBe('NO_ADDRESS')
  })

  test.each(['sent', 'approved', 'declined'])('that is %s is not sent again', async (status) => {
    const [row] = await company.rows('list_estimates', 'estimates', { status, limit: 1 })
    const { estimate_id } = row ?? {}
    expect(await company.refused('send_estimate', { estimate_id })).toBe('ESTIMATE_NOT_DRAFT')
    expect(await actions()).toEqual([])
  })

  test('needs a client and items that the company has', async () => {
    expect(await company.refused('create_estimate', { client_id: 'x', items })).toBe('CUSTOMER_UNKNOWN')
    expect(await company.refused('create_estimate', { client_id: amelie, items: [{ name: 'Gold' }] })).toBe(
      'ENTRY_UNKNOWN',
    )
    expect(await company.refused('send_estimate', { estimate_id: 'x' })).toBe('ESTIMATE_NOT_FOUND')
    const drafted = (await company.rows('list_estimates', 'estimates', { status: 'draft' }))[0]
    const { estimate_id } = drafted ?? {}
    expect(await company.refused('send_estimate', { estimate_id }, 'stranger')).toBe('ESTIMATE_NOT_FOUND')
    expect(await company.refused('create_estimate', { client_id: amelie, items }, 'stranger')).toBe('CUSTOMER_UNKNOWN')
    expect(await actions()).toEqual([])
  })
})
