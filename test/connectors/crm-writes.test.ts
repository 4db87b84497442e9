import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { AppCaller, dayFromNow, values } from './app-caller.ts'
import type { Row } from './app-caller.ts'
import { every } from './crm-studio.ts'

const project_id = 'RW5nYWdlbWVudDoxMDE1OQ=='
const yen_project = 'RW5nYWdlbWVudDoxMDE0Ng=='
const dinar_project = 'RW5nYWdlbWVudDoxMDE1OA=='

let studio: AppCaller
beforeAll(async () => {
  studio = await AppCaller.open('crm')
})
let before = 0
beforeEach(async () => {
  before = (await studio.control.effects()).length
})
afterAll(() => studio.sandbox.close())

/** What the app did during this test, in its own words. */
async function actions(): Promise<readonly string[]> {
  return (await studio.control.effects()).slice(before).map(({ action }) => action)
}

describe('a project', () => {
  beforeAll(() => studio.sandbox.reset())
  test('is created for a new client, as told, and nothing is sent', async () => {
    const told = { title: 'Été à Łódź 💍', category: 'job', tags: ['vip', 'عائلة'], project_date: dayFromNow(90) }
    const client = { name: 'Ana Ødegård', email: 'ana.new@mail.example', phone: '+47 1' }
    const project = await studio.call('create_project', { ...told, client, status: 'Archived', notes: 'a\nb <c>' })
    expect(project).toMatchObject({ ...told, status: 'Archived', client: { name: client.name, email: client.email } })
    const { project_id: id } = project
    expect(await studio.call('get_project', { project_id: id })).toEqual({
      ...project,
      notes: 'a\nb <c>',
      forms: [],
      invoices: [],
    })
    expect(await studio.rows('list_projects', 'projects', { limit: 1 })).toEqual([project])
    const [found] = await studio.rows('list_clients', 'clients', { query: 'ana.new@' })
    expect(found).toMatchObject({ ...client, projects: [id] })
    expect(await actions()).toEqual(['engagement.open'])
  })

  test('is created for a client that exists, a lead with the first status by default', async () => {
    const [client] = await studio.rows('list_clients', 'clients', { query: 'guest.1.13@' })
    const { client_id } = client as Row
    const project = await studio.call('create_project', { title: 'x', client_id })
    expect(project).toMatchObject({ category: 'lead', status: 'New inquiry', tags: [], project_date: null })
    const [now] = await studio.rows('list_clients', 'clients', { query: 'guest.1.13@' })
    expect(now?.['projects']).toEqual([project['project_id'], ...((client as Row)['projects'] as string[])])
  })

  test.each([
    [{ client_id: 'UGVyc29uOjk5OTk5' }, 'PERSON_NOT_FOUND'],
    [{ client_id: project_id }, 'ARGUMENT_INVALID'],
    [{ client: { name: 'x', email: 'guest.1.13@mail.example' } }, 'MAIL_TAKEN'],
    [{ client: { name: 'x', email: 'no address' } }, 'ARGUMENT_INVALID'],
    [{ client: { name: 'x' }, status: 'Nowhere' }, 'STAGE_NOT_FOUND'],
  ])('is not created with %j', async (input, code) => {
    expect(await studio.refused('create_project', { title: 'x', ...input })).toBe(code)
    expect(await actions()).toEqual([])
  })

  test.each([{}, { client_id: 'UGVyc29uOjEwMDIz', client: { name: 'x' } }])('is not taken with %j', (input) => {
    expect(studio.takes('create_project', { title: 'x', ...input })).toBe(false)
  })

  test('moves to any other status of the account, not to the one it has', async () => {
    const all = await every(studio, 'list_projects', 'projects', {}, 'poor')
    const { project_id: id, status: first } = all[0] as Row
    const move = { project_id: id, status: first }
    expect(await studio.refused('update_project_status', move, 'poor')).toBe('STAGE_UNCHANGED')
    const others = new Set(values(all, 'status'))
    others.delete(first)
    expect(others.size).toBeGreaterThan(3)
    for (const status of [...others, first]) {
      expect(await studio.call('update_project_status', { ...move, status }, 'poor')).toEqual({ ...move, status })
      expect(await studio.call('get_project', { project_id: id }, 'poor')).toMatchObject({ status })
    }
    expect((await actions()).length).toBe(others.size + 1)
    const nowhere = { ...move, status: 'Nowhere' }
    expect(await studio.refused('update_project_status', nowhere, 'poor')).toBe('STAGE_NOT_FOUND')
  })
})

