import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AppCaller, dayFromNow, values } from './app-caller.ts'
import type { Row } from './app-caller.ts'
import { descending, every } from './crm-studio.ts'

let studio: AppCaller
beforeAll(async () => {
  studio = await AppCaller.open('crm')
})
afterAll(() => studio.sandbox.close())

describe('each list', () => {
  const lists = [
    { name: 'list_projects', key: 'projects', id: 'project_id', filter: { category: 'lead' }, user: 'stranger' },
    { name: 'list_clients', key: 'clients', id: 'client_id', filter: { query: '.1' }, user: 'two_accounts' },
    { name: 'list_forms', key: 'forms', id: 'form_id', filter: { type: 'questionnaire' }, user: 'poor' },
    { name: 'list_invoices', key: 'invoices', id: 'invoice_id', filter: { status: 'unpaid' }, user: 'narrow' },
  ]

  /** A call that puts something into the list at its top; of the clients, who go by name, after what was read by then. */
  async function addition(name: string, user: string): Promise<[string, Row]> {
    const newcomer = { name: 'Zz Newcomer', email: 'guest.1.1.newcomer@mail.example' }
    if (name === 'list_projects' || name === 'list_clients')
      return ['create_project', { title: 'Meanwhile', client: newcomer }]
    const [project] = await studio.rows('list_projects', 'projects', { limit: 1 }, user)
    const { project_id } = project as Row
    const { invoices } = await studio.call('get_project', { project_id }, user)
    if (name === 'list_invoices')
      return ['create_invoice', { project_id, items: [{ name: 'x', price: '5' }], ...currencyOf(invoices) }]
    const [template] = await studio.rows('list_form_templates', 'templates', { type: 'questionnaire' }, user)
    return ['apply_form_template', { template_id: template?.['template_id'], project_id }]
  }
  const currencyOf = (invoices: unknown): Row => {
    const [first] = invoices as Row[]
    return first === undefined ? {} : { currency: first['currency'] }
  }

  test.each(lists)('$name is paged to its end with the smallest page, also while items are added', async (list) => {
    const { name, key, id, filter, user } = list
    expect((await every(studio, name, key, {}, user)).length).toBeGreaterThanOrEqual(60)
    const whole = values(await every(studio, name, key, filter, user), id)
    expect(whole.length).toBeGreaterThanOrEqual(40)
    const [add, input] = await addition(name, user)
    let round = 0
    const single = await every(studio, name, key, { ...filter, limit: 1 }, user, async () => {
      if (round++ === 5) await studio.call(add, input, user)
    })
    expect(new Set(whole).size).toBe(whole.length)
    if (name === 'list_clients') expect(values(single, id)).toEqual(expect.arrayContaining([...whole]))
    else expect(values(single, id)).toEqual(whole)
    expect(new Set(values(single, id)).size).toBe(single.length)
    const now = values(await every(studio, name, key, filter, user), id)
    expect(now.length).toBe(whole.length + 1)
    expect(now).toEqual(expect.arrayContaining([...whole]))
  })

  test.each(lists)('$name gives 25 items by default', async ({ name, key, user }) => {
    const first = await studio.rows(name, key, {}, user)
    expect(first.length).toBe(25)
    expect(await studio.rows(name, key, { limit: 3 }, user)).toEqual(first.slice(0, 3))
  })

  test.each([
    ['list_projects', { limit: 0 }],
    ['list_projects', { limit: 101 }],
    ['list_clients', { limit: 0 }],
    ['list_clients', { limit: 101 }],
    ['list_forms', { limit: 0 }],
    ['list_forms', { limit: 101 }],
    ['list_invoices', { limit: 0 }],
    ['list_invoices', { limit: 101 }],
    ['list_projects', { category: 'client' }],
    ['list_projects', { created_since: '2026-02-30' }],
    ['list_form_templates', { type: 'invoice' }],
    ['list_forms', { type: 'INTAKE' }],
    ['list_forms', { status: 'sent' }],
    ['list_forms', { status: ['unsent'] }],
    ['list_forms', { status: [] }],
    ['list_invoices', { status: 'draft' }],
    ['list_invoices', { due_before: '1/2/2026' }],
    ['list_projects', { cursor: 'made up' }],
  ])('%s does not take %j', (name, input) => {
    expect(studio.takes(name, input)).toBe(false)
  })
})

