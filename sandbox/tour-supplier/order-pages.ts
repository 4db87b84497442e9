import { html } from '../platform/html.ts'
import { page } from '../platform/replies.ts'
import { show } from '../platform/routes.ts'
import { table } from '../platform/shell.ts'
import type { Reply, Route, SignedIn } from '../platform/types.ts'
import { addDays, clockIn, colon, dashed, dayIn } from './clock.ts'
import { idOf, type Order } from './entities.ts'
import { readChoice, readSpan } from './input.ts'
import { insightsOf } from './insights.ts'
import { layout, moreLink, priceText, root } from './layout.ts'
import { listMails } from './mails.ts'
import { listOrders, orderKey, ownOrder } from './orders.ts'
import { cut, readWish } from './paging.ts'
import { need, ownSupplier } from './supplier.ts'

const when = (o: Order): string => `${dashed(o.day)} ${colon(o.start)} (${o.zone})`

function orders(request: SignedIn): Reply {
  const { db, viewer, query, now } = request
  const today = dayIn(ownSupplier(request).zone, now)
  const span = readSpan(query, { first: today, last: addDays(today, 7) })
  const state = readChoice(query, 'state', ['LIVE', 'VOID', 'ANY'])
  const filter = { ...span, activity: undefined, state }
  const list = `page of orders ${JSON.stringify(filter)}`
  const wish = readWish(request, list)
  const { rows, after } = cut(request, list, listOrders(db, viewer.account.account, filter, wish), wish, orderKey)
  const body = html`<h1>Orders, ${dashed(span.first)} to ${dashed(span.last)}</h1>
    <form>
      <label>First day <input name="first" value="${span.first}" /></label>
      <label>Last day <input name="last" value="${span.last}" /></label>
      <label>State <input name="state" value="${state}" /></label><button>Show</button>
    </form>
    ${table(
      ['Order', 'Departure', 'Activity', 'Guest', 'Seats', 'State'],
      rows.map((o) => [
        html`<a href="${root}/extranet/orders/${idOf('orders', o.serial)}">${idOf('orders', o.serial)}</a>`,
        ...[when(o), o.headline, o.guest, `${o.adults} + ${o.children}`, o.state],
      ]),
    )}
    ${moreLink('/extranet/orders', query, after)}`
  return page(layout({ title: 'Orders', body, viewer }))
}

function order(request: SignedIn): Reply {
  const o = ownOrder(request)
  const title = `Order ${idOf('orders', o.serial)}`
  const body = html`<h1>${title}</h1>
    <div class="card">
      <p dir="auto"><b>${o.headline}</b> ${o.variantLabel}</p>
      <p>${when(o)}: ${o.adults} adults, ${o.children} children. ${o.state}.</p>
      <p dir="auto">${o.guest} (${o.lang}), ${priceText(o.minor, ownSupplier(request))}</p>
      <p><a href="${root}/trip/${o.key}">What the guest sees</a></p>
    </div>`
  return page(layout({ title, body, viewer: request.viewer }))
}

function insights(request: SignedIn): Reply {
  need(request, 'insights')
  const { db, viewer, query, now } = request
  const supplier = ownSupplier(request)
  const today = dayIn(supplier.zone, now)
  const span = readSpan(query, { first: addDays(today, -30), last: today })
  const rows = insightsOf(db, viewer.account.account, span, undefined)
  const body = html`<h1>Insights, ${dashed(span.first)} to ${dashed(span.last)}</h1>
    ${table(
      ['Activity', 'Orders', 'Cancelled', 'Guests', 'Page views', 'Gross'],
      rows.map((i) => [i.headline, i.sold, i.void, i.guests, i.views, priceText(i.minor, supplier)]),
    )}`
  return page(layout({ title: 'Insights', body, viewer }))
}

function outbox(request: SignedIn): Reply {
  const { db, viewer, query } = request
  const list = 'page of the outbox'
  const wish = readWish(request, list)
  const found = listMails(db, viewer.account.account, wish)
  const { rows, after } = cut(request, list, found, wish, ({ serial }) => [serial])
  const body = html`<h1>E-mail that was sent for you</h1>
    ${table(
      ['Sent (UTC)', 'To', 'Subject', 'Words'],
      rows.map((m) => [clockIn('UTC', m.sent), m.recipient, m.subject, html`<div class="text">${m.words}</div>`]),
    )}
    ${moreLink('/extranet/outbox', query, after)}`
  return page(layout({ title: 'Outbox', body, viewer }))
}

export const orderPages: readonly Route[] = [
  show('GET /extranet/orders', orders),
  show('GET /extranet/orders/{id}', order),
  show('GET /extranet/insights', insights),
  show('GET /extranet/outbox', outbox),
]
