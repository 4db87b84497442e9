import { expect, test } from 'vitest'
import { loadApps } from '../../connectors/registry.ts'
import { cursorKey } from './local-app.ts'
import type { Row } from './app-caller.ts'

const app = loadApps({ sandboxUrl: 'http://localhost:8090' }).get('field-service')
const takes = (name: string, input: Row): boolean =>
  app?.endpoints.get(name)?.parseInput(input, { cursorKey }).ok === true

const text = (length: number): string => 'x'.repeat(length)
const job = { job_number: '1' }
const customer = { name: 'A' }
const order = { customer_number: '1', service_type: 'A' }
const charge = { ...job, name: 'A', unit_price: '1' }
const event = { ...job, start_at: '2027-01-15T09:00:00Z', end_at: '2027-01-15T10:00:00Z' }
const entry = { ...job, employee: 'A', hours: 1 }
const payment = { ...job, method: 'cash' }

test.each<[string, Row, Row[], Row[]]>([
  [
    'create_customer',
    customer,
    [
      { name: text(120) },
      { is_company: true },
      { phone: text(40) },
      { service_address: {} },
      { billing_address: { zip_code: text(120) } },
    ],
    [
      { name: '' },
      { name: text(121) },
      { email: 'nobody' },
      { phone: text(41) },
      { service_address: { zip: '1' } },
      { service_address: 'Hof 1' },
      { billing_address: { city: text(121) } },
      { is_company: 'yes' },
    ],
  ],
  [
    'create_job',
    order,
    [{ description: text(10_000), scope_of_work: text(10_000) }, { as_opportunity: false }],
    [
      { service_type: '' },
      { description: text(10_001) },
      { scope_of_work: text(10_001) },
      { as_opportunity: 1 },
      { customer_number: 1 },
    ],
  ],
  [
    'add_charge',
    charge,
    [{ quantity: 0.01 }, { quantity: 10_000 }, { notes: text(1000) }, { name: text(200) }],
    [
      { quantity: 0 },
      { quantity: 10_000.01 },
      { unit_price: '-1' },
      { unit_price: 1 },
      { unit_price: '1.005' },
      { unit_price: '1,50' },
      { name: text(201) },
      { notes: text(1001) },
    ],
  ],
  [
    'schedule_event',
    event,
    [{ title: text(200), notes: text(2000) }, { employee: text(120) }],
    [{ start_at: '2027-01-15' }, { end_at: 'soon' }, { title: text(201) }, { notes: text(2001) }, { employee: '' }],
  ],
  [
    'log_time_entry',
    entry,
    [{ hours: 0.01 }, { hours: 24 }, { date: '2024-02-29' }],
    [{ hours: 0 }, { hours: 24.01 }, { hours: '1' }, { date: '2023-02-29' }, { employee: '' }],
  ],
  ['send_estimate', job, [{ message: text(2000) }], [{ message: text(2001) }, { job_number: '' }]],
  ['send_invoice', job, [{ message: text(2000) }], [{ message: text(2001) }]],
  ['generate_invoice', job, [], [{ total: '1.00' }]],
  [
    'record_payment',
    payment,
    [{ method: 'check' }, { method: 'other' }, { amount: '1.50' }, { reference: text(60), notes: text(500) }],
    [
      { method: 'card' },
      { amount: 1 },
      { amount: '-1' },
      { amount: '1.005' },
      { reference: text(61) },
      { notes: text(501) },
      { paid_on: 'today' },
    ],
  ],
])('%s takes what is documented and nothing else', (name, least, good, bad) => {
  expect(takes(name, least)).toBe(true)
  for (const one of good) expect(takes(name, { ...least, ...one }), JSON.stringify(one)).toBe(true)
  for (const one of bad) expect(takes(name, { ...least, ...one }), JSON.stringify(one)).toBe(false)
  for (const key of Object.keys(least)) expect(takes(name, { ...least, [key]: undefined }), key).toBe(false)
})
