import { Type } from 'typebox'
import { codec } from '../kit/codec.ts'
import { fromCompact, fromEpoch, toCompact } from '../kit/dates.ts'
import { labelled, money } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { entityPage } from '../kit/before.ts'
import {
  closed,
  cursor,
  day,
  defaulted,
  described,
  id,
  limit,
  moment,
  nextCursor,
  oneOf,
  refTo,
} from '../kit/inputs.ts'
import { fields } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { listQuery, pageOf } from './lists.ts'
import { Decimal, Item, Total, besideCurrency, decimal, items, ofTheAccount } from './money.ts'
import { payableJob, unpaidInvoice } from './previews.ts'
import { Payment, methods, payment } from './payment.ts'
import { minor } from './setup.ts'
import { ClientRef, Day, JobId, JobRef, SendVia, SentTo, Via, toEpoch, vias } from './shared.ts'

const standings = codec({ unpaid: 'open', partially_paid: 'part_settled', paid: 'settled' })

const Invoice = {
  invoice_id: refTo('invoice', 'The UUID of the invoice: pass it to send_invoice or record_payment.'),
  job_id: JobRef,
  client: ClientRef.name,
  total: Total,
  amount_due: labelled(
    'Amount due',
    described(Decimal, 'What is left to pay, a decimal text in the currency of the account.'),
  ),
  due_date: labelled('Due date', described(Day, "The day by which it is to be paid, on the company's clocks.")),
  status: labelled('Status', oneOf(standings.words, 'Whether nothing, a part or everything was paid.')),
}

function invoice(bill: Fields, money: unknown) {
  return {
    invoice_id: bill['uuid'],
    job_id: bill['job'],
    client: fields(bill['customer'])['full_name'],
    total: decimal(bill['charge_minor'], money),
    amount_due: decimal(bill['owing_minor'], money),
    due_date: fromCompact(bill['due_day']),
    status: standings.decode(bill['standing']),
  }
}

export const list_invoices = endpoint({
  summary: 'List invoices with what is still due, sent out or not, newest first.',
  aliases: ['unpaid bills', 'what is still due', 'overdue invoices', 'who has not paid', 'outstanding money'],
  label: 'List invoices',
  brief: ['status', 'since'],
  access: 'read',
  request: 'GET /api/bills',
  input: {
    status: labelled(
      'Status',
      defaulted(oneOf(standings.words, 'Only invoices of which nothing, a part or everything was paid.'), 'unpaid'),
    ),
    since: labelled(
      'Since',
      Type.Optional(day("Only invoices that were created on this day or later, on the company's clocks.")),
    ),
    limit: limit(50),
    cursor,
  },
  output: {
    invoices: Type.Array(closed(Invoice), {
      description: 'The invoices on this page, the one created last first.',
    }),
    next_cursor: nextCursor,
  },
  encode: ({ status, since, limit: size }, { anchor }) => ({
    query: listQuery({ standing: standings.encode(status), since_day: toCompact(since) }, { limit: size, anchor }),
  }),
  decode: (list, { input, anchor, cursor: next }) => {
    const page = pageOf(list, { limit: input.limit, anchor })
    return { invoices: page.items.map((row) => invoice(row, list['money'])), next_cursor: next(page.next) }
  },
})

export const create_invoice = endpoint({
  summary: 'Create the invoice for a job, with its items and total; nothing is sent.',
  aliases: [
    'bill for a job',
    'make the invoice',
    'invoice a finished job',
    'write a bill',
    'write up the bill but hold on to it',
  ],
  label: 'Create an invoice',
  brief: ['job_id', 'due_date'],
  approval: {
    headline: 'Create the invoice for the job[ of {job_id.client.name}][: {job_id.total}][, due {due_date}]',
    button: 'Create invoice',
    consequences: [
      { kind: 'money', text: '[The client has {job_id.amount_due} left to pay for the job]' },
      { kind: 'other', text: 'Nothing is sent; the client is not told' },
    ],
  },
  effect: 'adds',
  shownBy: [{ read: 'list_invoices' }],
  preview: [payableJob],
  verify: {
    read: 'list_invoices',
    set: { limit: 100 },
    at: 'invoices',
    id: 'invoice_id',
    same: { job_id: 'job_id', due_date: 'due_date' },
  },
  access: 'write',
  request: 'POST /api/bills',
  input: {
    job_id: JobId,
    due_date: labelled(
      'Due date',
      Type.Optional(
        day("When it is to be paid, today or later on the company's clocks; 14 days from today when left out."),
      ),
    ),
  },
  output: { ...Invoice, items: Type.Array(Item, { description: 'The items of the job, which are what is billed.' }) },
  encode: ({ job_id, due_date }) => ({ json: { job: job_id, due_day: toCompact(due_date) } }),
  decode: (answer) => ({ ...invoice(answer, answer['money']), items: items(answer['lines'], answer['money']) }),
})

