import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { AppCaller, dayFromNow } from './app-caller.ts'
import type { Row } from './app-caller.ts'
import { amelie, at, cents, everyJob, windowOn } from './field-jobs-company.ts'

let company: AppCaller
beforeAll(async () => {
  company = await AppCaller.open('field-jobs')
})
beforeEach(() => company.sandbox.reset())
afterAll(() => company.sandbox.close())

const job_type = 'Leak repair'
const actions = async (): Promise<string[]> => (await company.control.effects()).map(({ action }) => action)

describe('an invoice', () => {
  const isBillable = ({ status, total }: Row): boolean => status === 'Submitted' && total !== '0.00'
  const planned = (test: (row: Row) => boolean): Promise<Row> =>
    everyJob(company, { from: dayFromNow(3) }).then((rows) => rows.find(test) ?? {})

  test('is created for a job with its items and total, due in 14 days, and sent once', async () => {
    const { job_id, total } = await planned(isBillable)
    const made = await company.call('create_invoice', { job_id })
    const { invoice_id, client } = made
    const due_date = dayFromNow(14)
    const row = { invoice_id, job_id, client, total, amount_due: total, due_date, status: 'unpaid' }
    const { items } = await company.call('get_job', { job_id })
    expect(made).toEqual({ ...row, items })
    expect((await company.rows('list_invoices', 'invoices', {}))[0]).toEqual(row)
    expect(await company.refused('create_invoice', { job_id })).toBe('JOB_BILLED')
    const sent = await company.call('send_invoice', { invoice_id })
    const told = { sent_at: expect.stringMatching(/Z$/), sent_via: expect.stringMatching(/^(email|text)$/) }
    expect(sent).toEqual({ ...row, ...told, sent_to: expect.stringMatching(/./) })
    expect(await company.refused('send_invoice', { invoice_id })).toBe('BILL_SENT')
    expect(await actions()).toEqual(['bill.add', 'bill.send'])
  })

  test('is due when it is said to be, but not in the past', async () => {
    const { job_id } = await planned(isBillable)
    expect(await company.refused('create_invoice', { job_id, due_date: dayFromNow(-1) })).toBe('DUE_PASSED')
    const made = await company.call('create_invoice', { job_id, due_date: dayFromNow(0) })
    expect(made).toMatchObject({ due_date: dayFromNow(0) })
    const { invoice_id } = made
    const asked = await company.refused('send_invoice', { invoice_id, via: 'text' }, 'stranger')
    expect(asked).toBe('BILL_NOT_FOUND')
  })

  test('is for no job that is canceled, without items, or not there', async () => {
    const canceled = await planned(({ status }) => status === 'Canceled')
    const free = await planned(({ status, total }) => status === 'Submitted' && total === '0.00')
    for (const [job_id, code] of [
      [canceled['job_id'], 'JOB_CALLED_OFF'],
      [free['job_id'], 'NOTHING_TO_BILL'],
      [amelie, 'JOB_UNKNOWN'],
    ])
      expect(await company.refused('create_invoice', { job_id })).toBe(code)
    const { job_id } = await planned(isBillable)
    expect(await company.refused('create_invoice', { job_id }, 'stranger')).toBe('JOB_UNKNOWN')
    expect(await company.refused('create_invoice', { job_id }, 'poor')).toBe('ROLE_FORBIDS')
    expect(await actions()).toEqual([])
  })

  test('is paid in parts, for the invoice or its job, until nothing is due', async () => {
    const { job_id, total } = await planned((row) => isBillable(row) && cents(row['total']) > 1000)
    const { invoice_id } = await company.call('create_invoice', { job_id })
    const listed = async (status: string): Promise<Row | undefined> =>
      (await company.rows('list_invoices', 'invoices', { status, since: dayFromNow(0) }))[0]
    const received_at = at(-2, '08:15')
    const reference = 'Nº 7 & <x>'
    const first = await company.call('record_payment', {
      invoice_id,
      amount: '2.5',
      method: 'bank_transfer',
      reference,
      received_at,
    })
    const rest = ((cents(total) - 250) / 100).toFixed(2)
    const { payment_id } = first
    const payment = { payment_id, amount: '2.50', method: 'bank_transfer', reference, received_at }
    expect(first).toEqual({ ...payment, currency: 'GHS', job_id, invoice_id, amount_due: rest })
    expect(await listed('partially_paid')).toMatchObject({ invoice_id, total, amount_due: rest })
    const job = await company.call('get_job', { job_id })
    expect(job).toMatchObject({ amount_due: rest, payments: [payment] })

    const tooMuch = { job_id, amount: ((cents(rest) + 1) / 100).toFixed(2), method: 'cash' }
    expect(await company.refused('record_payment', tooMuch)).toBe('AMOUNT_TOO_HIGH')
    const last = await company.call('record_payment', { job_id, amount: rest, method: 'card' })
    expect(last).toMatchObject({ invoice_id, reference: null, amount_due: '0.00' })
    expect(await listed('paid')).toMatchObject({ invoice_id, amount_due: '0.00' })
    expect(await company.refused('record_payment', { job_id, amount: '0.01', method: 'cash' })).toBe('NOTHING_OWING')
    expect(await company.refused('send_invoice', { invoice_id })).toBe('BILL_SETTLED')
    expect(await actions()).toEqual(['bill.add', 'receipt.add', 'receipt.add'])
  })
})

