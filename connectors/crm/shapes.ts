import { Type } from 'typebox'
import { labelled } from '../kit/declared.ts'
import { NullableDay, NullableText, closed, described, moment, refTo } from '../kit/inputs.ts'
import { fields, flag, text } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { AmountOutput, amount, currency } from './money.ts'
import {
  Category,
  FormStatus,
  FormType,
  category,
  dayOf,
  formStatus,
  formType,
  instant,
  nullableInstant,
} from './shared.ts'

export const client = {
  client_id: refTo('client', 'Pass it to create_project to start another project for this client.'),
  name: labelled('Client', Type.String({ description: "The client's full name, as the account has it." })),
  email: labelled(
    'Email',
    described(
      NullableText,
      'Where forms and invoices are mailed; null when none is known: nothing can be mailed then.',
    ),
  ),
}

export const project = {
  project_id: refTo('project', 'Pass it to get_project, update_project_status, create_invoice and others.'),
  title: labelled('Project', Type.String({ description: 'What the project is called in the account.' })),
  client: described(closed(client), 'Whom the project is for, and who gets its forms and invoices.'),
  category: Category,
  status: labelled('Status', Type.String({ description: "One of the account's own statuses, by its exact name." })),
  tags: Type.Array(Type.String(), { description: "The account's own labels; empty when it has none." }),
  project_date: labelled(
    'Date',
    described(NullableDay, 'The day of the event or the work, as it is there; null when not set.'),
  ),
  created_at: described(moment, 'When the project was added, in UTC.'),
}

export function projectOf(row: Fields) {
  const person = fields(row['person'])
  return {
    project_id: row['id'],
    title: row['headline'],
    client: { client_id: person['id'], name: person['fullName'], email: person['mail'] },
    category: category.decode(row['track']),
    status: text(fields(row['stage'])['label']),
    tags: row['labels'],
    project_date: dayOf(row['eventAt']),
    created_at: instant(row['openedAt']),
  }
}

export const form = {
  form_id: refTo('form', 'Pass it to send_form, or to get_form_responses once it is completed.'),
  type: FormType,
  name: labelled(
    'Form',
    Type.String({ description: "The form's title; a copy has its template's unless it was given another." }),
  ),
  status: FormStatus,
}
export const formRow = {
  ...form,
  project_id: refTo('project', 'The project that the form belongs to; pass it to get_project.'),
  project_title: labelled('Project', Type.String({ description: 'What the project of the form is called.' })),
}

export function formOf(paper: Fields) {
  return {
    form_id: paper['id'],
    type: formType.decode(paper['kind']),
    name: paper['heading'],
    status: formStatus.decode(paper['phase']),
  }
}

export function formRowOf(paper: Fields) {
  const { id: project_id, headline: project_title } = fields(paper['engagement'])
  return { ...formOf(paper), project_id, project_title }
}

const InvoiceStatus = labelled(
  'Status',
  Type.Enum(['unpaid', 'paid'], {
    type: 'string',
    description: 'paid: nothing is open any more; unpaid: something is, in drafts too.',
  }),
)

export const invoice = {
  invoice_id: refTo('invoice', 'Pass it to send_invoice or record_manual_payment.'),
  project: described(
    closed({ project_id: project.project_id, title: project.title }),
    'The project that the invoice bills.',
  ),
  status: InvoiceStatus,
  total: labelled('Total', AmountOutput('The sum of all lines')),
  amount_paid: AmountOutput('All payments so far, by card or recorded by hand'),
  balance: labelled('Balance', AmountOutput('What is still open, total less amount_paid')),
  currency: Type.String({ description: 'The currency of the amounts here, three letters such as EUR.' }),
  due_date: labelled(
    'Due on',
    described(
      NullableDay,
      "When the first unpaid instalment is due (or the last was), in the account's time zone; null without instalments.",
    ),
  ),
  sent_at: labelled(
    'Sent at',
    Type.Union([moment, Type.Null()], {
      description: 'When it was emailed to the client, in UTC; null for a draft.',
    }),
  ),
}

export function invoiceOf(bill: Fields) {
  const { id: project_id, headline: title } = fields(bill['engagement'])
  return {
    invoice_id: bill['id'],
    project: { project_id, title },
    status: flag(bill['settled']) ? 'paid' : 'unpaid',
    total: amount(bill['sum']),
    amount_paid: amount(bill['received']),
    balance: amount(bill['outstanding']),
    currency: currency(bill['sum']),
    due_date: dayOf(bill['dueAt']),
    sent_at: nullableInstant(bill['dispatchedAt']),
  }
}
