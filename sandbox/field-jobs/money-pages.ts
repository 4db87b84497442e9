import { html, type Html } from '../platform/html.ts'
import { seeOther } from '../platform/replies.ts'
import { show, submit } from '../platform/routes.ts'
import { table } from '../platform/shell.ts'
import type { Reply, Route, SignedIn } from '../platform/types.ts'
import { addBill, billFull, listBills, ownBill, sendBill } from './bills.ts'
import { dashed } from './clock.ts'
import { need, ownCompany } from './company.ts'
import { addEstimate, estimateFull, listEstimates, ownEstimate, sendEstimate } from './estimates.ts'
import { invalid, type Line } from './input.ts'
import { lineFields } from './job-pages.ts'
import { key, root } from './layout.ts'
import { ways } from './messages.ts'
import { amount, formLines, given, link, listPage, shown, time } from './page-helpers.ts'
import { addReceipt, means } from './till.ts'

const choice = (name: string, values: readonly string[]): Html =>
  html`<select name="${name}">
    ${values.map((value) => html`<option>${value}</option>`)}
  </select>`

const sendForm = (request: SignedIn, action: string): Html =>
  html`<form class="card" method="post" action="${action}/send">
    ${key(request.viewer)}${choice('via', ways)} <button>Send</button>
  </form>`

const lineTable = (request: SignedIn, lines: readonly (Omit<Line, 'each'> & { each_minor: number })[]): Html =>
  table(
    ['What', 'Quantity', 'Each'],
    lines.map((line) => [line.label, line.qty, amount(request, line.each_minor)]),
  )

const estimates = (request: SignedIn): Reply =>
  listPage(
    request,
    { title: 'Estimates', path: '/desk/estimates', heads: ['Drafted', 'Customer', 'Amount', 'Stage', 'Sent'] },
    listEstimates(request),
    (e) => [
      link(`/desk/estimates/${e.uuid}`, time(request, e.drafted_at)),
      e.customer.full_name,
      amount(request, e.charge_minor),
      e.stage,
      time(request, e.sent_out_at),
    ],
  )

function newEstimate(request: SignedIn): Reply {
  need(request, 'quote')
  const body = html`<form class="card" method="post" action="${root}/desk/estimates">
    ${key(request.viewer)}
    <label>Customer’s id <input name="customer" required value="${request.query.get('customer')}" /></label>
    ${lineFields(request)}
    <label>Remarks <textarea name="remarks" dir="auto"></textarea></label><button>Draft</button>
  </form>`
  return shown(request, 'New estimate', body)
}

function submitEstimate(request: SignedIn): Reply {
  const { form } = request
  const { uuid } = addEstimate(request, { ...given(form, 'entry', 'qty'), lines: formLines(form) })
  return seeOther(`${root}/desk/estimates/${uuid}`)
}

function estimate(request: SignedIn): Reply {
  const it = estimateFull(request, ownEstimate(request))
  const body = html`<p dir="auto">${it.customer.full_name}, ${it.stage}, ${amount(request, it.charge_minor)}</p>
    ${lineTable(request, it.lines)}
    <p class="text" dir="auto">${it.remarks}</p>
    ${it.stage === 'draft' && sendForm(request, `${root}/desk/estimates/${it.uuid}`)}`
  return shown(request, 'Estimate', body)
}

const bills = (request: SignedIn): Reply =>
  listPage(
    request,
    {
      title: 'Bills',
      path: '/desk/bills',
      heads: ['Raised', 'Customer', 'Amount', 'Owing', 'Due', 'Standing', 'Sent'],
    },
    listBills(request),
    (b) => [
      link(`/desk/bills/${b.uuid}`, time(request, b.raised_at)),
      b.customer.full_name,
      amount(request, b.charge_minor),
      amount(request, b.owing_minor),
      dashed(b.due_day),
      b.standing,
      time(request, b.sent_out_at),
    ],
  )

function bill(request: SignedIn): Reply {
  const it = billFull(request, ownBill(request))
  const action = `${root}/desk/bills/${it.uuid}`
  const body = html`<p dir="auto">
      ${it.customer.full_name}, ${link(`/desk/jobs/${it.job}`, 'job')}, due ${dashed(it.due_day)}
    </p>
    <p>${it.standing}: ${amount(request, it.charge_minor)}, owing ${amount(request, it.owing_minor)}</p>
    ${lineTable(request, it.lines)} ${it.sent_out_at === null && sendForm(request, action)}
    <form class="card" method="post" action="${action}/receipts">
      ${key(request.viewer)}
      <label>Received <input name="amount" inputmode="decimal" required /></label>
      ${choice('means', means)}
      <label>Reference <input name="reference" maxlength="200" dir="auto" /></label><button>Note the money</button>
    </form>`
  return shown(request, 'Bill', body)
}

function submitReceipt(request: SignedIn): Reply {
  const { params } = request
  const { amount: sum = '', ...rest } = given(request.form)
  if (!/^\d{1,12}(\.\d{1,3})?$/.test(sum)) throw invalid('AMOUNT_INVALID', 'Give an amount such as 12.50.', 'amount')
  const amount_minor = Number((Number(sum) * 10 ** ownCompany(request).digits).toFixed(6))
  addReceipt(request, { ...rest, bill: params['uuid'], amount_minor })
  return seeOther(`${root}/desk/bills/${params['uuid']}`)
}

export const moneyPages: readonly Route[] = [
  show('GET /desk/estimates', estimates),
  submit('POST /desk/estimates', submitEstimate),
  show('GET /desk/estimates/new', newEstimate),
  show('GET /desk/estimates/{uuid}', estimate),
  submit('POST /desk/estimates/{uuid}/send', (request) =>
    seeOther(`${root}/desk/estimates/${sendEstimate(request, given(request.form)).uuid}`),
  ),
  show('GET /desk/bills', bills),
  submit('POST /desk/bills', (request) => seeOther(`${root}/desk/bills/${addBill(request, given(request.form)).uuid}`)),
  show('GET /desk/bills/{uuid}', bill),
  submit('POST /desk/bills/{uuid}/send', (request) =>
    seeOther(`${root}/desk/bills/${sendBill(request, given(request.form)).uuid}`),
  ),
  submit('POST /desk/bills/{uuid}/receipts', submitReceipt),
]
