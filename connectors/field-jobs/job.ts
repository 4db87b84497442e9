import { Type } from 'typebox'
import { fromEpoch } from '../kit/dates.ts'
import { labelled } from '../kit/declared.ts'
import { NullableText, closed, described, moment } from '../kit/inputs.ts'
import { fields, rows, text, textOrNull } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { AmountDue, Item, Total, decimal, items } from './money.ts'
import { Payment, payment } from './payment.ts'
import { ClientRef, JobRef, JobType } from './shared.ts'

const Head = {
  job_id: JobRef,
  status: labelled(
    'Status',
    Type.String({
      description: 'Where the job stands: Submitted, In progress, Waiting for parts, Done or Canceled.',
    }),
  ),
  job_type: JobType,
}

const Address = labelled(
  'Address',
  described(NullableText, 'Where the job is, as one text; null when the app has no address.'),
)

export const JobRow = {
  ...Head,
  scheduled_start: labelled('Starts at', described(moment, 'When the time window of the job begins, in UTC.')),
  client: described(closed(ClientRef), 'The client whom the job is for.'),
  address: Address,
  techs: Type.Array(Type.String(), {
    description: 'The full names of the team members on the job; empty when nobody is.',
  }),
  total: Total,
  amount_due: AmountDue,
}

export function jobRow(job: Fields, money: unknown) {
  const customer = fields(job['customer'])
  return {
    ...head(job),
    scheduled_start: fromEpoch(job['begins_at']),
    client: { client_id: customer['uuid'], name: customer['full_name'] },
    address: textOrNull(job['site']),
    techs: rows(job['crew']).map(({ full_name }) => full_name),
    ...sums(job, money),
  }
}

export const Job = {
  ...Head,
  client: described(
    closed({
      ...ClientRef,
      phone: labelled(
        'Phone number',
        described(NullableText, "The client's phone number; null when the app has none."),
      ),
    }),
    'The client whom the job is for.',
  ),
  address: Address,
  window: described(
    closed({
      start: labelled('Starts at', described(moment, 'When the time window begins, in UTC.')),
      end: labelled('Ends at', described(moment, 'When the time window ends, in UTC.')),
    }),
    'The time window in which the team comes.',
  ),
  notes: Type.String({ description: 'Notes for the team; an empty text when there are none.' }),
  items: Type.Array(Item, { description: 'What is charged for the job; empty when nothing is yet.' }),
  total: Total,
  amount_due: AmountDue,
  payments: Type.Array(closed(Payment), {
    description: 'What was paid for the job or its invoice, newest first; empty when nothing was.',
  }),
}

export function job(answer: Fields) {
  const { customer, money, site, begins_at, ends_at, remarks, lines, receipts } = answer
  const { uuid, full_name, mobile } = fields(customer)
  return {
    ...head(answer),
    client: { client_id: uuid, name: full_name, phone: textOrNull(mobile) },
    address: textOrNull(site),
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
