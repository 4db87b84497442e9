import { html, type Html } from '../platform/html.ts'
import { page } from '../platform/replies.ts'
import { show, submit } from '../platform/routes.ts'
import type { Reply, Route, SignedIn, Viewer } from '../platform/types.ts'
import { findBill, listBills, paymentsOf } from './bills.ts'
import { findEngagement } from './engagements.ts'
import { billNumber, manualMethods, type Bill, type Engagement } from './entities.ts'
import { perform } from './graphql.ts'
import { button, layout, price, root, token, typedMinor } from './layout.ts'
import { need } from './levels.ts'
import { addressed, back, filled, nextLink, numberIn, pageWish, typedDay } from './page-helpers.ts'

const stateOf = (bill: Bill): string =>
  `${bill.sent === undefined ? 'draft' : 'sent'}, ${bill.received >= bill.total ? 'settled' : 'open'}`

export const billTable = (bills: readonly Bill[]): Html =>
  html`<table>
    <tr>
      <th>Bill</th>
      <th>Engagement</th>
      <th>Sum</th>
      <th>Outstanding</th>
      <th>Due</th>
      <th>State</th>
    </tr>
    ${bills.map(
      (bill) =>
        html`<tr>
          <td><a href="${root}/bills/${bill.id}">${billNumber(bill.id)}</a></td>
          <td dir="auto">${bill.engagement.headline}</td>
          <td>${price(bill.total, bill.currency)}</td>
          <td>${price(bill.total - bill.received, bill.currency)}</td>
          <td>${bill.dueOn ?? '–'}</td>
          <td>${stateOf(bill)}</td>
        </tr>`,
    )}
  </table>`

export const billForm = (viewer: Viewer, { id, currency }: Engagement): Html =>
  html`<form class="card" method="post" action="${root}/engagements/${id}/bills">
    ${token(viewer)}
    <label>What for <input name="label" required maxlength="200" dir="auto" /></label>
    <label>Quantity <input name="quantity" type="number" min="1" value="1" /></label>
    <label>Price each (${currency}) <input name="unit" required /></label>
    <label>Due <input name="dueAt" type="date" /></label>
    <button>Draft a bill</button>
  </form>`

export const linesTable = (bill: Bill): Html =>
  html`<table>
    ${bill.lines.map(
      ({ label, quantity, unit }) =>
        html`<tr>
          <td dir="auto">${label}</td>
          <td>${quantity} × ${price(unit, bill.currency)}</td>
        </tr>`,
    )}
    <tr>
      <th>Sum</th>
      <th>${price(bill.total, bill.currency)}</th>
    </tr>
    ${bill.plan.map(
      ({ dueOn, minor }) =>
        html`<tr>
          <td>due ${dueOn}</td>
          <td>${price(minor, bill.currency)}</td>
        </tr>`,
    )}
  </table>`

function bills({ db, viewer, query }: SignedIn): Reply {
  need(viewer, 'money')
  const wish = pageWish(query)
  const shown = query.get('settled')
  const settled = shown === null ? undefined : shown === '1'
  const { rows, total } = listBills(db, viewer, { settled, engagement: undefined, dueBefore: undefined }, wish)
  const body = html`<h1>Bills</h1>
    <p>
      <a href="?">All</a> · <a href="?settled=0">open</a> · <a href="?settled=1">settled</a>
      <span class="small">(${total})</span>
    </p>
    ${billTable(rows.slice(0, wish.first))} ${nextLink(query, rows, wish)}`
  return page(layout({ title: 'Bills', body, viewer }))
}

function sheet(request: SignedIn): Reply {
  const { db, viewer } = request
  need(viewer, 'money')
  const bill = findBill(db, viewer, numberIn(request))
  const path = `/bills/${bill.id}`
  const body = html`<h1>${billNumber(bill.id)}</h1>
    <p>
      <a href="${root}/engagements/${bill.engagement.id}" dir="auto">${bill.engagement.headline}</a> · ${stateOf(bill)}
    </p>
    ${linesTable(bill)} ${bill.sent === undefined && button(viewer, `${path}/send`, 'E-mail it')}
    <h2>Received: ${price(bill.received, bill.currency)}</h2>
    <table>
      ${paymentsOf(db, bill.id).map(
        ({ minor, method, receivedOn, remark }) =>
          html`<tr>
            <td>${receivedOn}</td>
            <td>${price(minor, bill.currency)}</td>
            <td>${method.toLowerCase()}</td>
            <td dir="auto">${remark}</td>
          </tr>`,
      )}
    </table>
    <form class="card" method="post" action="${root}${path}/payments">
      ${token(viewer)}
      <label>Amount (${bill.currency}) <input name="amount" required /></label>
      <label
        >By
        <select name="method">
          ${manualMethods.map((each) => html`<option>${each}</option>`)}
        </select></label
      >
      <label>On <input name="receivedAt" type="date" /></label>
      <label>Remark <input name="remark" maxlength="500" dir="auto" /></label>
      <button>Log a payment</button>
    </form>`
  return page(layout({ title: billNumber(bill.id), body, viewer }))
}

function draft(request: SignedIn): Reply {
  const { db, viewer, form } = request
  const { id, currency } = findEngagement(db, viewer, numberIn(request))
  const quantity = Number(form.get('quantity') ?? 1)
  const unitMinor = typedMinor(form.get('unit') ?? '', currency)
  const dueAt = typedDay(form.get('dueAt'))
  perform(request, 'DraftBill', {
    engagementId: addressed(request, 'Engagement'),
    lines: [{ label: form.get('label'), quantity, unitMinor }],
    plan: dueAt === undefined ? undefined : [{ dueAt, minor: quantity * unitMinor }],
  })
  return back(`/engagements/${id}`, 'drafted')
}

function send(request: SignedIn): Reply {
  perform(request, 'SendBill', { id: addressed(request, 'Bill'), ...filled(request.form, 'note') })
  return back(`/bills/${numberIn(request)}`, 'sent')
}

function log(request: SignedIn): Reply {
  const { db, viewer, form } = request
  need(viewer, 'money')
  const { id, currency } = findBill(db, viewer, numberIn(request))
  perform(request, 'LogPayment', {
    billId: addressed(request, 'Bill'),
    minor: typedMinor(form.get('amount') ?? '', currency),
    receivedAt: typedDay(form.get('receivedAt')),
    ...filled(form, 'method', 'remark'),
  })
  return back(`/bills/${id}`, 'logged')
}

export const billPages: readonly Route[] = [
  show('GET /bills', bills),
  show('GET /bills/{no}', sheet),
  submit('POST /engagements/{no}/bills', draft),
  submit('POST /bills/{no}/send', send),
  submit('POST /bills/{no}/payments', log),
]