describe('a form', () => {
  beforeAll(() => studio.sandbox.reset())
  test.each(['proposal', 'contract', 'questionnaire', 'sub_agreement'])(
    'is made from a %s template, unsent, and sent once',
    async (type) => {
      const [template] = await studio.rows('list_form_templates', 'templates', { type })
      const { template_id, name } = template as Row
      const form = await studio.call('apply_form_template', { template_id, project_id })
      expect(form).toMatchObject({ type, name, status: 'unsent', project_id })
      const { form_id } = form
      expect(await studio.refused('get_form_responses', { form_id })).toBe('REPLIES_NOT_READY')
      expect(await studio.rows('list_forms', 'forms', { limit: 1 })).toEqual([form])
      expect(await actions()).toHaveLength(1)
      const sent = await studio.call('send_form', { form_id, message: 'Olá!\n<b>' })
      expect(sent).toMatchObject({ form_id, status: 'sent', sent_to: 'Guest.1.23@mail.example' })
      expect(Math.abs(Date.parse(String(sent['sent_at'])) - Date.now())).toBeLessThan(60_000)
      expect(await studio.rows('list_forms', 'forms', { limit: 1, status: ['sent'] })).toEqual([
        { ...form, status: 'sent' },
      ])
      expect(await studio.refused('send_form', { form_id })).toBe('PAPER_ALREADY_SENT')
      expect(await actions()).toHaveLength(2)
      expect(JSON.stringify((await studio.control.effects()).at(-1)?.body)).toContain('Olá!')
    },
  )

  test('has a name of its own when told, and is not made from a lead form', async () => {
    const template_id = 'Qmx1ZXByaW50OjEwMDEy'
    expect(await studio.call('apply_form_template', { template_id, project_id, name: 'Ours' })).toMatchObject({
      name: 'Ours',
    })
    const [lead] = await studio.rows('list_form_templates', 'templates', { type: 'lead_capture' })
    const wrong = { template_id: lead?.['template_id'], project_id }
    expect(await studio.refused('apply_form_template', wrong)).toBe('INTAKE_NOT_COPYABLE')
    expect(await studio.refused('apply_form_template', { template_id: 'Qmx1ZXByaW50Ojk5', project_id })).toBe(
      'BLUEPRINT_NOT_FOUND',
    )
  })

  test.each(['viewed', 'action_required', 'completed'])('that is %s is not sent again', async (status) => {
    const [form] = await studio.rows('list_forms', 'forms', { status: [status], limit: 1 })
    expect(await studio.refused('send_form', { form_id: form?.['form_id'] })).toBe('PAPER_ALREADY_SENT')
    expect(await actions()).toEqual([])
  })

  test('and an invoice are not sent to a client without an address', async () => {
    const { project_id: id } = await studio.call('create_project', { title: 'x', client: { name: 'No Mail' } })
    const template_id = 'Qmx1ZXByaW50OjEwMDEy'
    const { form_id } = await studio.call('apply_form_template', { template_id, project_id: id })
    expect(await studio.refused('send_form', { form_id })).toBe('PERSON_HAS_NO_MAIL')
    const { invoice_id } = await studio.call('create_invoice', { project_id: id, packages: [{ name: 'Half day' }] })
    expect(await studio.refused('send_invoice', { invoice_id })).toBe('PERSON_HAS_NO_MAIL')
  })
})

