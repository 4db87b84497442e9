import { html, type Html } from '../platform/html.ts'
import { page, seeOther } from '../platform/replies.ts'
import { show, submit } from '../platform/routes.ts'
import type { Reply, Route, SignedIn } from '../platform/types.ts'
import { draftBill, listBills, ownBill, sendBill } from './bills.ts'
import { dashed } from './clock.ts'
import { idOf, stageOf, type Bill } from './entities.ts'
import { layout, olderLink, proof, root, table } from './layout.ts'
import { amount } from './money.ts'
import { cut, readWish, readYesNo } from './parameters.ts'
import { findPerson, listPeople } from './people.ts'

const billPath = ({ serial }: Bill): string => `${root}/studio/bills/${idOf('bills', serial)}`

const payerOf = ({ db }: SignedIn, bill: Bill): string => findPerson(db, bill.account, bill.payer)?.fullName ?? ''

const billLine = (request: SignedIn, bill: Bill): Html =>
  html`<tr>
    <td><a href="${billPath(bill)}">${bill.number}</a></td>
    <td dir="auto">${payerOf(request, bill)}</td>
    <td>${stageOf(bill)}</td>
    <td>${amount(bill.cents)} ${bill.money}</td>
    <td>${amount(bill.settled)}</td>
    <td>${dashed(bill.dueDay)}</td>
  </tr>`

function newBillForm({ db, viewer }: SignedIn): Html {
  const { rows } = listPeople(db, viewer.account.account, '', { size: 100, below: Number.MAX_SAFE_INTEGER })
  const payers = rows.map(
    (person) => html`<option value="${idOf('people', person.serial)}">${person.fullName}</option>`,
  )
  return html`<form class="box" method="post" action="${root}/studio/bills">
    <h2>New bill</h2>
    ${proof(viewer)}<label
      >Payer
      <select name="payer">
        ${payers}
      </select></label
    >
    <label>For <input name="label" required maxlength="200" dir="auto" /></label>
    <label>Amount <input name="each" required placeholder="1250,00" /></label><button>Keep as draft</button>
  </form>`
}

function billList(request: SignedIn): Reply {
  const { db, viewer, query } = request
  const owing = readYesNo(query, 'filter[owing]')
  const name = `bills ${owing}`
  const wish = readWish(request, name)
  const { rows, token } = cut(request, name, listBills(db, viewer.account.account, owing, wish).rows, wish)
  const lines = rows.map((bill) => billLine(request, bill))
  const body = html`<h1>Bills</h1>
    <p><a href="?">All</a> · <a href="?filter[owing]=yes">Owing</a> · <a href="?filter[owing]=no">Paid</a></p>
    ${table(['Number', 'Payer', 'Stage', 'Sum', 'Settled', 'Due'], lines)} ${olderLink('/studio/bills', query, token)}
    ${newBillForm(request)}`
  return page(layout({ title: 'Bills', body, viewer }))
}

function billDetail(request: SignedIn): Reply {
  const { viewer, base } = request
  const bill = ownBill(request)
  const lines = bill.lines.map(
    ({ label, qty, cents }) =>
      html`<tr>
        <td dir="auto">${label}</td>
        <td>${qty}</td>
        <td>${amount(cents)}</td>
      </tr>`,
  )
  const body = html`<h1>Bill ${bill.number}</h1>
    <p>
      <span dir="auto">${payerOf(request, bill)}</span> · <b data-stage="${stageOf(bill)}">${stageOf(bill)}</b> · due
      ${dashed(bill.dueDay)} · ${amount(bill.settled)} of ${amount(bill.cents)} ${bill.money}
    </p>
    ${table(['For', 'Quantity', 'Each'], lines)}
    <p class="text" dir="auto">${bill.memo}</p>
    ${
      bill.sent === null
        ? html`<form method="post" action="${billPath(bill)}/send">
            ${proof(viewer)}<button>Send with payment link</button>
          </form>`
        : html`<p><a href="${base}/pay/${bill.key}">Payment page</a></p>`
    }`
  return page(layout({ title: `Bill ${bill.number}`, body, viewer }))
}

function submitBill(request: SignedIn): Reply {
  const { form } = request
  const attributes = { lines: [{ label: form.get('label'), each: form.get('each') }] }
  const bill = draftBill(request, { attributes, related: { payer: form.get('payer') ?? '' } })
  return seeOther(`${billPath(bill)}?done=drafted`)
}

function submitSend(request: SignedIn): Reply {
  const { bill, batch } = sendBill(request)
  return seeOther(`${billPath(bill)}?done=sent&batch=${batch}`)
}

export const billPages: readonly Route[] = [
  show('GET /studio/bills', billList),
  submit('POST /studio/bills', submitBill),
  show('GET /studio/bills/{bill}', billDetail),
  submit('POST /studio/bills/{bill}/send', submitSend),
]
