import type { SignedIn } from '../platform/types.ts'
import { billOf, paymentsOf, type Bill } from './bills.ts'
import { lineOf, peopleOf, type Client } from './clients.ts'
import { dayIn, dayText, timeText } from './clock.ts'
import { crewOf, isAdmin, ownFirm, servicesOf, type At, type Firm } from './firm.ts'
import type { Mail } from './mails.ts'
import { decimal } from './numbers.ts'
import { hoursOf, linesOf, namesOn, ordersOf, totalOf, visitsOf } from './orders.ts'
import type { Hours, Line, Order, Visit } from './orders.ts'

/** What leaves as JSON. */

const maybeTime = (at: number | undefined, zone: string): string | null =>
  at === undefined ? null : timeText(at, zone)

export function setupOut(request: SignedIn): object {
  const { db, viewer, now } = request
  const { account, label, person, kind } = viewer.account
  const { zone, currency } = ownFirm(request)
  return {
    AntiForgery: viewer.csrf,
    Login: account,
    Person: person,
    Role: kind,
    Firm: label,
    Zone: zone,
    Currency: currency,
    Today: dayText(dayIn(now, zone)),
    Services: servicesOf(db, account).map(({ id, name }) => ({ ServiceId: id, Label: name })),
    Crew: crewOf(db, account).map(({ id, name, active }) => ({ CrewId: id, FullName: name, Active: active })),
  }
}

export const clientRow = ({ id, title, mail, tel, site }: Client): object => ({
  ClientNo: id,
  Title: title,
  Mail: mail,
  Tel: tel,
  SiteLine: lineOf(site),
})

export function clientOut(request: SignedIn, client: Client): object {
  const orders = ordersOf(request, client.id)
  const { site, billing, directions, memo, company } = client
  return {
    ...clientRow(client),
    Company: company,
    Site: site,
    Billing: billing,
    BillingLine: lineOf(billing),
    People: peopleOf(request.db, client.id).map(({ name, mail, main }) => ({ FullName: name, Mail: mail, Main: main })),
    Orders: orders.flatMap((order) =>
      order.kind === 'Job' ? [{ OrderNo: order.id, Service: order.service, State: order.state }] : [],
    ),
    Leads: orders.flatMap((order) =>
      order.kind === 'Lead' ? [{ OrderNo: order.id, Service: order.service, Stage: order.stage }] : [],
    ),
    Directions: directions,
    Memo: memo,
  }
}

const head = (order: Order): object => ({
  OrderNo: order.id,
  Service: order.service,
  ClientNo: order.client,
  ClientTitle: order.clientTitle,
})

export const jobRow = ({ db }: SignedIn, order: Order, { tick }: At): object => ({
  ...head(order),
  State: order.kind === 'Job' ? order.state : null,
  Slated: order.slated === undefined ? null : dayText(order.slated),
  Crew: namesOn(db, order.id, tick),
})

export const leadRow = (order: Order, { zone }: Firm): object => ({
  ...head(order),
  Stage: order.kind === 'Lead' ? order.stage : null,
  QuoteMailed: order.quoted,
  Opened: dayText(dayIn(order.made, zone)),
})

export const lineOut = ({ id, label, remark, qty, each, sum }: Line): object => ({
  LineId: id,
  Label: label,
  Remark: remark,
  Qty: decimal(qty),
  Each: decimal(each),
  Sum: decimal(sum),
})

const visitOut = ({ id, topic, starts, ends, crew, remark }: Visit, zone: string): object => ({
  VisitId: id,
  Topic: topic,
  From: timeText(starts, zone),
  Till: timeText(ends, zone),
  Crew: crew ? { CrewId: crew.id, FullName: crew.name } : null,
  Remark: remark,
})

export const hoursOut = ({ id, crew, day, time, remark }: Hours): object => ({
  HoursId: id,
  Crew: { CrewId: crew.id, FullName: crew.name },
  Day: dayText(day),
  Time: decimal(time),
  Remark: remark,
})

export const billRow = (bill: Bill, { zone }: Firm): object => ({
  BillNo: bill.id,
  OrderNo: bill.order,
  ClientNo: bill.client,
  ClientTitle: bill.clientTitle,
  Made: dayText(dayIn(bill.made, zone)),
  Sum: decimal(bill.total),
  Received: decimal(bill.received),
  Due: decimal(bill.total - bill.received),
  Pile: bill.settled ? 'Settled' : 'Due',
  MailedAt: maybeTime(bill.mailed, zone),
  SeenAt: maybeTime(bill.seen, zone),
})

export const billOut = ({ db, base }: SignedIn, bill: Bill, firm: Firm): object => ({
  ...billRow(bill, firm),
  Link: bill.mailed === undefined ? null : `${base}/b/${bill.link}`,
  Payments: paymentsOf(db, bill.id).map(({ id, means, cents, day, reference, remark }) => ({
    PaymentId: id,
    Means: means,
    Sum: decimal(cents),
    Day: dayText(day),
    Reference: reference,
    Remark: remark,
  })),
})

export function orderOut(request: SignedIn, order: Order): object {
  const { db } = request
  const firm = ownFirm(request)
  const lines = linesOf(db, order.id)
  const bill = isAdmin(request) ? billOf(db, order.id) : undefined
  return {
    ...head(order),
    Kind: order.kind,
    State: order.kind === 'Job' ? order.state : null,
    Stage: order.kind === 'Lead' ? order.stage : null,
    QuoteMailed: order.quoted,
    Opened: dayText(dayIn(order.made, firm.zone)),
    Internal: order.internal,
    Scope: order.scope,
    Zone: firm.zone,
    Currency: firm.currency,
    Lines: lines.map(lineOut),
    Sum: decimal(totalOf(lines)),
    Visits: visitsOf(db, order.id).map((visit) => visitOut(visit, firm.zone)),
    Hours: hoursOf(db, order.id).map(hoursOut),
    BillShown: isAdmin(request),
    Bill: bill ? billOut(request, bill, firm) : null,
  }
}

export const mailOut = ({ id, order, kind, recipient, subject, words, sent }: Mail, { zone }: Firm): object => ({
  MailId: id,
  OrderNo: order,
  Kind: kind,
  Recipient: recipient,
  Subject: subject,
  Words: words,
  SentAt: timeText(sent, zone),
})