describe('an invoice', () => {
  beforeAll(() => studio.sandbox.reset())
  test('is drafted from packages and items, sent once, and paid in parts until it is settled', async () => {
    const first = dayFromNow(10)
    const invoice = await studio.call('create_invoice', {
      project_id,
      packages: [{ name: 'Full day', quantity: 2 }],
      items: [
        { name: 'Travel', quantity: 3, price: '0.1' },
        { name: 'Discount', price: '-100' },
      ],
      payment_plan: [
        { due_date: first, amount: '1000.30' },
        { due_date: dayFromNow(40), amount: '2500' },
      ],
    })
    expect(invoice).toMatchObject({ total: '3500.30', amount_paid: '0.00', balance: '3500.30', currency: 'EUR' })
    expect(invoice).toMatchObject({ status: 'unpaid', due_date: first, sent_at: null })
    expect(await studio.rows('list_invoices', 'invoices', { limit: 1 })).toEqual([invoice])
    expect(await actions()).toEqual(['bill.draft'])

    const { invoice_id } = invoice
    const sent = await studio.call('send_invoice', { invoice_id, message: 'Danke!' })
    expect(sent).toMatchObject({ invoice_id, sent_to: 'Guest.1.23@mail.example' })
    const [after] = await studio.rows('list_invoices', 'invoices', { limit: 1 })
    expect(after).toEqual({ ...invoice, sent_at: sent['sent_at'] })
    expect(await studio.refused('send_invoice', { invoice_id })).toBe('BILL_ALREADY_SENT')

    const pay = { invoice_id, amount: '1000.30', received_on: dayFromNow(-2), method: 'check', note: 'No. 7' }
    expect(await studio.call('record_manual_payment', pay)).toMatchObject({
      invoice_id,
      amount: '1000.30',
      received_on: dayFromNow(-2),
      status: 'unpaid',
      amount_paid: '1000.30',
      balance: '2500.00',
    })
    expect(await studio.rows('list_invoices', 'invoices', { limit: 1 })).toMatchObject([{ due_date: dayFromNow(40) }])
    const rest = { invoice_id, amount: '2500.01' }
    expect(await studio.refused('record_manual_payment', rest)).toBe('MORE_THAN_OUTSTANDING')
    expect(await studio.call('record_manual_payment', { invoice_id, amount: '2500' })).toMatchObject({
      status: 'paid',
      balance: '0.00',
    })
    expect(await studio.refused('record_manual_payment', { invoice_id, amount: '1' })).toBe('BILL_SETTLED')
    const paid = await studio.rows('list_invoices', 'invoices', { limit: 1, status: 'paid' })
    expect(paid).toMatchObject([{ invoice_id, amount_paid: '3500.30' }])
    expect(await actions()).toEqual(['bill.draft', 'bill.send', 'payment.log', 'payment.log'])
  })

  test.each([
    [yen_project, 'JPY', '1250', '1250', ['500', '750'], [500, 750]],
    [dinar_project, 'KWD', '1.25', '1.250', ['0.5', '0.75'], [500, 750]],
  ])("of project %s is in the project's own currency, or not drafted at all", async (...row) => {
    const [id, currency, price, total, parts, told] = row
    const items = [{ name: 'x', price }]
    expect(await studio.refused('create_invoice', { project_id: id, items })).toBe('CURRENCY_MISMATCH')
    expect(await actions()).toEqual([])
    const invoice = await studio.call('create_invoice', { project_id: id, items, currency })
    expect(invoice).toMatchObject({ total, currency, due_date: null })
    const payment_plan = parts.map((part, index) => ({ due_date: dayFromNow(20 + index), amount: part }))
    const planned = await studio.call('create_invoice', { project_id: id, items, currency, payment_plan })
    expect(planned).toMatchObject({ total, currency, due_date: dayFromNow(20) })
    const { body } = (await studio.control.effects()).at(-1)!
    expect((body as { plan: { share: object }[] }).plan.map(({ share }) => share)).toEqual(
      told.map((minor) => ({ minor, currency })),
    )
    const { invoice_id } = invoice
    expect(await studio.refused('record_manual_payment', { invoice_id, amount: '1' })).toBe('CURRENCY_MISMATCH')
    const part = await studio.call('record_manual_payment', { invoice_id, amount: '1', currency })
    expect(part).toMatchObject({ amount: currency === 'JPY' ? '1' : '1.000', currency })
  })

  const items = [{ name: 'x', price: '10' }]
  const due_date = dayFromNow(9)
  test.each([
    [{ items: [{ name: 'x', price: '1.005' }] }, 'ARGUMENT_INVALID'],
    [{ items: [{ name: 'x', price: '10.5' }], currency: 'JPY' }, 'ARGUMENT_INVALID'],
    [{ items: [{ name: 'x', price: '-1' }] }, 'SUM_OUT_OF_BOUNDS'],
    [{ packages: [{ name: 'full day' }] }, 'PACKAGE_NOT_FOUND'],
    [{ packages: [{ name: 'Full day, abroad' }] }, 'PACKAGE_CURRENCY'],
    [{ items, payment_plan: [{ due_date, amount: '9.99' }] }, 'PLAN_DOES_NOT_ADD_UP'],
    [
      {
        items,
        payment_plan: [
          { due_date, amount: '5' },
          { due_date, amount: '5' },
        ],
      },
      'PLAN_NOT_IN_ORDER',
    ],
  ])('is not drafted with %j', async (input, code) => {
    expect(await studio.refused('create_invoice', { project_id, ...input })).toBe(code)
    expect(await actions()).toEqual([])
  })

  test('is not taken with nothing to bill', () => {
    expect(studio.takes('create_invoice', { project_id })).toBe(false)
  })

  test('is paid by each method', async () => {
    const told = ['CASH', 'TRANSFER', 'CHEQUE', 'OTHER', 'OTHER']
    for (const [index, method] of ['cash', 'bank_transfer', 'check', 'other', undefined].entries()) {
      const pay = { invoice_id: 'QmlsbDoxMDE4MQ==', amount: '0.01', method }
      const balance = `5129.0${9 - index}`
      expect(await studio.call('record_manual_payment', pay)).toMatchObject({ amount: '0.01', balance })
      expect((await studio.control.effects()).at(-1)?.body).toMatchObject({ method: told[index] })
    }
  })

  test.each([
    [{ received_on: dayFromNow(2) }, 'PAYMENT_IN_FUTURE'],
    [{ amount: '0.005' }, 'ARGUMENT_INVALID'],
    [{ amount: '0' }, 'ARGUMENT_INVALID'],
    [{ invoice_id: 'QmlsbDo5OQ==' }, 'BILL_NOT_FOUND'],
    [{ invoice_id: project_id }, 'ARGUMENT_INVALID'],
  ])('is not paid with %j', async (input, code) => {
    const pay = { invoice_id: 'QmlsbDoxMDE4MQ==', amount: '1', ...input }
    expect(await studio.refused('record_manual_payment', pay)).toBe(code)
    expect(await actions()).toEqual([])
  })
})