describe('projects', () => {
  test('are filtered by category and by each status, newest first', async () => {
    const all = await every(studio, 'list_projects', 'projects', {}, 'two_accounts')
    expect(values(all, 'created_at')).toEqual(descending(values(all, 'created_at')))
    const by = async (input: Row) => every(studio, 'list_projects', 'projects', input, 'two_accounts')
    for (const category of ['lead', 'job'])
      expect(await by({ category })).toEqual(all.filter((project) => project['category'] === category))
    expect(await by({ category: 'all' })).toEqual(all)
    const names = new Set(values(all, 'status'))
    expect(names.size).toBeGreaterThan(3)
    for (const status of names)
      expect(await by({ status })).toEqual(all.filter((project) => project['status'] === status))
    expect(values(all, 'project_date')).toContain(null)
  })

  test('are filtered by the day they were created, from its first moment on', async () => {
    const all = await every(studio, 'list_projects', 'projects')
    const day = String(all[40]?.['created_at']).slice(0, 10)
    const since = await every(studio, 'list_projects', 'projects', { created_since: day })
    expect(since).toEqual(all.filter(({ created_at }) => String(created_at) >= day))
    expect(values(since, 'project_id')).toContain(all[40]?.['project_id'])
    expect(await studio.rows('list_projects', 'projects', { created_since: dayFromNow(2) })).toEqual([])
  })

  test('with a status that the account does not have are refused, with those that it has', async () => {
    expect(await studio.refused('list_projects', { status: 'offer out' })).toBe('STAGE_NOT_FOUND')
  })

  test('show themselves in full, as the lists show their parts', async () => {
    const [invoice] = await studio.rows('list_invoices', 'invoices', { status: 'paid', limit: 1 })
    const { project_id } = (invoice as Row)['project'] as Row
    const detail = await studio.call('get_project', { project_id })
    const { notes, forms, invoices, ...row } = detail
    expect(await every(studio, 'list_projects', 'projects')).toContainEqual(row)
    expect(typeof notes).toBe('string')
    const rows = await studio.rows('list_forms', 'forms', { project_id })
    const { title: project_title } = row
    const whole = (forms as Row[]).map((form) => ({ ...form, project_id, project_title }))
    expect(new Set(rows)).toEqual(new Set(whole))
    expect(new Set(await studio.rows('list_invoices', 'invoices', { project_id, status: 'all' }))).toEqual(
      new Set(invoices as Row[]),
    )
    const client = row['client'] as Row
    const found = await every(studio, 'list_clients', 'clients', { query: client['email'] })
    const same = found.find(({ client_id }) => client_id === client['client_id'])
    expect(same).toMatchObject(client)
    expect(same?.['projects']).toContain(project_id)
  })
})

test('clients are searched by part of a name or an address, whatever its case and accents, by name', async () => {
  const all = await every(studio, 'list_clients', 'clients')
  const plain = (value: string): string => value.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
  for (const query of ['conceicao', 'AARAV', 'guest.1.13@']) {
    const found = await every(studio, 'list_clients', 'clients', { query })
    expect(found).toEqual(all.filter(({ name, email }) => plain(JSON.stringify([name, email])).includes(plain(query))))
    expect(found.length).toBeGreaterThan(0)
  }
  expect(await studio.rows('list_clients', 'clients', { query: 'nobody at all' })).toEqual([])
  expect(values(all, 'email')).toContain(null)
  expect(values(all, 'phone')).toContain(null)
})