describe('a payment', () => {
  const job_id = 'bd15d4d7-ba9b-4cf7-90e9-d2ac10f11b30'

  test.each(['cash', 'check', 'bank_transfer', 'card', 'other'])('by %s is recorded as such', async (method) => {
    const made = await company.call('record_payment', { job_id, amount: '1', method })
    expect(made).toMatchObject({ method, amount: '1.00', invoice_id: null })
    expect(await company.call('get_job', { job_id })).toMatchObject({ payments: [{ method }] })
  })

  test('may have come in just now', async () => {
    const input = { job_id, amount: '1', method: 'cash', received_at: new Date().toISOString().replace('Z', '999Z') }
    const { received_at } = await company.call('record_payment', input)
    expect(received_at).toBe(`${input.received_at.slice(0, 19)}Z`)
  })

  test('has as many decimals as the currency, never rounded', async () => {
    for (const [user, wrong, good, shown] of [
      ['narrow', '1.2345', '1.234', '1.234'],
      ['demo', '1.234', '1.230', '1.23'],
    ]) {
      const jobs = await everyJob(company, {}, user)
      const owing = jobs.find(({ status, amount_due }) => status === 'Done' && cents(amount_due) > 5000)?.['job_id']
      const input = { job_id: owing, method: 'cash' }
      expect(await company.refused('record_payment', { ...input, amount: wrong }, user)).toBe('AMOUNT_INVALID')
      expect(await company.call('record_payment', { ...input, amount: good }, user)).toMatchObject({ amount: shown })
    }
    expect(await actions()).toEqual(['receipt.add', 'receipt.add'])
  })

  test.each<[string, Row]>([
    ['BILL_UNKNOWN', { job_id: undefined, invoice_id: 'x' }],
    ['JOB_UNKNOWN', { job_id: amelie }],
    ['AMOUNT_INVALID', { amount: '0.00' }],
    ['TIME_AHEAD', { received_at: at(1, '00:00') }],
  ])('%s is refused for %j', async (code, change) => {
    const input = { job_id, amount: '1.00', method: 'cash', ...change }
    expect(await company.refused('record_payment', JSON.parse(JSON.stringify(input)))).toBe(code)
    expect(await actions()).toEqual([])
  })

  test('is not taken as received at a second 60', () => {
    const input = { job_id, amount: '1.00', method: 'cash' }
    const takes = (second: string) =>
      company.takes('record_payment', { ...input, received_at: `${dayFromNow(-1)}T23:59:${second}Z` })
    expect(['59', '60'].map(takes)).toEqual([true, false])
  })
})

