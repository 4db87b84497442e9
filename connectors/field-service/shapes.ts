import { Type } from 'typebox'
import { closed, moment } from '../inputs.ts'
import { fields, rows, word } from '../wire.ts'
import type { Fields } from '../wire.ts'
import { decimal, fromDotted, fromLocal, fromLocalToUtc, quantity } from './figures.ts'
import { Decimal, NullableText, StatusOrStage, orNull, ref, stage, status } from './words.ts'

const Day = Type.String({ format: 'date' })
const NullableMoment = Type.Union([moment, Type.Null()])
const Employee = { employee_id: Type.String(), name: Type.String() }

export const Charge = {
  charge_id: Type.String(),
  name: Type.String(),
  quantity: Type.Number(),
  unit_price: Decimal,
  amount: Decimal,
  notes: NullableText,
}

export function charge({ LineId, Label, Qty, Each, Sum, Remark }: Fields) {
  return {
    charge_id: ref(LineId),
    name: Label,
    quantity: quantity(Qty),
    unit_price: decimal(Each),
    amount: decimal(Sum),
    notes: orNull(Remark),
  }
}

const Event = {
  event_id: Type.String(),
  title: Type.String(),
  start_at: moment,
  end_at: moment,
  employee: Type.Union([closed(Employee), Type.Null()], { description: 'null when nobody is assigned.' }),
  notes: NullableText,
}

function event({ VisitId, Topic, From, Till, Crew, Remark }: Fields, zone: unknown) {
  return {
    event_id: ref(VisitId),
    title: Topic,
    start_at: fromLocal(From, zone),
    end_at: fromLocal(Till, zone),
    employee: Crew === null ? null : employee(Crew),
    notes: orNull(Remark),
  }
}

export const TimeEntry = {
  time_entry_id: Type.String(),
  employee: closed(Employee),
  date: Day,
  hours: Type.Number(),
  notes: NullableText,
}

export function timeEntry({ HoursId, Crew, Day: day, Time, Remark }: Fields) {
  return {
    time_entry_id: ref(HoursId),
    employee: employee(Crew),
    date: fromDotted(day),
    hours: quantity(Time),
    notes: orNull(Remark),
  }
}

function employee(crew: unknown) {
  const { CrewId, FullName } = fields(crew)
  return { employee_id: ref(CrewId), name: FullName }
}

const methods = { Cheque: 'check', Cash: 'cash', Other: 'other', Card: 'card' }

const Payment = {
  payment_id: Type.String(),
  method: Type.Enum(['check', 'cash', 'other', 'card'], {
    type: 'string',
    description: 'card is what the customer paid online; the others were recorded by hand.',
  }),
  amount: Decimal,
  paid_on: Day,
  reference: NullableText,
  notes: NullableText,
}

function payment({ PaymentId, Means, Sum, Day: day, Reference, Remark }: Fields) {
  return {
    payment_id: ref(PaymentId),
    method: word(methods, Means),
    amount: decimal(Sum),
    paid_on: fromDotted(day),
    reference: orNull(Reference),
    notes: orNull(Remark),
  }
}

const Invoice = {
  invoice_number: Type.String(),
  created_on: Day,
  status: Type.Enum(['unpaid', 'paid'], { type: 'string' }),
  total: Decimal,
  balance_remaining: Decimal,
  currency: Type.String(),
  sent_at: NullableMoment,
  viewed_at: NullableMoment,
  url: Type.Union([Type.String(), Type.Null()], {
    description: 'Where the customer sees it; null before it was sent.',
  }),
  payments: Type.Array(closed(Payment)),
}

function invoice(bill: Fields, zone: unknown, currency: unknown) {
  return {
    invoice_number: ref(bill['BillNo']),
    created_on: fromDotted(bill['Made']),
    status: word({ Due: 'unpaid', Settled: 'paid' }, bill['Pile']),
    total: decimal(bill['Sum']),
    balance_remaining: decimal(bill['Due']),
    currency,
    sent_at: fromLocalToUtc(bill['MailedAt'], zone),
    viewed_at: fromLocalToUtc(bill['SeenAt'], zone),
    url: bill['Link'],
    payments: rows(bill['Payments']).map(payment),
  }
}

export const Job = {
  job_number: Type.String(),
  service_type: Type.String(),
  customer: Type.String(),
  status: StatusOrStage,
  description: NullableText,
  scope_of_work: NullableText,
  charges: Type.Array(closed(Charge)),
  total: Decimal,
  events: Type.Array(closed(Event)),
  time_entries: Type.Array(closed(TimeEntry)),
  invoice: Type.Union([closed(Invoice), Type.Null()], {
    description: 'null when there is none yet, and for those who may not see invoices.',
  }),
}

export function job(order: Fields) {
  const { Zone, Currency, Bill } = order
  return {
    job_number: ref(order['OrderNo']),
    service_type: order['Service'],
    customer: order['ClientTitle'],
    status: order['Kind'] === 'Job' ? status(order['State']) : stage(order['Stage']),
    description: orNull(order['Internal']),
    scope_of_work: orNull(order['Scope']),
    charges: rows(order['Lines']).map(charge),
    total: decimal(order['Sum']),
    events: rows(order['Visits']).map((visit) => event(visit, Zone)),
    time_entries: rows(order['Hours']).map(timeEntry),
    invoice: Bill === null ? null : invoice(fields(Bill), Zone, Currency),
  }
}
