import { Type } from 'typebox'
import { fromEpoch } from '../dates.ts'
import { closed, moment } from '../inputs.ts'
import { fields, rows, text } from '../wire.ts'
import type { Fields } from '../wire.ts'
import { Decimal, Item, decimal, items } from './money.ts'
import { Payment, payment } from './payment.ts'
import { NullableText, given } from './words.ts'

const Head = { job_id: Type.String({ format: 'uuid' }), status: Type.String(), job_type: Type.String() }

export const JobRow = {
  ...Head,
  scheduled_start: moment,
  client: closed({ client_id: Type.String(), name: Type.String() }),
  address: NullableText,
  techs: Type.Array(Type.String()),
  total: Decimal,
  amount_due: Decimal,
}

export function jobRow(job: Fields, money: unknown) {
  const customer = fields(job['customer'])
  return {
    ...head(job),
    scheduled_start: fromEpoch(job['begins_at']),
    client: { client_id: customer['uuid'], name: customer['full_name'] },
    address: given(job['site']),
    techs: rows(job['crew']).map(({ full_name }) => full_name),
    ...sums(job, money),
  }
}

export const Job = {
  ...Head,
  client: closed({ client_id: Type.String(), name: Type.String(), phone: NullableText }),
  address: NullableText,
  window: closed({ start: moment, end: moment }),
  notes: Type.String(),
  items: Type.Array(Item),
  total: Decimal,
  amount_due: Decimal,
  payments: Type.Array(closed(Payment)),
}

export function job(answer: Fields) {
  const { customer, money, site, begins_at, ends_at, remarks, lines, receipts } = answer
  const { uuid, full_name, mobile } = fields(customer)
  return {
    ...head(answer),
    client: { client_id: uuid, name: full_name, phone: given(mobile) },
    address: given(site),
    window: { start: fromEpoch(begins_at), end: fromEpoch(ends_at) },
    notes: remarks,
    items: items(lines, money),
    ...sums(answer, money),
    payments: rows(receipts).map((receipt) => payment(receipt, money)),
  }
}

function head({ uuid, state, kind }: Fields) {
  return { job_id: uuid, status: text(fields(state)['label']), job_type: kind }
}

function sums({ charge_minor, owing_minor }: Fields, money: unknown) {
  return { total: decimal(charge_minor, money), amount_due: decimal(owing_minor, money) }
}
