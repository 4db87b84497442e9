import { Type } from 'typebox'
import { labelled, money } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
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
import { connection, operation, result } from '../kit/graphql.ts'
import { same } from '../kit/same-thing.ts'
import { fields } from '../kit/wire.ts'
import { Amount, AmountOutput, Currency, amount, besideCurrency, homeCurrency, minor, ofTheAccount } from './money.ts'
import { draftInvoice, project, unpaidInvoice } from './previews.ts'
import { invoice, invoiceOf } from './shapes.ts'
import { InvoiceId, ProjectId, dayOf, instant, midnight, named } from './shared.ts'

const methods = { cash: 'CASH', bank_transfer: 'TRANSFER', check: 'CHEQUE', other: 'OTHER' } as const
const Quantity = defaulted(
  labelled('Quantity', Type.Integer({ minimum: 1, maximum: 1000, description: 'How many, 1 to 1000.' })),
  1,
)

export const list_invoices = endpoint({
  summary: 'List invoices with what is paid and what is still open, newest first; drafts are unpaid.',
  aliases: [
    'unpaid invoices',
    'who owes me money',
    'overdue bills',
    'outstanding invoices',
    'what has been paid',
    'who still owes me',
    'did they pay',
    'is the bill settled',
  ],
  label: 'List invoices',
  brief: ['status', 'project_id', 'due_before'],
  access: 'read',
  request: 'POST /graphql',
  input: {
    status: defaulted(
      labelled('Status', oneOf(['unpaid', 'paid', 'all'], 'Only invoices with a balance, or without; all for both.')),
      'unpaid',
    ),
    project_id: Type.Optional(
      labelled('Project', id('project', 'Only the invoices of this project: project_id from list_projects.')),
    ),
    due_before: Type.Optional(
      labelled('Due before', day('Only invoices that are due before this day. Those without a due date are left out.')),
    ),
    limit: limit(25),
    cursor,
  },
  output: {
    invoices: Type.Array(closed(invoice), { description: 'Newest first; empty when none fits what you asked for.' }),
    next_cursor: nextCursor,
  },
  encode: ({ status, project_id, due_before, limit: first }, { anchor }) =>
    operation('BillFeed', {
      settled: status === 'all' ? undefined : status === 'paid',
      engagementId: project_id,
      dueBefore: due_before === undefined ? undefined : midnight(due_before),
      first,
      after: anchor,
    }),
  decode: (answer, { cursor: next }) => {
    const { items, next: place } = connection(result(answer, 'bills'))
    return { invoices: items.map(invoiceOf), next_cursor: next(place) }
  },
})

export const create_invoice = endpoint({
  summary: 'Draft an invoice for a project from packages, line items or both; it is not emailed.',
  aliases: [
    'bill a client',
    'draft an invoice',
    'new invoice for a job',
    'make a bill',
    'write a bill but do not send it',
    'prepare the bill for the shoot',
  ],
  label: 'Draft an invoice',
  brief: ['project_id', 'items', 'packages', 'payment_plan'],
  approval: {
    headline:
      'Draft an invoice for {project_id}[ to {project_id.client.name}][ from the package {packages.name}][ with {items.name}]',
    button: 'Draft invoice',
    consequences: [
      { kind: 'money', text: '[To be paid in {payment_plan|instalment|instalments}, due {payment_plan.due_date}]' },
      { kind: 'other', text: 'It is a draft; nothing is sent to the client' },
    ],
  },
  effect: 'adds',
  shownBy: [{ read: 'list_invoices', from: { project_id: 'project_id' }, set: { status: 'all' } }],
  preview: [project],
  access: 'write',
  request: 'POST /graphql',
  before: '/boot.json',
  input: {
    project_id: ProjectId,
    items: Type.Optional(
      labelled(
        'Lines',
        Type.Array(
          closed({
            name: labelled('For', Type.String({ minLength: 1, maxLength: 200, description: 'What the line is for.' })),
            quantity: Quantity,
            price: labelled(
              'Price of one',
              money(
                ofTheAccount,
                Type.String({
                  pattern: '^-?\\d{1,12}(\\.\\d{1,3})?$',
                  description: 'The price of one, a decimal such as "1250.00"; negative for a discount.',
                }),
              ),
            ),
          }),
          { minItems: 1, maxItems: 50, description: 'Lines of your own, 1 to 50. Give these, packages or both.' },
        ),
      ),
    ),
    packages: Type.Optional(
      labelled(
        'Packages',
        Type.Array(
          closed({
            name: labelled(
              'Package',
              Type.String({
                minLength: 1,
                maxLength: 200,
                description: 'The exact name of the package in the account.',
              }),
            ),
            quantity: Quantity,
          }),
          { minItems: 1, maxItems: 20, description: "The account's own packages at their prices, 1 to 20." },
        ),
      ),
    ),
    payment_plan: Type.Optional(
      labelled(
        'Payment plan',
        Type.Array(
          closed({
            due_date: labelled('Due on', day('When this instalment is due.')),
            amount: Amount(ofTheAccount, 'How much is due.'),
          }),
          {
            minItems: 1,
            maxItems: 12,
            description:
              'Instalments, each later than the one before, that add up to the total. Left out: no due date.',
          },
        ),
      ),
    ),
    currency: Type.Optional(Currency),
  },
  atLeastOne: ['items', 'packages'],
  output: invoice,
  encode: ({ project_id, items, packages, payment_plan, ...input }, { before }) => {
    const code = input.currency ?? homeCurrency(before)
    return operation('DraftBill', {
      engagementId: project_id,
      lines: items?.map(({ name, quantity, price }) => ({ label: name, quantity, unitMinor: minor(price, code) })),
      packages: packages?.map(({ name, quantity }) => ({ packageId: named(before, 'packages', name), quantity })),
      plan: payment_plan?.map((part) => ({ dueAt: midnight(part.due_date), minor: minor(part.amount, code) })),
      currency: code,
    })
  },
  decode: (answer, { input }) => {
    const drafted = invoiceOf(fields(result(answer, 'draftBill')['bill']))
    same(input.project_id, drafted.project.project_id)
    return drafted
  },
})