test('each input of a write is taken within its bounds only', () => {
  const window = windowOn(5)
  const item = { name: 'Labour' }
  const good: Readonly<Record<string, Row>> = {
    create_job: { client_id: 'c', job_type, window },
    reschedule_job: { job_id: amelie, window },
    assign_job: { job_id: amelie, assign: ['t'] },
    create_estimate: { client_id: 'c', items: [item] },
    send_estimate: { estimate_id: 'e' },
    create_invoice: { job_id: amelie },
    send_invoice: { invoice_id: 'i' },
    record_payment: { job_id: amelie, amount: '1', method: 'cash' },
  }
  for (const [name, input] of Object.entries(good)) {
    expect(company.takes(name, input), name).toBe(true)
    expect(company.takes(name, { ...input, surprise: 1 }), name).toBe(false)
    for (const missing of Object.keys(input)) {
      const { [missing]: _, ...rest } = input
      expect(company.takes(name, rest), `${name} without ${missing}`).toBe(false)
    }
  }
  const twenty = Array.from({ length: 20 }, (_, index) => `tech ${index}`)
  const fifty = Array.from({ length: 50 }, () => item)
  // Instead of the one that exists: of the two only one may be given.
  const newClient = (client: Row): Row => ({ client_id: undefined, client })
  const bounds: [string, Row, Row][] = [
    ['create_job', { notes: 'x'.repeat(4000) }, { notes: 'x'.repeat(4001) }],
    ['create_job', { address: 'x'.repeat(300) }, { address: 'x'.repeat(301) }],
    ['create_job', newClient({ name: 'x'.repeat(120) }), newClient({ name: 'x'.repeat(121) })],
    ['create_job', newClient({ name: 'x', phone: '1'.repeat(40) }), newClient({ name: 'x', phone: '1'.repeat(41) })],
    ['create_job', { tech_ids: twenty }, { tech_ids: [...twenty, 'one more'] }],
    ['create_job', { tech_ids: ['a', 'b'] }, { tech_ids: ['a', 'a'] }],
    ['create_job', { items: fifty }, { items: [...fifty, item] }],
    ['create_job', { items: [{ ...item, quantity: 9999 }] }, { items: [{ ...item, quantity: 10_000 }] }],
    ['create_job', { items: [{ ...item, quantity: 0.01 }] }, { items: [{ ...item, quantity: 0 }] }],
    ['create_job', { window }, { window: { start: window['start'] } }],
    ['reschedule_job', { window }, { window: { start: '2030-01-01', end: '2030-01-02' } }],
    ['assign_job', { assign: twenty }, { assign: [...twenty, 'one more'] }],
    ['assign_job', { unassign: ['a'] }, { unassign: [] }],
    ['create_estimate', { items: fifty }, { items: [] }],
    ['create_estimate', { notes: 'x'.repeat(4000) }, { notes: 'x'.repeat(4001) }],
    ['send_estimate', { via: 'email' }, { via: 'mail' }],
    ['send_invoice', { via: 'text' }, { via: 'push' }],
    ['create_invoice', { due_date: '2030-02-28' }, { due_date: '2030-02-30' }],
    ['record_payment', { amount: '0.001' }, { amount: '-1' }],
    ['record_payment', { amount: '9'.repeat(12) }, { amount: '9'.repeat(13) }],
    ['record_payment', { method: 'other' }, { method: 'online' }],
    ['record_payment', { reference: 'x'.repeat(200) }, { reference: 'x'.repeat(201) }],
    ['record_payment', { received_at: '2026-01-01T00:00:00+01:00' }, { received_at: '2026-01-01T00:00:00' }],
  ]
  const asJson = (input: Row): Row => JSON.parse(JSON.stringify(input)) as Row
  for (const [name, inside, outside] of bounds) {
    expect(company.takes(name, asJson({ ...good[name], ...inside })), `${name} ${JSON.stringify(inside)}`).toBe(true)
    expect(company.takes(name, asJson({ ...good[name], ...outside })), `${name} ${JSON.stringify(outside)}`).toBe(false)
  }
})