describe('an input', () => {
  const long = (length: number): string => 'x'.repeat(length)
  const client = { name: 'x' }
  const line = { name: 'x', price: '1' }
  const pay = { invoice_id: 'x' }
  const many = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item)
  test.each<[string, Row, Row]>([
    ['create_project', { title: long(200), client }, { title: long(201), client }],
    ['create_project', { title: 'x', client }, { title: '', client }],
    ['create_project', { title: 'x', client: { name: long(120) } }, { title: 'x', client: { name: long(121) } }],
    ['create_project', { title: 'x', client, tags: many(20, long(40)) }, { title: 'x', client, tags: many(21, 'x') }],
    ['create_project', { title: 'x', client, tags: [long(40)] }, { title: 'x', client, tags: [long(41)] }],
    ['create_project', { title: 'x', client, notes: long(10_000) }, { title: 'x', client, notes: long(10_001) }],
    ['create_project', { title: 'x', client, category: 'lead' }, { title: 'x', client, category: 'all' }],
    ['create_project', { title: 'x', client }, { title: 'x', client: { ...client, mail: 'x' } }],
    ['send_form', { form_id: 'x', message: long(2000) }, { form_id: 'x', message: long(2001) }],
    ['send_form', { form_id: 'x' }, {}],
    ['send_invoice', { invoice_id: 'x', message: long(2000) }, { invoice_id: 'x', message: long(2001) }],
    ['apply_form_template', { template_id: 'x', project_id: 'x' }, { template_id: 'x' }],
    ['create_invoice', { project_id, items: many(50, line) }, { project_id, items: many(51, line) }],
    ['create_invoice', { project_id, items: [line] }, { project_id, items: [] }],
    ['create_invoice', { project_id, packages: many(20, client) }, { project_id, packages: many(21, client) }],
    [
      'create_invoice',
      { project_id, packages: [{ name: 'x', quantity: 1000 }] },
      { project_id, packages: [{ name: 'x', quantity: 1001 }] },
    ],
    [
      'create_invoice',
      { project_id, items: [{ ...line, quantity: 1 }] },
      { project_id, items: [{ ...line, quantity: 0 }] },
    ],
    [
      'create_invoice',
      { project_id, items: [{ ...line, price: '-0.125' }] },
      { project_id, items: [{ ...line, price: '1,5' }] },
    ],
    ['create_invoice', { project_id, items: [line], currency: 'EUR' }, { project_id, items: [line], currency: 'eur' }],
    ['record_manual_payment', { ...pay, amount: '1250.00' }, { ...pay, amount: 1250 }],
    ['record_manual_payment', { ...pay, amount: '0.5' }, { ...pay, amount: '-0.5' }],
    ['record_manual_payment', { ...pay, amount: '1', note: long(500) }, { ...pay, amount: '1', note: long(501) }],
    ['record_manual_payment', { ...pay, amount: '1', method: 'cash' }, { ...pay, amount: '1', method: 'card' }],
    ['update_project_status', { project_id, status: 'x' }, { project_id }],
  ])('of %s is within its bounds', (name, good, bad) => {
    expect(studio.takes(name, good)).toBe(true)
    expect(studio.takes(name, bad)).toBe(false)
  })
})
