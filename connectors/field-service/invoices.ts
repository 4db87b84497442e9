import { Type } from 'typebox'
import { labelled, money } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { closed, day, defaulted, oneOf, refTo } from '../kit/inputs.ts'
import { fields, nullableText, rows } from '../kit/wire.ts'
import { decimal, toDotted, toFigure } from './figures.ts'
import { unbilledJob, unpaidInvoice, unsentInvoice } from './previews.ts'
import { methods } from './shapes.ts'
import {
  Balance,
  Currency,
  CustomerName,
  InvoiceTotal,
  JobNumber,
  JobRef,
  PageNumber,
  besideCurrency,
  data,
  formToken,
  ledToOrder,
  ofTheFirm,
  page,
  pageQuery,
  ref,
} from './shared.ts'

export const list_invoices = endpoint({
  summary: 'List unpaid or paid invoices, and whether they were sent and viewed, 30 a page, oldest first.',
  aliases: [
    'unpaid invoices',
    'which invoices were viewed',
    'who has not paid',
    'paid bills',
    'outstanding invoices',
    'has he opened the bill',
    'which bills are open',
  ],
  label: 'List invoices',
  brief: ['tab'],
  access: 'read',
  request: 'GET /app/ajax/bills',
  input: {
    tab: labelled(
      'Which invoices',
      defaulted(oneOf(['unpaid', 'paid'], 'unpaid: something is left to pay; paid: nothing is.'), 'unpaid'),
    ),
    page,
  },
  output: {
    invoices: Type.Array(
      closed({
        job_number: JobRef,
        customer: CustomerName,
        total: InvoiceTotal,
        balance_remaining: Balance,
        sent: Type.Boolean({ description: 'Whether it was emailed to the customer.' }),
        viewed: Type.Boolean({ description: 'Whether the customer has opened it by the emailed link.' }),
      }),
      { description: 'The invoices on this page, oldest first; empty on a page behind the last.' },
    ),
    page: PageNumber,
  },
  encode: ({ tab, page: number }) => ({ query: { Pile: tab === 'paid' ? 'Settled' : 'Due', ...pageQuery(number) } }),
  decode: (answer) => ({
    invoices: rows(data(answer)['Rows']).map(({ OrderNo, ClientTitle, Sum, Due, MailedAt, SeenAt }) => ({
      job_number: ref(OrderNo),
      customer: ClientTitle,
      total: decimal(Sum),
      balance_remaining: decimal(Due),
      sent: nullableText(MailedAt) !== null,
      viewed: nullableText(SeenAt) !== null,
    })),
    page: data(answer)['Page'],
  }),
})

export const generate_invoice = endpoint({
  summary: "Create a job's invoice from its charges; nothing is sent.",
  aliases: [
    'make the invoice of a job',
    'bill a job',
    'create the bill from charges',
    'invoice the customer',
    'turn the job into a bill',
  ],
  label: 'Create an invoice',
  brief: ['job_number'],
  approval: {
    headline: 'Create the invoice[ of {job_number.total}] for {job_number}[ ({job_number.service_type})]',
    button: 'Create invoice',
    consequences: [
      { kind: 'money', text: 'The invoice is over all charges of the job[, {job_number.total}]' },
      { kind: 'other', text: 'Nothing is sent to the customer' },
    ],
  },
  effect: 'adds',
  shownBy: [{ read: 'get_job', from: { job_number: 'job_number' } }],
  preview: [unbilledJob],
  verify: {
    read: 'get_job',
    from: { job_number: 'job_number' },
    id: 'invoice.invoice_number',
    same: { job_number: 'job_number' },
    since: 'invoice.created_on',
  },
  access: 'write',
  request: 'POST /app/ajax/orders/{job_number}/bill',
  before: '/app/ajax/setup',
  input: { job_number: JobNumber },
  output: {
    job_number: JobRef,
    invoice_number: refTo('invoice', 'The number of the invoice itself; endpoints take the job_number instead.'),
    total: money(besideCurrency, InvoiceTotal),
    balance_remaining: money(besideCurrency, Balance),
    currency: Currency,
    sent: Type.Literal(false, { description: 'Always false: nothing was emailed to the customer.' }),
  },
  encode: () => ({ json: {} }),
  decode: (answer, { before }) => {
    const { OrderNo, BillNo, Sum, Due, MailedAt } = fields(data(answer)['Bill'])
    return {
      job_number: ref(OrderNo),
      invoice_number: ref(BillNo),
      total: decimal(Sum),
      balance_remaining: decimal(Due),
      currency: data(before)['Currency'],
      sent: nullableText(MailedAt) !== null,
    }
  },
})

