import { html } from '../platform/html.ts'
import { page, seeOther } from '../platform/replies.ts'
import { show, submit } from '../platform/routes.ts'
import { table, token } from '../platform/shell.ts'
import type { Reply, Route, SignedIn } from '../platform/types.ts'
import { panelDay } from './clock.ts'
import { formFields } from './input.ts'
import { layout, look, root } from './layout.ts'
import { amount, askPayout, billId, listMonths, ownBill } from './money.ts'
import { ownProvider, todayHere } from './provider.ts'

function money(request: SignedIn): Reply {
  const { query, viewer } = request
  const { cur } = ownProvider(request)
  const year = Number(query.get('year') ?? todayHere(request).slice(0, 4))
  const rows = listMonths(request).map(({ month, gross, fee, due, ref }) => [
    panelDay(month),
    amount(gross, cur).value,
    html`<a href="${root}/desk/bills/${billId(request, month)}/download">${amount(fee, cur).value}</a>`,
    amount(due, cur).value,
    ref ??
      html`<form method="post" action="${root}/desk/payouts">
        ${token(look, viewer)}<input type="hidden" name="month" value="${panelDay(month)}" /><button>Ask for it</button>
      </form>`,
  ])
  const body = html`<h1>Money, ${cur}</h1>
    ${query.has('ref') && html`<p class="card" role="status">${query.get('paid')} is paid out: ${query.get('ref')}.</p>`}
    <p><a href="${root}/desk/money?year=${year - 1}">${year - 1}</a></p>
    ${table(['Month', 'Trips', 'Our fee (bill)', 'Due to you', 'Paid out'], rows)}`
  return page(layout({ title: 'Money', body, viewer }))
}

function submitPayout(request: SignedIn): Reply {
  const { month, ref } = askPayout(request, formFields(request.form, 'month'))
  return seeOther(`${root}/desk/money?year=${month.slice(0, 4)}&paid=${panelDay(month)}&ref=${ref}`)
}

function download(request: SignedIn): Reply {
  const { month, gross, fee } = ownBill(request)
  const { cur } = ownProvider(request)
  const { label } = request.viewer.account
  const inv = billId(request, month)
  const body = html`<h1>Bill ${inv}</h1>
    <p dir="auto">${label}</p>
    <p>Fee for ${panelDay(month)}: ${amount(fee, cur).value} ${cur} of ${amount(gross, cur).value} ${cur}</p>`
  const reply = page(layout({ title: inv, body, viewer: request.viewer }))
  reply.headers['content-disposition'] = `attachment; filename="${inv}.html"`
  return reply
}

export const moneyPages: readonly Route[] = [
  show('GET /desk/money', money),
  submit('POST /desk/payouts', submitPayout),
  show('GET /desk/bills/{inv}/download', download),
]