export const send_invoice = endpoint({
  summary: 'Email a draft invoice, with a link to it, to the client of its project.',
  aliases: ['email the bill', 'send an invoice to the client', 'bill them now'],
  label: 'Send an invoice',
  brief: ['invoice_id', 'message'],
  approval: {
    headline:
      'Send[ {invoice_id.project.project_id.client.name}] the invoice[ of {invoice_id.total}][ for {invoice_id}][ with the message {message}]',
    button: 'Send invoice',
    consequences: [
      {
        kind: 'people',
        text: 'The client gets an e-mail with a link to the invoice[ at {invoice_id.project.project_id.client.email}]',
      },
      { kind: 'money', text: '[{invoice_id.balance} is still to be paid]' },
      { kind: 'irreversible', text: 'An invoice can be e-mailed only once' },
    ],
  },
  effect: 'adds',
  shownBy: [{ read: 'list_invoices', set: { status: 'all' } }],
  preview: [draftInvoice],
  verify: {
    read: 'list_invoices',
    set: { status: 'all', limit: 100 },
    at: 'invoices',
    same: { invoice_id: 'invoice_id' },
    since: 'sent_at',
  },
  access: 'write',
  confirm: true,
  request: 'POST /graphql',
  input: {
    invoice_id: InvoiceId,
    message: Type.Optional(
      labelled(
        'Message',
        Type.String({
          minLength: 1,
          maxLength: 2000,
          description: 'A text for the email, above the link to the invoice.',
        }),
      ),
    ),
  },
  output: {
    invoice_id: invoice.invoice_id,
    sent_to: Type.String({ description: "The client's email address that it went to." }),
    sent_at: described(moment, 'When the email went out, in UTC.'),
  },
  encode: ({ invoice_id, message }) => operation('SendBill', { id: invoice_id, note: message }),
  decode: (answer) => {
    const { bill, mail } = result(answer, 'sendBill')
    const { recipient, at } = fields(mail)
    return { invoice_id: fields(bill)['id'], sent_to: recipient, sent_at: instant(at) }
  },
})

export const record_manual_payment = endpoint({
  summary: 'Record a payment against an invoice that was received outside the app; charges no card, sends nothing.',
  aliases: [
    'client paid in cash',
    'paid by bank transfer',
    'mark invoice as paid',
    'log a check',
    'deposit received',
    'they paid me in cash, put it on the bill',
    'the deposit came by transfer',
  ],
  label: 'Record a payment',
  brief: ['invoice_id', 'amount', 'method', 'received_on'],
  approval: {
    headline: 'Record a payment of {amount}[ ({method})] for {invoice_id}[ on {received_on}]',
    button: 'Record payment',
    consequences: [
      { kind: 'money', text: '[Lowers the open balance of {invoice_id.balance} by {amount}]' },
      { kind: 'other', text: 'No card is charged; nobody is told' },
    ],
  },
  effect: 'adds',
  shownBy: [{ read: 'list_invoices', set: { status: 'all' } }],
  preview: [unpaidInvoice],
  access: 'write',
  request: 'POST /graphql',
  before: '/boot.json',
  input: {
    invoice_id: InvoiceId,
    amount: Amount(besideCurrency, "What was received, at most the invoice's balance."),
    currency: Type.Optional(Currency),
    method: defaulted(
      labelled('Method', oneOf(['cash', 'bank_transfer', 'check', 'other'], 'How it was paid.')),
      'other',
    ),
    received_on: Type.Optional(
      labelled('Received on', day("The day it was received, not in the future; the account's today if left out.")),
    ),
    note: Type.Optional(
      labelled(
        'Note',
        Type.String({ minLength: 1, maxLength: 500, description: 'A private remark about the payment.' }),
      ),
    ),
  },
  output: {
    payment_id: refTo('payment', "The account's own id of the payment; no endpoint takes it."),
    invoice_id: invoice.invoice_id,
    amount: AmountOutput('What was received this time'),
    received_on: Type.String({ format: 'date', description: "The day it was received, in the account's time zone." }),
    status: invoice.status,
    amount_paid: invoice.amount_paid,
    balance: invoice.balance,
    currency: invoice.currency,
  },
  encode: ({ invoice_id, method, received_on, note, ...input }, { before }) => {
    const code = input.currency ?? homeCurrency(before)
    return operation('LogPayment', {
      billId: invoice_id,
      minor: minor(input.amount, code),
      currency: code,
      method: methods[method],
      receivedAt: received_on === undefined ? undefined : midnight(received_on),
      remark: note,
    })
  },
  decode: (answer) => {
    const { payment, bill } = result(answer, 'logPayment')
    const { id: payment_id, worth, receivedAt } = fields(payment)
    const { invoice_id, status, amount_paid, balance, currency: code } = invoiceOf(fields(bill))
    const received = { payment_id, invoice_id, amount: amount(worth), received_on: dayOf(receivedAt) }
    return { ...received, status, amount_paid, balance, currency: code }
  },
})
