import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { AppCaller, Row } from './app-caller.ts'
import {
  allPages,
  berlinDay,
  invoicesOf,
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

const jobOf = (job_number: unknown): Promise<Row> => firm.call('get_job', { job_number })
const effects = async (): Promise<number> => (await firm.control.effects()).length

describe('an estimate', () => {
  test.each(['new', 'won', 'lost'])('is sent in the stage %s, which stays, and sent again', async (stage) => {
    const job_number = await opportunity(firm, stage)
    const longest = `${'Zoë, '.repeat(398)}in full.💧`
    for (const message of [undefined, 'As we talked about.', longest])
      expect(await firm.call('send_estimate', { job_number, message })).toEqual({ job_number, estimate_sent: true })
    const listed = need(await allPages(firm, opportunitiesOf, { stage }), (one) => one['job_number'] === job_number)
    expect(listed['estimate_sent']).toBe(true)
    const done = await firm.control.effects()
    expect(done.map(({ body }) => (body as Row)['message'])).toEqual(['', 'As we talked about.', longest])
  })

  test('is not sent to a customer without an address, nor for a job', async () => {
    expect(await firm.refused('send_estimate', { job_number: await opportunity(firm, 'new', false) })).toBe(
      'CLIENT_WITHOUT_MAIL',
    )
    expect(await firm.refused('send_estimate', { job_number: await newJob(firm) })).toBe('NOT_A_LEAD')
    expect(await effects()).toBe(1)
  })
})

describe('an invoice', () => {
  const balanceOf = async (job_number: string, tab: string): Promise<unknown> =>
    (await allPages(firm, invoicesOf, { tab })).find((one) => one['job_number'] === job_number)?.['balance_remaining']

  test('is created from the charges, sent once, then paid, and each only in its turn', async () => {
    const job_number = await newJob(firm)
    const pay = { job_number, method: 'check' }
    expect(await firm.refused('generate_invoice', { job_number })).toBe('NOTHING_TO_BILL')
    await firm.call('add_charge', { job_number, name: 'Work', unit_price: '68.50', quantity: 3 })
    expect(await firm.refused('send_invoice', { job_number })).toBe('NO_BILL')
    expect(await firm.refused('record_payment', pay)).toBe('NO_BILL')

    const made = await firm.call('generate_invoice', { job_number })
    const { invoice_number } = made
    const money = { total: '205.50', balance_remaining: '205.50', currency: 'EUR' }
    expect(made).toEqual({ job_number, invoice_number, ...money, sent: false })
    expect(await firm.refused('generate_invoice', { job_number })).toBe('BILL_EXISTS')
    const unsent = {
      invoice_number,
      created_on: berlinDay(),
      status: 'unpaid',
      ...money,
      sent_at: null,
      viewed_at: null,
    }
    expect((await jobOf(job_number))['invoice']).toEqual({ ...unsent, url: null, payments: [] })

    const message = `${'Thank you. '.repeat(181)}Yours, Jö`
    expect(await firm.call('send_invoice', { job_number, message })).toEqual({ job_number, sent: true })
    expect((await firm.control.effects()).at(-1)?.body).toMatchObject({ message })
    expect(await firm.refused('send_invoice', { job_number })).toBe('BILL_ALREADY_MAILED')
    const sent = (await jobOf(job_number))['invoice'] as Row
    expect(Math.abs(Date.parse(String(sent['sent_at'])) - Date.now())).toBeLessThan(120_000)
    expect((await fetch(String(sent['url']), { method: 'POST' })).status).toBe(200)
    expect((await jobOf(job_number))['invoice']).toMatchObject({ viewed_at: expect.stringMatching(/Z$/) })

    await firm.call('add_charge', { job_number, name: 'Filter', unit_price: '4.50' })
    expect(await balanceOf(job_number, 'unpaid')).toBe('210.00')
    const paid = await firm.call('record_payment', {
      ...pay,
      reference: '004711',
      notes: 'Thanks',
      paid_on: '2024-02-29',
    })
    const { payment_id } = paid
    expect(paid).toEqual({ job_number, payment_id, status: 'paid' })
    expect((await jobOf(job_number))['invoice']).toMatchObject({
      status: 'paid',
      total: '210.00',
      balance_remaining: '0.00',
      payments: [
        { payment_id, method: 'check', amount: '210.00', paid_on: '2024-02-29', reference: '004711', notes: 'Thanks' },
      ],
    })
    expect([await balanceOf(job_number, 'paid'), await balanceOf(job_number, 'unpaid')]).toEqual(['0.00', undefined])
    expect(await firm.refused('record_payment', pay)).toBe('BILL_SETTLED')
    expect(await firm.refused('add_charge', { job_number, name: 'More', unit_price: '1' })).toBe('BILL_SETTLED')
    expect(await effects()).toBe(7)
  })

  test.each(['check', 'cash', 'other'])(
    'that was not sent is paid by %s, today unless told otherwise',
    async (method) => {
      const job_number = await newJob(firm)
      await firm.call('add_charge', { job_number, name: 'Work', unit_price: '1250' })
      await firm.call('generate_invoice', { job_number })
      for (const [more, code] of [
        [{ amount: '1249.99' }, 'AMOUNT_NOT_DUE'],
        [{ amount: '1250.01' }, 'AMOUNT_NOT_DUE'],
        [{ paid_on: berlinDay(2) }, 'DAY_IN_FUTURE'],
      ] as const)
        expect(await firm.refused('record_payment', { job_number, method, ...more })).toBe(code)
      await firm.call('record_payment', { job_number, method, amount: '1250.0' })
      const payment = { method, amount: '1250.00', paid_on: berlinDay(), reference: null, notes: '' }
      expect((await jobOf(job_number))['invoice']).toMatchObject({ status: 'paid', sent_at: null, payments: [payment] })
      expect(await firm.refused('send_invoice', { job_number })).toBe('BILL_SETTLED')
    },
  )

  test('of which a part was paid online is settled with what is left', async () => {
    const partly = need(await allPages(firm, invoicesOf), (one) => one['balance_remaining'] !== one['total'])
    const { job_number, balance_remaining } = partly
    await firm.call('record_payment', { job_number, method: 'cash' })
    const { payments, status } = (await jobOf(job_number))['invoice'] as Row
    expect(status).toBe('paid')
    expect(payments).toMatchObject([{ method: 'card' }, { method: 'cash', amount: balance_remaining }])
  })

  test('is not sent to a customer without an address', async () => {
    const { customer_number: silent } = await firm.call('create_customer', { name: 'Silent' })
    const job_number = await newJob(firm, { customer_number: silent })
    await firm.call('add_charge', { job_number, name: 'Work', unit_price: '1' })
    await firm.call('generate_invoice', { job_number })
    expect(await firm.refused('send_invoice', { job_number })).toBe('CLIENT_WITHOUT_MAIL')
    expect((await jobOf(job_number))['invoice']).toMatchObject({ sent_at: null })
  })

  test('is nothing that an opportunity has, or a dispatcher may touch, or another firm finds', async () => {
    const lead = await opportunity(firm, 'won')
    const { job_number: theirs } = need(await firm.rows(...jobsOf, { status: 'unscheduled' }, 'revoked'))
    for (const [name, more] of [
      ['generate_invoice', {}],
      ['send_invoice', {}],
      ['record_payment', { method: 'cash' }],
    ] as const) {
      expect(await firm.refused(name, { job_number: lead, ...more })).toBe('NOT_A_JOB')
      expect(await firm.refused(name, { job_number: theirs, ...more }, 'revoked')).toBe('ADMIN_ONLY')
      expect(await firm.refused(name, { job_number: '1200018', ...more }, 'stranger')).toBe('ORDER_NOT_FOUND')
    }
    expect(await effects()).toBe(0)
  })
})

test('what reaches customers waits for approval, and nothing else does', () => {
  const waiting = [...firm.app.endpoints.values()].filter(({ confirm }) => confirm).map(({ name }) => name)
  expect(waiting.toSorted()).toEqual(['send_estimate', 'send_invoice'])
})
