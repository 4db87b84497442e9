import { html } from '../platform/html.ts'
import { page, seeOther } from '../platform/replies.ts'
import { open } from '../platform/routes.ts'
import { table } from '../platform/shell.ts'
import type { AppRequest, Reply, Route } from '../platform/types.ts'
import { findActivity, variantsOf } from './activities.ts'
import { addDays, colon, dashed, dayIn } from './clock.ts'
import { idOf, type Order } from './entities.ts'
import { cancelOrder, placeOrder, rateOrder, writeToSupplier } from './guests.ts'
import { layout, paths, priceText, root } from './layout.ts'
import { orderByKey } from './orders.ts'
import { seatsOf } from './seats.ts'
import { findSupplier } from './supplier.ts'
import { pricesOn } from './tariffs.ts'

function home({ viewer }: AppRequest): Reply {
  const body = html`<h1>The extranet for those who run tours</h1>
    <p>Guests come by the link of a tour. <a href="${root}${paths.signIn}">Suppliers sign in here.</a></p>`
  return page(layout({ title: 'Welcome', body, viewer }))
}

function tour({ db, params, viewer, now }: AppRequest): Reply {
  const activity = findActivity(db, params['id'] ?? '')
  const supplier = findSupplier(db, activity.account)
  const today = dayIn(activity.zone, now)
  const variants = variantsOf(db, activity)
  const rows = variants.flatMap((variant) =>
    seatsOf(db, variant, { first: today, last: addDays(today, 6) }).map(({ day, departures }) => {
      const prices = pricesOn(db, variant.serial, day)
      const left = departures.map(({ start, free }) => `${colon(start)} (${free} left)`).join(' · ')
      const cost = `${priceText(prices.adults, supplier)}, children ${priceText(prices.children, supplier)}`
      return [variant.label, dashed(day), left, cost]
    }),
  )
  const options = variants.map(({ serial, label }) => {
    const id = idOf('variants', serial)
    return html`<option value="${id}">${label || id}</option>`
  })
  const body = html`<h1 dir="auto">${activity.headline}</h1>
    ${table(['Variant', 'Day', 'Departures', 'Price'], rows)}
    ${
      activity.stage === 'ONLINE' &&
      html`<form class="card" method="post" action="${root}/tours/${idOf('activities', activity.serial)}/book">
        <label
          >Variant
          <select name="variant">
            ${options}
          </select></label
        >
        <label>Day <input name="day" value="${addDays(today, 1)}" /></label>
        <label>Departure <input name="start" placeholder="0930" /></label>
        <label>Adults <input name="adults" value="1" /></label>
        <label>Children <input name="children" value="0" /></label>
        <label>Your name <input name="guest" /></label><label>E-mail <input name="mail" type="email" /></label>
        <label>Language <input name="lang" value="en" /></label><button>Book</button>
      </form>`
    }`
  return page(layout({ title: activity.headline, body, viewer }))
}

function book(request: AppRequest): Reply {
  const activity = findActivity(request.db, request.params['id'] ?? '')
  return seeOther(`${root}/trip/${placeOrder(request, activity).key}`)
}

const orderOf = ({ db, params }: AppRequest): Order => orderByKey(db, params['key'] ?? '')

function trip(request: AppRequest): Reply {
  const o = orderOf(request)
  const path = `${root}/trip/${o.key}`
  const body = html`<h1 dir="auto">${o.headline}</h1>
    <p>Order ${idOf('orders', o.serial)}: ${dashed(o.day)} ${colon(o.start)}, ${o.state}</p>
    <form class="card" method="post" action="${path}/words">
      <label>Write to your host <textarea name="words" dir="auto"></textarea></label><button>Send</button>
    </form>
    <form class="card" method="post" action="${path}/rate">
      <label>Stars, 1 to 5 <input name="stars" /></label>
      <label>How was it? <textarea name="words" dir="auto"></textarea></label><button>Publish</button>
    </form>
    <form method="post" action="${path}/cancel"><button>Cancel this order</button></form>`
  return page(layout({ title: o.headline, body, viewer: request.viewer }))
}

/** A guest does something with the order of the link, and sees it again. */
const withOrder =
  (act: (request: AppRequest, order: Order) => void) =>
  (request: AppRequest): Reply => {
    const order = orderOf(request)
    act(request, order)
    return seeOther(`${root}/trip/${order.key}`)
  }

export const guestPages: readonly Route[] = [
  open('GET /', home),
  open('GET /tours/{id}', tour),
  open('POST /tours/{id}/book', book),
  open('GET /trip/{key}', trip),
  open('POST /trip/{key}/words', withOrder(writeToSupplier)),
  open('POST /trip/{key}/rate', withOrder(rateOrder)),
  open('POST /trip/{key}/cancel', withOrder(cancelOrder)),
]
