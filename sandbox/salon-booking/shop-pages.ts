import { html } from '../platform/html.ts'
import { page, seeOther } from '../platform/replies.ts'
import { open, show, submit } from '../platform/routes.ts'
import type { AppRequest, Reply, Route, SignedIn } from '../platform/types.ts'
import { amount, bodyOf, layout, moreLinks, options, root, token } from './layout.ts'
import { payoutsFound, takingsFound } from './lists.ts'
import { payOut } from './payouts.ts'
import { need, salonOf } from './salon.ts'
import { findStylist, menuOf, stylistsOf } from './shop.ts'
import { receipts } from './takings.ts'
import { blockTime, offKinds, timeOffOf, zoneOf } from './time-off.ts'
import { dayText, wallText } from './zones.ts'

function welcome({ viewer }: AppRequest): Reply {
  const body = html`<h1>Lustra</h1>
    <p>The diary for salons with more than one chair: bookings, guests, takings.</p>
    <p><a href="${root}/${viewer ? 'diary' : 'sign-in'}">${viewer ? 'To the diary' : 'Sign in'}</a></p>`
  return page(layout({ title: 'Welcome', body, viewer }))
}

function menu(request: SignedIn): Reply {
  const { db, viewer } = request
  const salon = salonOf(request)
  const rows = menuOf(db, salon.account).map(
    (item) =>
      html`<tr>
        <td dir="auto">${item.label}</td>
        <td>${item.section}</td>
        <td>${item.minutes} min</td>
        <td>${amount(item.price, salon)}</td>
      </tr>`,
  )
  const body = html`<h1>Menu</h1>
    <table>
      ${rows}
    </table>`
  return page(layout({ title: 'Menu', body, viewer }))
}

function team(request: SignedIn): Reply {
  need(request, 'diary')
  const { db, viewer } = request
  const rows = stylistsOf(db, viewer.account.account).map(
    ({ id, name }) => html`<li dir="auto"><a href="${root}/team/${id}">${name}</a></li>`,
  )
  const body = html`<h1>Team</h1>
    <ul>
      ${rows}
    </ul>`
  return page(layout({ title: 'Team', body, viewer }))
}

function stylistDetail(request: SignedIn): Reply {
  need(request, 'diary')
  const { db, viewer, params, now } = request
  const { account } = viewer.account
  const stylist = findStylist(db, account, params['stylist'] ?? '')
  const zone = zoneOf(db, account, stylist)
  const body = html`<h1 dir="auto">${stylist.name}</h1>
    <h2>Time off</h2>
    <ul>
      ${timeOffOf(db, stylist.id, now).map(
        (off) =>
          html`<li dir="auto">
            ${wallText(off.starts, zone)} to ${wallText(off.ends, zone)}: ${off.kind} ${off.label}
          </li>`,
      )}
    </ul>
    <form class="card" method="post" action="${root}/team/${stylist.id}/time-off">
      ${token(viewer)}<input type="hidden" name="tz" value="${zone}" />
      <label
        >What
        <select name="kind">
          ${options(offKinds.map((kind) => ({ id: kind, label: kind })))}
        </select></label
      >
      <label>From <input name="begin_local" required value="${wallText(now, zone)}" /></label>
      <label>To <input name="finish_local" required value="${wallText(now + 1800, zone)}" /></label>
      <label>Note <input name="label" dir="auto" /></label>
      <button>Block this time</button>
    </form>`
  return page(layout({ title: stylist.name, body, viewer }))
}

/** A day's receipts, with what the sums leave out. */
function till(request: SignedIn): Reply {
  const { db, viewer, query, now } = request
  const today = Math.floor(now / 86_400)
  const { salon, days, sum } = takingsFound(request, { first: today - 1, last: today - 1 })
  const money = (minor: number): string => amount(minor, salon)
  const rows = receipts(db, salon.account, days.first).map(
    (line) =>
      html`<tr data-gross="${line.gross}" data-tip="${line.tip}" data-service="${line.service}">
        <td dir="auto">${line.pieces} × ${line.label}</td>
        <td>${line.pay}</td>
        <td dir="auto">${line.promo}</td>
        <td>${money(line.gross)}</td>
        <td>${money(line.rebate)}</td>
        <td>${money(line.refund)}</td>
        <td>${money(line.tip)}</td>
        <td>${money(line.service)}</td>
      </tr>`,
  )
  const body = html`<h1>Takings</h1>
    <form class="card">
      <label>Day <input name="first_day" value="${query.get('first_day') ?? dayText(days.first)}" /></label>
      <button>Show</button>
    </form>
    <p>Without tips and service: ${money(sum.gross)}, less ${money(sum.rebate)} and ${money(sum.refund)} given back.</p>
    <h2>Receipts of ${dayText(days.first)}</h2>
    <table>
      <tr>
        <th>Sold</th>
        <th>Paid by</th>
        <th>Promotion</th>
        <th>Price</th>
        <th>Rebate</th>
        <th>Given back</th>
        <th>Tip</th>
        <th>Service</th>
      </tr>
      ${rows}
    </table>`
  return page(layout({ title: 'Takings', body, viewer }))
}

function walletPage(request: SignedIn): Reply {
  const { viewer, query } = request
  const { salon, slice, rows, total } = payoutsFound(request)
  const body = html`<h1>Wallet</h1>
    <p>${amount(salon.balance, salon)} to be paid out.</p>
    <form class="card" method="post" action="${root}/wallet/pay-out">
      ${token(viewer)}
      <label>Pay out now, in the smallest coin <input name="gross" inputmode="numeric" required /></label>
      <button>Pay out</button>
    </form>
    <table>
      ${rows.map(
        (row) =>
          html`<tr>
            <td>${dayText(row.day)}</td>
            <td>${row.kind === 'auto' ? 'scheduled' : 'by hand'}</td>
            <td>${amount(row.gross, salon)}</td>
            <td>less ${amount(row.fee, salon)}</td>
          </tr>`,
      )}
    </table>
    ${moreLinks('/wallet', query, salon, slice, total)}`
  return page(layout({ title: 'Wallet', body, viewer }))
}

export const shopPages: readonly Route[] = [
  open('GET /', welcome),
  show('GET /menu', menu),
  show('GET /team', team),
  show('GET /team/{stylist}', stylistDetail),
  submit('POST /team/{stylist}/time-off', (request) => {
    blockTime(request, bodyOf(request.form))
    return seeOther(`${root}/team/${request.params['stylist'] ?? ''}?done=blocked`)
  }),
  show('GET /takings', till),
  show('GET /wallet', walletPage),
  submit('POST /wallet/pay-out', (request) => {
    payOut(request, Number(request.form.get('gross') || Number.NaN))
    return seeOther(`${root}/wallet?done=paid_out`)
  }),
]