export const send_invoice = endpoint({
  summary: "Email a job's invoice to its customer, once, with a link to it.",
  aliases: ['email the invoice', 'send the bill to the customer', 'mail them their bill'],
  label: 'Send an invoice',
  brief: ['job_number', 'message'],
  approval: {
    headline:
      'Send the invoice[ of {job_number.invoice.total}][ to {job_number.customer}][ for {job_number.service_type}][, saying {message}]',
    button: 'Send invoice',
    consequences: [
      { kind: 'people', text: 'The customer gets an e-mail with a link to the invoice' },
      { kind: 'money', text: '[It asks them for {job_number.invoice.balance_remaining}]' },
      { kind: 'other', text: 'It can be sent only once' },
    ],
  },
  effect: 'adds',
  shownBy: [{ read: 'get_job', from: { job_number: 'job_number' } }],
  preview: [unsentInvoice],
  verify: {
    read: 'get_job',
    from: { job_number: 'job_number' },
    id: 'invoice.invoice_number',
    same: { job_number: 'job_number' },
    since: 'invoice.sent_at',
  },
  access: 'write',
  confirm: true,
  request: 'POST /app/orders/{job_number}/bill/mail',
  input: {
    job_number: JobNumber,
    message: labelled(
      'Message',
      Type.Optional(Type.String({ maxLength: 2000, description: 'A text for the email, above the invoice, as you.' })),
    ),
  },
  output: {
    job_number: JobRef,
    sent: Type.Literal(true, { description: 'Always true: the invoice was emailed to the customer.' }),
  },
  csrf: formToken,
  answer: 'redirect',
  encode: ({ message }) => ({ form: { Message: message } }),
  decode: (_answer, { location }) => ({ job_number: ledToOrder(location, 'mail').order, sent: true }),
})

export const record_payment = endpoint({
  summary: "Record that all that is due on a job's invoice was paid by check, cash or otherwise; charges no card.",
  aliases: [
    'paid by check',
    'mark invoice as paid',
    'customer paid in cash',
    'payment received',
    'settle an invoice',
    'they have paid everything',
    'the check came',
  ],
  label: 'Record a payment',
  brief: ['amount', 'method', 'job_number'],
  approval: {
    headline:
      'Record the payment[ of {job_number.invoice.balance_remaining}][ by {job_number.customer}][ on {paid_on}] ({method})[, reference {reference}]',
    button: 'Record payment',
    consequences: [
      { kind: 'money', text: 'The invoice counts as paid in full[, with {amount}]' },
      { kind: 'other', text: 'No card is charged; nobody is told' },
    ],
  },
  effect: 'adds',
  shownBy: [
    { read: 'get_job', from: { job_number: 'job_number' } },
    { read: 'list_invoices', set: { tab: 'paid' } },
  ],
  preview: [unpaidInvoice],
  verify: {
    read: 'get_job',
    from: { job_number: 'job_number' },
    at: 'invoice.payments',
    id: 'payment_id',
    same: { method: 'method', amount: 'amount', paid_on: 'paid_on', reference: 'reference' },
  },
  access: 'write',
  request: 'POST /app/orders/{job_number}/bill/payments',
  input: {
    job_number: JobNumber,
    method: labelled('Method', oneOf(['check', 'cash', 'other'], 'How it was paid.')),
    amount: labelled(
      'Amount',
      Type.Optional(
        money(
          ofTheFirm,
          Type.String({
            pattern: '^\\d{1,9}(\\.\\d{1,2})?$',
            description:
              'What was paid, a decimal such as "120.50": refused unless it is the whole balance_remaining, which is also what is recorded when left out.',
          }),
        ),
      ),
    ),
    paid_on: labelled(
      'Paid on',
      Type.Optional(day("The day it was paid, today or earlier; the firm's today when left out.")),
    ),
    reference: labelled(
      'Reference',
      Type.Optional(Type.String({ maxLength: 60, description: 'Such as the number of the check.' })),
    ),
    notes: labelled('Notes', Type.Optional(Type.String({ maxLength: 500, description: 'A remark on the payment.' }))),
  },
  output: {
    job_number: JobRef,
    payment_id: refTo('payment', "The app's number of the payment; no endpoint takes it."),
    status: Type.Literal('paid', { description: 'Always paid: nothing is left to pay of the invoice.' }),
  },
  csrf: formToken,
  answer: 'redirect',
  encode: ({ method, amount, paid_on, reference, notes }) => ({
    form: {
      Means: methods.encode(method),
      Amount: toFigure(amount),
      Day: toDotted(paid_on),
      Reference: reference,
      Remark: notes,
    },
  }),
  decode: (_answer, { location }) => {
    const { order, what } = ledToOrder(location, 'payment')
    return { job_number: order, payment_id: what, status: 'paid' }
  },
})
