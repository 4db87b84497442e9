import { Type } from 'typebox'
import { closed, moment } from '../inputs.ts'
import { UnknownShape, fields, text } from '../wire.ts'
import type { Fields } from '../wire.ts'
import { amount, currency } from './money.ts'
import {
  Category,
  FormStatus,
  FormType,
  category,
  dayOf,
  formStatus,
  formType,
  instant,
  nullable,
  nullableDay,
  nullableInstant,
} from './words.ts'

export const project = {
  project_id: Type.String(),
  title: Type.String(),
  client: closed({ client_id: Type.String(), name: Type.String(), email: nullable }),
  category: Category,
  status: Type.String(),
  tags: Type.Array(Type.String()),
  project_date: nullableDay,
  created_at: moment,
}

export function projectOf(row: Fields) {
  const person = fields(row['person'])
  return {
    project_id: row['id'],
    title: row['headline'],
    client: { client_id: person['id'], name: person['fullName'], email: person['mail'] },
    category: category(row['track']),
    status: text(fields(row['stage'])['label']),
    tags: row['labels'],
    project_date: dayOf(row['eventAt']),
    created_at: instant(row['openedAt']),
  }
}

export const form = { form_id: Type.String(), type: FormType, name: Type.String(), status: FormStatus }
export const formRow = { ...form, project_id: Type.String(), project_title: Type.String() }

export function formOf(paper: Fields) {
  return {
    form_id: paper['id'],
    type: formType(paper['kind']),
    name: paper['heading'],
    status: formStatus(paper['phase']),
  }
}

export function formRowOf(paper: Fields) {
  const { id: project_id, headline: project_title } = fields(paper['engagement'])
  return { ...formOf(paper), project_id, project_title }
}

export const InvoiceStatus = Type.Enum(['unpaid', 'paid'], { type: 'string' })

export const invoice = {
  invoice_id: Type.String(),
  project: closed({ project_id: Type.String(), title: Type.String() }),
  status: InvoiceStatus,
  total: Type.String(),
  amount_paid: Type.String(),
  balance: Type.String(),
  currency: Type.String(),
  due_date: nullableDay,
  sent_at: Type.Union([moment, Type.Null()]),
}

export function invoiceOf(bill: Fields) {
  const { id: project_id, headline: title } = fields(bill['engagement'])
  return {
    invoice_id: bill['id'],
    project: { project_id, title },
    status: invoiceStatus(bill['settled']),
    total: amount(bill['sum']),
    amount_paid: amount(bill['received']),
    balance: amount(bill['outstanding']),
    currency: currency(bill['sum']),
    due_date: dayOf(bill['dueAt']),
    sent_at: nullableInstant(bill['dispatchedAt']),
  }
}

function invoiceStatus(settled: unknown): string {
  if (typeof settled !== 'boolean') throw new UnknownShape('neither settled nor not')
  return settled ? 'paid' : 'unpaid'
}