export const send_invoice = endpoint({
  summary: 'Send an invoice to its client by email or text, with a link to pay online.',
  aliases: [
    'email the bill',
    'text the invoice with a link to pay',
    'send the bill to the client',
    'let them have the bill',
    'off with the bill',
  ],
  label: 'Send an invoice',
  brief: ['invoice_id', 'via'],
  approval: {
    headline: 'Send the invoice[ to {invoice_id.client}][ by {via}][: {invoice_id.total}][, due {invoice_id.due_date}]',
    button: 'Send invoice',
    consequences: [
      { kind: 'people', text: 'The client gets it[ by {via}], with a link to pay online' },
      { kind: 'money', text: '[The client has {invoice_id.amount_due} left to pay]' },
    ],
  },
  effect: 'adds',
  shownBy: [],
  preview: [unpaidInvoice],
  access: 'write',
  confirm: true,
  request: 'POST /api/bills/{invoice_id}/send',
  before: { bill: entityPage('GET /desk/bills/{invoice_id}') },
  input: {
    invoice_id: labelled('Invoice', id('invoice', 'Which invoice: invoice_id from list_invoices or create_invoice.')),
    via: SendVia,
  },
  output: {
    ...Invoice,
    sent_at: described(moment, 'When it was sent to the client, in UTC.'),
    sent_via: Via,
    sent_to: SentTo,
  },
  encode: ({ via }) => ({ json: { via: via && vias.encode(via) } }),
  decode: (answer) => {
    const told = fields(answer['told'])
    const sent = { sent_at: fromEpoch(answer['sent_out_at']), sent_via: vias.decode(told['via']), sent_to: told['to'] }
    return { ...invoice(answer, answer['money']), ...sent }
  },
})

export const record_payment = endpoint({
  summary: 'Record a payment that was received already for a job or its invoice; charges no card, tells nobody.',
  aliases: [
    'client paid cash',
    'got a check',
    'log a payment',
    'mark as paid',
    'payment received',
    'she gave me cash',
    'the check has come in',
  ],
  label: 'Record a payment',
  brief: ['amount', 'method', 'job_id', 'invoice_id'],
  approval: {
    headline:
      'Record a payment of {amount}[ from {job_id.client.name}][ from {invoice_id.client}] ({method})[, received {received_at}]',
    button: 'Record payment',
    consequences: [
      {
        kind: 'money',
        text: 'Lowers what is due[, now {job_id.amount_due}][, now {invoice_id.amount_due}]; no card is charged',
      },
      { kind: 'other', text: 'Nobody is told' },
    ],
  },
  effect: 'adds',
  shownBy: [{ read: 'get_job', from: { job_id: 'job_id' } }],
  preview: [payableJob, unpaidInvoice],
  access: 'write',
  request: 'POST /api/receipts',
  before: '/api/setup',
  input: {
    job_id: Type.Optional(
      described(JobId, 'What was paid: job_id from list_jobs or get_job. Give this or invoice_id, not both.'),
    ),
    invoice_id: labelled(
      'Invoice',
      Type.Optional(id('invoice', 'What was paid: invoice_id from list_invoices. Give this or job_id, not both.')),
    ),
    amount: labelled(
      'Amount',
      money(
        ofTheAccount,
        Type.String({
          pattern: '^\\d{1,12}(\\.\\d{1,6})?$',
          description: 'What was received, at most amount_due: a decimal such as "125.50", in the account\'s currency.',
        }),
      ),
    ),
    method: labelled(
      'Method',
      oneOf(
        ['cash', 'check', 'bank_transfer', 'card', 'other'],
        'How it was received; card means on your own card reader.',
      ),
    ),
    reference: labelled(
      'Reference',
      Type.Optional(
        Type.String({ maxLength: 200, description: 'A number or text to find the payment by, such as of a check.' }),
      ),
    ),
    received_at: labelled(
      'Received at',
      Type.Optional(
        Type.String({
          format: 'date-time',
          description: 'When it was received, not in the future; now when left out. ISO 8601 with offset or Z.',
        }),
      ),
    ),
  },
  exactlyOne: ['job_id', 'invoice_id'],
  output: {
    ...Payment,
    amount: money(besideCurrency, Payment.amount),
    currency: Type.String({
      description: 'The currency of the account, in which all amounts are, by its three-letter code such as USD.',
    }),
    job_id: JobRef,
    invoice_id: Type.Union([refTo('invoice'), Type.Null()], {
      description: 'The invoice of the job, also where job_id was given; null when it has none.',
    }),
    amount_due: money(besideCurrency, described(Decimal, 'What is left to pay.')),
  },
  encode: ({ job_id, invoice_id, amount, method, reference, received_at }, { before }) => ({
    json: {
      job: job_id,
      bill: invoice_id,
      amount_minor: minor(amount, before),
      means: methods.encode(method),
      reference,
      received_at: received_at === undefined ? undefined : toEpoch(received_at),
    },
  }),
  decode: (receipt) => ({
    ...payment(receipt, receipt['money']),
    currency: fields(receipt['money'])['code'],
    job_id: receipt['job'],
    invoice_id: receipt['bill'],
    amount_due: decimal(receipt['owing_minor'], receipt['money']),
  }),
})
