import { Type } from 'typebox'
import { fromCompact, toCompact } from '../kit/dates.ts'
import type { Money } from '../kit/declared.ts'
import { labelled, money } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { entityPage } from '../kit/before.ts'
import { closed, cursor, day, defaulted, described, id, limit, nextCursor, refTo } from '../kit/inputs.ts'
import { ledTo } from '../kit/location.ts'
import { same } from '../kit/same-thing.ts'
import { fields, rows, word } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { attributes, listQuery, nameOf, nextToken } from './documents.ts'
import { contact, draft } from './previews.ts'
import { formProof } from './proof.ts'
import { Day, amount, toAmount } from './shared.ts'

const inCurrency: Money = { unit: 'major', currency: { field: 'currency' } }

const Invoice = {
  invoice_id: refTo('invoice', 'Pass it to send_invoice while it is a draft.'),
  client: Type.String({ description: 'The full name of the contact who pays.' }),
  total: labelled(
    'Total',
    money(inCurrency, Type.Number({ description: 'The sum of all lines, in currency, such as 1250.5.' })),
  ),
  paid: labelled(
    'Paid',
    money(inCurrency, Type.Number({ description: 'How much of total is paid so far; 0 when nothing is.' })),
  ),
  currency: Type.String({ description: 'Three capital letters, such as EUR.' }),
  due_date: labelled('Due date', described(Day, "The day by which it is to be paid, in the studio's time zone.")),
}

function invoice(bill: Fields, included: unknown) {
  const { sum, settled, money, due_day } = attributes(bill)
  return {
    invoice_id: bill['id'],
    client: nameOf(bill, 'payer', included),
    total: amount(sum),
    paid: amount(settled),
    currency: money,
    due_date: fromCompact(due_day),
  }
}

export const list_invoices = endpoint({
  summary: 'List invoices with what is billed and what is paid, drafts included, newest first.',
  aliases: [
    'unpaid invoices',
    'who owes the studio',
    'billed and paid',
    'overdue invoices',
    'outstanding bills',
    'has the family paid',
    'which bills are open',
  ],
  label: 'List invoices',
  brief: ['unpaid_only'],
  access: 'read',
  request: 'GET /api/bills',
  input: {
    unpaid_only: labelled(
      'Only unpaid',
      Type.Optional(
        Type.Boolean({ description: 'true: only invoices that are not wholly paid. Left out or false: all.' }),
      ),
    ),
    limit: limit(50),
    cursor,
  },
  output: {
    invoices: Type.Array(closed(Invoice), { description: 'Newest first, drafts too; empty when there are none.' }),
    next_cursor: nextCursor,
  },
  encode: ({ unpaid_only, limit: size }, { anchor }) => ({
    query: listQuery({ owing: unpaid_only === true ? 'yes' : null }, { limit: size, anchor }),
  }),
  decode: ({ data, included, meta }, { cursor: next }) => ({
    invoices: rows(data).map((bill) => invoice(bill, included)),
    next_cursor: next(nextToken(meta)),
  }),
})

const LineItem = Type.Object(
  {
    description: labelled(
      'Description',
      Type.String({ minLength: 1, maxLength: 200, description: 'What is billed, as the client reads it.' }),
    ),
    quantity: labelled('Quantity', defaulted(Type.Integer({ minimum: 1, maximum: 1000, description: 'How many.' }), 1)),
    unit_price: labelled(
      'Unit price',
      money(
        { unit: 'major', currency: null },
        Type.Number({
          minimum: 0,
          description: "The price of one, in the invoice's currency, with at most two decimals.",
        }),
      ),
    ),
  },
  { additionalProperties: false, description: 'One line of the invoice.' },
)

export const create_invoice = endpoint({
  summary: 'Draft an invoice for a contact; it is not sent.',
  aliases: ['bill a client for a shoot', 'draft an invoice', 'make an invoice', 'new bill'],
  label: 'Draft an invoice',
  brief: ['contact_id', 'line_items', 'due_date', 'currency'],
  approval: {
    headline: 'Draft an invoice to {contact_id}[ for {line_items.description}][, due on {due_date}]',
    button: 'Draft invoice',
    consequences: [{ kind: 'other', text: 'Stays a draft: the client gets nothing until it is sent' }],
  },
  effect: 'adds',
  shownBy: [{ read: 'list_invoices' }],
  preview: [contact],
  access: 'write',
  request: 'POST /api/bills',
  input: {
    contact_id: labelled('Contact', id('contact', 'Who pays: contact_id from list_contacts or create_contact.')),
    line_items: labelled(
      'Lines',
      Type.Array(LineItem, { minItems: 1, maxItems: 50, description: 'What is billed, 1 to 50 lines.' }),
    ),
    due_date: labelled(
      'Due date',
      Type.Optional(day('When it is to be paid, today or later; 14 days from today when left out.')),
    ),
    currency: labelled(
      'Currency',
      Type.Optional(
        Type.String({
          pattern: '^[A-Z]{3}$',
          description: "Three capital letters, such as EUR; the studio's own when left out.",
        }),
      ),
    ),
  },
  output: {
    ...Invoice,
    status: Type.Literal('draft', { description: 'Always draft: the client gets it with send_invoice.' }),
  },
  encode: ({ contact_id, line_items, due_date, currency }) => {
    const lines = line_items.map(({ description, quantity, unit_price }) => ({
      label: description,
      qty: quantity,
      each: toAmount(unit_price),
    }))
    return {
      json: {
        data: {
          type: 'bills',
          attributes: { lines, due_day: toCompact(due_date), money: currency },
          relationships: { payer: { data: { type: 'people', id: contact_id } } },
        },
      },
    }
  },
  decode: ({ data, included }, { input }) => {
    const { payer } = fields(fields(data)['relationships'])
    same(input.contact_id, fields(fields(payer)['data'])['id'])
    return { ...invoice(fields(data), included), status: word({ draft: 'draft' }, attributes(data)['stage']) }
  },
})

export const send_invoice = endpoint({
  summary: 'Email a draft invoice to its client with a link to pay online.',
  aliases: ['email the invoice', 'send the bill with a link to pay', 'send invoice to a client'],
  label: 'Send an invoice',
  brief: ['invoice_id'],
  approval: {
    headline: 'Send the invoice[ of {invoice_id.total}][ to {invoice_id.client}][, due on {invoice_id.due_date}]',
    button: 'Send invoice',
    consequences: [
      { kind: 'people', text: 'The client gets an e-mail with a link to pay online' },
      { kind: 'money', text: '[{invoice_id.client} is asked to pay {invoice_id.total}]' },
    ],
  },
  effect: 'adds',
  shownBy: [],
  preview: [draft],
  access: 'write',
  confirm: true,
  request: 'POST /studio/bills/{invoice_id}/send',
  before: {
    bill: entityPage('GET /studio/bills/{invoice_id}', {
      '[data-stage]:not([data-stage="draft"])': 'This invoice was sent already.',
    }),
  },
  input: {
    invoice_id: labelled('Invoice', id('invoice', 'A draft: invoice_id from create_invoice or list_invoices.')),
  },
  output: {
    invoice_id: refTo('invoice', 'The invoice that was sent.'),
    status: Type.Literal('sent', { description: 'Always sent: the client has the link to pay.' }),
  },
  encode: () => ({ form: {} }),
  csrf: formProof,
  answer: 'redirect',
  decode: (_answer, { input, location }) => {
    ledTo(location, `studio/bills/${encodeURIComponent(input.invoice_id)}`, { batch: true, done: 'sent' })
    return { invoice_id: input.invoice_id, status: 'sent' }
  },
})