describe('forms', () => {
  const types = ['proposal', 'contract', 'questionnaire', 'sub_agreement', 'lead_capture']

  test('are filtered by type and status, unsent ones only where no status is asked for', async () => {
    const all = await every(studio, 'list_forms', 'forms', {}, 'stranger')
    const by = (input: Row) => every(studio, 'list_forms', 'forms', input, 'stranger')
    for (const type of types) {
      expect(await by({ type })).toEqual(all.filter((form) => form['type'] === type))
      expect(values(all, 'type')).toContain(type)
    }
    const statuses = ['sent', 'viewed', 'action_required', 'completed']
    for (const status of statuses) {
      expect(await by({ status: [status] })).toEqual(all.filter((form) => form['status'] === status))
      expect(values(all, 'status')).toContain(status)
    }
    expect(await by({ status: statuses, type: 'all' })).toEqual(all.filter(({ status }) => status !== 'unsent'))
    expect(values(all, 'status')).toContain('unsent')
    const waiting = await by({ status: ['action_required'] })
    expect(await by({ status: ['sent', 'sent', 'viewed'] })).toEqual(await by({ status: ['sent', 'viewed'] }))
    expect(new Set(values(waiting, 'type'))).toEqual(new Set(['contract']))
    expect(await by({ status: ['action_required'], type: 'proposal' })).toEqual([])
  })

  test('come from templates of each type', async () => {
    const all = await studio.rows('list_form_templates', 'templates', {})
    expect(await studio.rows('list_form_templates', 'templates', { type: 'all' })).toEqual(all)
    for (const type of types) {
      const some = await studio.rows('list_form_templates', 'templates', { type })
      expect(some).toEqual(all.filter((template) => template['type'] === type))
      expect(some.length).toBeGreaterThan(0)
    }
  })

  test('have responses once they are completed, empty ones when asked for', async () => {
    for (const type of types) {
      const [form] = await studio.rows('list_forms', 'forms', { status: ['completed'], type, limit: 1 })
      const { project_title: _title, status: _status, ...rest } = form as Row
      expect(await studio.call('get_form_responses', { form_id: form?.['form_id'] })).toMatchObject(rest)
    }
    const form_id = 'UGFwZXI6MTAzNDM='
    const whole = await studio.rows('get_form_responses', 'responses', { form_id, include_empty: true })
    const filled = await studio.rows('get_form_responses', 'responses', { form_id })
    expect(filled).toEqual(whole.filter(({ answer }) => answer !== ''))
    expect(filled.length).toBeLessThan(whole.length)
    expect(filled).toContainEqual({ question: 'What shall we add?', answer: 'Album, Prints' })
  })

  test.each(['sent', 'viewed', 'action_required'])('that are only %s have none yet', async (status) => {
    const [form] = await studio.rows('list_forms', 'forms', { status: [status], limit: 1 })
    expect(await studio.refused('get_form_responses', { form_id: form?.['form_id'] })).toBe('REPLIES_NOT_READY')
  })
})

