import { html, type Html } from '../platform/html.ts'
import { page, seeOther } from '../platform/replies.ts'
import { show, submit } from '../platform/routes.ts'
import { table } from '../platform/shell.ts'
import type { Reply, Route, SignedIn } from '../platform/types.ts'
import { addPayment, billOf, listBills, mailBill, makeBill, means, paymentFields } from './bills.ts'
import { timeText } from './clock.ts'
import { isAdmin, ownFirm } from './firm.ts'
import { formFields } from './input.ts'
import { layout, root } from './layout.ts'
import { listMails } from './mails.ts'
import { decimal } from './numbers.ts'
import { mailFields } from './order-writes.ts'
import { area, filters, input, nextLink, select, writeForm } from './page-parts.ts'
import { readSlice } from './paging.ts'

/** What can be done next with the bill of a job. */
export function billForms(request: SignedIn, order: number): Html | false {
  if (!isAdmin(request)) return false
  const bill = billOf(request.db, order)
  const path = `/app/orders/${order}/bill`
  if (!bill) return writeForm(request, path, 'Make the bill', html``)
  const due = decimal(bill.total - bill.received)
  const ways = means.map((way) => [way, way] as const)
  const payment = html`<p>${due} due</p>
    ${select('Means', 'How', ways)}${input('Reference', 'Reference')}${input('Remark', 'Remark')}`
  const unmailed = bill.mailed === undefined && !bill.settled
  return html`${unmailed && writeForm(request, `${path}/mail`, 'Mail the bill', area('Message', 'Message'))}
  ${!bill.settled && writeForm(request, `${path}/payments`, 'Payment', payment)}`
}

function list(request: SignedIn): Reply {
  const { viewer } = request
  const { zone } = ownFirm(request)
  const slice = readSlice(request)
  const { rows, found } = listBills(request, slice)
  const lines = rows.map((bill) => [
    bill.id,
    html`<a href="${root}/app/orders/${bill.order}">${bill.order}</a>`,
    bill.clientTitle,
    decimal(bill.total),
    decimal(bill.total - bill.received),
    bill.mailed !== undefined && timeText(bill.mailed, zone),
    bill.seen !== undefined && timeText(bill.seen, zone),
  ])
  const body = html`<h1>Bills</h1>
    ${filters('Pile', ['Due', 'Settled'])} ${table(['Bill', 'Job', 'Client', 'Sum', 'Due', 'Mailed', 'Seen'], lines)}
    ${nextLink(request, slice, found)}`
  return page(layout({ title: 'Bills', body, viewer }))
}

function outbox(request: SignedIn): Reply {
  const { viewer } = request
  const { zone } = ownFirm(request)
  const slice = readSlice(request)
  const { rows, found } = listMails(request, slice)
  const lines = rows.map(({ sent, recipient, subject, words }) => [
    timeText(sent, zone),
    recipient,
    html`<b>${subject}</b><br /><span class="text">${words}</span>`,
  ])
  const body = html`<h1>Outbox</h1>
    ${table(['Sent', 'To', 'Mail'], lines)} ${nextLink(request, slice, found)}`
  return page(layout({ title: 'Outbox', body, viewer }))
}

function submitBill(request: SignedIn): Reply {
  formFields(request.form, [])
  const { id, order } = makeBill(request)
  return seeOther(`${root}/app/orders/${order}?bill=${id}`)
}

function submitMail(request: SignedIn): Reply {
  const { order, mail } = mailBill(request, formFields(request.form, mailFields))
  return seeOther(`${root}/app/orders/${order}?mail=${mail}`)
}

function submitPayment(request: SignedIn): Reply {
  const { order, id } = addPayment(request, formFields(request.form, paymentFields))
  return seeOther(`${root}/app/orders/${order}?payment=${id}`)
}

export const billPages: readonly Route[] = [
  show('GET /app/bills', list),
  show('GET /app/outbox', outbox),
  submit('POST /app/orders/{order}/bill', submitBill),
  submit('POST /app/orders/{order}/bill/mail', submitMail),
  submit('POST /app/orders/{order}/bill/payments', submitPayment),
]
