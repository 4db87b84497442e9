import { Type } from 'typebox'
import { codec } from '../kit/codec.ts'
import { labelled, money } from '../kit/declared.ts'
import { NullableText, closed, described, moment, oneOf, refTo } from '../kit/inputs.ts'
import { fields, rows, textOrNull, word } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { decimal, fromDotted, fromLocal, fromLocalToUtc, quantity } from './figures.ts'
import {
  Balance,
  Currency,
  CustomerName,
  Decimal,
  InvoiceTotal,
  OrderRef,
  ServiceType,
  StatusOrStage,
  besideCurrency,
  ref,
  stages,
  statuses,
} from './shared.ts'

const Day = Type.String({ format: 'date' })
const NullableMoment = Type.Union([moment, Type.Null()])
const Remark = Type.String({ description: 'A remark of the team; empty when there is none.' })
const Employee = {
  employee_id: refTo('employee', "The app's number of the employee; endpoints take the whole name instead."),
  name: Type.String({ description: 'The whole name of the employee, as inputs named employee take it.' }),
}
export const EventId = refTo('event', "The app's number of the event; no endpoint takes it.")

export const Charge = {
  charge_id: refTo('charge', "The app's number of the charge; no endpoint takes it."),
  name: Type.String({ description: 'What is charged, as the customer reads it.' }),
  quantity: Type.Number({ description: 'How many, with two decimals at most.' }),
  unit_price: described(Decimal, "The price of one, a decimal text in the firm's currency, such as 18.99."),
  amount: described(
    Decimal,
    "The quantity times unit_price, rounded to two decimals, a decimal text in the firm's currency.",
  ),
  notes: Type.String({ description: 'A remark on this line; empty when there is none.' }),
}

export function charge({ LineId, Label, Qty, Each, Sum, Remark }: Fields) {
  return {
    charge_id: ref(LineId),
    name: Label,
    quantity: quantity(Qty),
    unit_price: decimal(Each),
    amount: decimal(Sum),
    notes: Remark,
  }
}

const Event = {
  event_id: EventId,
  title: Type.String({ description: 'What the event is about; the service where no title was given.' }),
  start_at: described(moment, "When the work begins, with the offset of the firm's time zone."),
  end_at: described(moment, "When the work ends, with the offset of the firm's time zone."),
  employee: Type.Union([closed(Employee), Type.Null()], { description: 'null when nobody is assigned.' }),
  notes: Remark,
}

function event({ VisitId, Topic, From, Till, Crew, Remark }: Fields, zone: unknown) {
  return {
    event_id: ref(VisitId),
    title: Topic,
    start_at: fromLocal(From, zone),
    end_at: fromLocal(Till, zone),
    employee: Crew === null ? null : employee(Crew),
    notes: Remark,
  }
}

export const TimeEntry = {
  time_entry_id: refTo('time_entry', "The app's number of the entry; no endpoint takes it."),
  employee: described(closed(Employee), 'The employee who did the work.'),
  date: described(Day, "The day of the work, on the firm's clocks."),
  hours: Type.Number({ description: 'How long, in hours: 1.5 is an hour and a half.' }),
  notes: Remark,
}

export function timeEntry({ HoursId, Crew, Day: day, Time, Remark }: Fields) {
  return {
    time_entry_id: ref(HoursId),
    employee: employee(Crew),
    date: fromDotted(day),
    hours: quantity(Time),
    notes: Remark,
  }
}

function employee(crew: unknown) {
  const { CrewId, FullName } = fields(crew)
  return { employee_id: ref(CrewId), name: FullName }
}

export const methods = codec({ check: 'Cheque', cash: 'Cash', other: 'Other', card: 'Card' })

const Payment = {
  payment_id: refTo('payment', "The app's number of the payment; no endpoint takes it."),
  method: oneOf(methods.words, 'card is what the customer paid online; the others were recorded by hand.'),
  amount: described(Decimal, "What was paid, a decimal text in the firm's currency, such as 120.50."),
  paid_on: described(Day, "The day of the payment, on the firm's clocks."),
  reference: described(NullableText, 'Such as the number of the check; null when there is none.'),
  notes: Type.String({ description: 'A remark on the payment; empty when there is none.' }),
}

function payment({ PaymentId, Means, Sum, Day: day, Reference, Remark }: Fields) {
  return {
    payment_id: ref(PaymentId),
    method: methods.decode(Means),
    amount: decimal(Sum),
    paid_on: fromDotted(day),
    reference: textOrNull(Reference),
    notes: Remark,
  }
}

const Invoice = {
  invoice_number: refTo('invoice', 'The number of the invoice itself; endpoints take the job_number instead.'),
  created_on: described(Day, "The day on which it was created, on the firm's clocks."),
  status: labelled(
    'Invoice',
    Type.Enum(['unpaid', 'paid'], {
      type: 'string',
      description: 'Is paid when nothing is left to pay, else unpaid.',
    }),
  ),
  total: labelled('Invoice total', money(besideCurrency, InvoiceTotal)),
  balance_remaining: labelled('Left to pay', money(besideCurrency, Balance)),
  currency: Currency,
  sent_at: labelled(
    'Invoice sent at',
    described(NullableMoment, 'When it was emailed to the customer, in UTC, to the minute; null before that.'),
  ),
  viewed_at: described(NullableMoment, 'When the customer first opened it, in UTC, to the minute; null before that.'),
  url: Type.Union([Type.String(), Type.Null()], {
    description: 'Where the customer sees it; null before it was sent.',
  }),
  payments: Type.Array(closed(Payment), { description: 'What was paid so far; empty when nothing was.' }),
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
  job_number: OrderRef,
  service_type: ServiceType,
  customer: CustomerName,
  status: StatusOrStage,
  description: Type.String({
    description: 'What the team should know, which the customer does not see; empty when nothing.',
  }),
  scope_of_work: labelled(
    'Scope of work',
    Type.String({
      description: 'What will be done, as the customer reads it; empty when nothing is written.',
    }),
  ),
  charges: Type.Array(closed(Charge), {
    description: 'What its estimate or invoice charges, in the order of adding; empty when nothing yet.',
  }),
  total: described(Decimal, "The sum of all its charges, a decimal text in the firm's currency, such as 3748.50."),
  events: labelled(
    'Scheduled work',
    Type.Array(closed(Event), { description: 'The scheduled work, earliest first; empty when there is none.' }),
  ),
  time_entries: labelled(
    'Logged hours',
    Type.Array(closed(TimeEntry), {
      description: 'The hours that were logged, by their day, earliest first; empty when none were.',
    }),
  ),
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
    status: order['Kind'] === 'Job' ? statuses.decode(order['State']) : stages.decode(order['Stage']),
    description: order['Internal'],
    scope_of_work: order['Scope'],
    charges: rows(order['Lines']).map(charge),
    total: decimal(order['Sum']),
    events: rows(order['Visits']).map((visit) => event(visit, Zone)),
    time_entries: rows(order['Hours']).map(timeEntry),
    invoice: Bill === null ? null : invoice(fields(Bill), Zone, Currency),
  }
}