describe('invoices', () => {
  const minor = (amount: unknown): bigint => BigInt(String(amount).replace('.', ''))

  test('are filtered by status, unpaid ones by default, and add up in each currency', async () => {
    const by = (input: Row) => every(studio, 'list_invoices', 'invoices', input, 'poor')
    const all = await by({ status: 'all' })
    const unpaid = await by({})
    expect(unpaid).toEqual(all.filter(({ status }) => status === 'unpaid'))
    expect(await by({ status: 'unpaid' })).toEqual(unpaid)
    expect(await by({ status: 'paid' })).toEqual(all.filter(({ status }) => status === 'paid'))
    for (const invoice of all) {
      const digits = { JPY: 0, KWD: 3 }[String(invoice['currency'])] ?? 2
      for (const key of ['total', 'amount_paid', 'balance'])
        expect(invoice[key]).toMatch(digits === 0 ? /^\d+$/ : new RegExp(`^\\d+\\.\\d{${digits}}$`))
      expect(minor(invoice['balance'])).toBe(minor(invoice['total']) - minor(invoice['amount_paid']))
      expect(minor(invoice['balance']) === 0n).toBe(invoice['status'] === 'paid')
    }
    expect(new Set(values(all, 'currency')).size).toBeGreaterThan(3)
    expect(values(all, 'due_date')).toContain(null)
    expect(values(unpaid, 'sent_at')).toContain(null)
  })

  test('are filtered by the day before which they are due, and by project', async () => {
    const all = await every(studio, 'list_invoices', 'invoices', { status: 'all' }, 'two_accounts')
    const due = values(all, 'due_date').filter((day) => day !== null)
    const middle = String(descending(due)[Math.floor(due.length / 2)])
    const before = await every(
      studio,
      'list_invoices',
      'invoices',
      { status: 'all', due_before: middle },
      'two_accounts',
    )
    expect(before).toEqual(all.filter(({ due_date }) => typeof due_date === 'string' && due_date < middle))
    expect(before.length).toBeGreaterThan(0)
    const { project } = all[0] as Row
    const { project_id } = project as Row
    const own = await studio.rows('list_invoices', 'invoices', { status: 'all', project_id }, 'two_accounts')
    expect(own).toEqual(all.filter((invoice) => (invoice['project'] as Row)['project_id'] === project_id))
    expect(own.length).toBeGreaterThan(0)
  })
})

describe('another account', () => {
  const project_id = 'RW5nYWdlbWVudDoxMDE1OQ=='
  const form_id = 'UGFwZXI6MTAzNDY='
  const invoice_id = 'QmlsbDoxMDE4MQ=='
  const template_id = 'Qmx1ZXByaW50OjEwMDEy'
  test.each([
    ['get_project', { project_id }, 'ENGAGEMENT_NOT_FOUND'],
    ['update_project_status', { project_id, status: 'Archived' }, 'STAGE_NOT_FOUND'],
    ['list_forms', { project_id }, 'ENGAGEMENT_NOT_FOUND'],
    ['list_invoices', { project_id }, 'ENGAGEMENT_NOT_FOUND'],
    ['get_form_responses', { form_id: 'UGFwZXI6MTAzNDM=' }, 'PAPER_NOT_FOUND'],
    ['send_form', { form_id }, 'PAPER_NOT_FOUND'],
    ['apply_form_template', { template_id, project_id }, 'ENGAGEMENT_NOT_FOUND'],
    ['create_invoice', { project_id, items: [{ name: 'x', price: '1' }] }, 'ENGAGEMENT_NOT_FOUND'],
    ['create_project', { title: 'x', client_id: 'UGVyc29uOjEwMDIz' }, 'PERSON_NOT_FOUND'],
    ['send_invoice', { invoice_id }, 'BILL_NOT_FOUND'],
    ['record_manual_payment', { invoice_id, amount: '1' }, 'BILL_NOT_FOUND'],
  ])('sees nothing of the first: %s', async (name, input, code) => {
    const before = await studio.control.effects()
    expect(await studio.refused(name, input, 'stranger')).toBe(code)
    expect(await studio.control.effects()).toEqual(before)
  })

  test('with a lower level is refused money, and sees projects without it', async () => {
    expect(await studio.refused('list_invoices', {}, 'revoked')).toBe('LEVEL_TOO_LOW')
    const [project] = await studio.rows('list_projects', 'projects', {}, 'revoked')
    const { project_id: own } = project as Row
    expect(await studio.call('get_project', { project_id: own }, 'revoked')).toMatchObject({ invoices: [] })
    expect(
      await studio.refused('create_invoice', { project_id: own, packages: [{ name: 'Full day' }] }, 'revoked'),
    ).toBe('LEVEL_TOO_LOW')
  })
})
