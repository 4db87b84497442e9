import { html } from '../platform/html.ts'
import { page, seeOther } from '../platform/replies.ts'
import { open } from '../platform/routes.ts'
import { table } from '../platform/shell.ts'
import type { AppRequest, Reply, Route } from '../platform/types.ts'
import { findBookingByKey, type Booking } from './bookings.ts'
import { dayIn, panelDay, shiftDay } from './clock.ts'
import { notesAbout, receive } from './inbox.ts'
import { field, layout, root } from './layout.ts'
import { amount } from './money.ts'
import { findProvider } from './provider.ts'
import { book, callOff } from './sales.ts'
import { slotsOf } from './slots.ts'
import { tourOnSale, toursOnSale } from './tours.ts'

function home({ db, viewer }: AppRequest): Reply {
  const rows = toursOnSale(db).map(({ key, title, town }) => [html`<a href="${root}/shop/${key}">${title}</a>`, town])
  const body = html`<h1>Tours and tickets</h1>
    <p><a href="${root}/desk/tours">Providers work here.</a></p>
    ${table(['Tour', 'Town'], rows)}`
  return page(layout({ title: 'Tours and tickets', body, viewer }))
}

function tour({ db, params, viewer, now }: AppRequest): Reply {
  const own = tourOnSale(db, params['key'] ?? '')
  const today = dayIn(own.zone, now)
  const rows = slotsOf(db, own.serial, { from: today, to: shiftDay(today, 30) })
    .filter(({ shut, sold, places }) => !shut && sold < places)
    .map(({ day, hour, sold, places }) => [panelDay(day), hour, `${places - sold} left`])
  const { value, cur } = amount(own.price, findProvider(db, own.account).cur)
  const body = html`<h1 dir="auto">${own.title}</h1>
    <p>${own.town}, ${value} ${cur} each. Times are those of ${own.zone}.</p>
    <form class="card" method="post">
      ${field('day', 'Day', '31-12-2026')} ${field('hour', 'Departure', '18:30')} ${field('pax', 'People', '2')}
      ${field('full', 'Your name')} ${field('mail', 'E-mail')} ${field('tel', 'Telephone')} <button>Book</button>
    </form>
    ${table(['Day', 'Departure', 'Places'], rows)}`
  return page(layout({ title: own.title, body, viewer }))
}

const bookingOf = ({ db, params }: AppRequest): Booking => findBookingByKey(db, params['key'] ?? '')

function trip(request: AppRequest): Reply {
  const own = bookingOf(request)
  const address = `${root}/shop/trip/${own.key}`
  const body = html`<h1 dir="auto">${own.tourTitle}</h1>
    <p>${own.locator}: ${panelDay(own.day)} ${own.hour} (${own.zone}), ${own.pax} people, <b>${own.state}</b></p>
    ${notesAbout(request.db, own)
      .filter(({ side }) => side === 'CLIENT')
      .map(({ words }) => html`<p class="card text" dir="auto">${words}</p>`)}
    <form class="card" method="post" action="${address}/write">
      <label>Ask the provider <textarea name="words" maxlength="2000" required dir="auto"></textarea></label>
      <button>Send</button>
    </form>
    <form method="post" action="${address}/cancel"><button>Cancel the booking</button></form>`
  return page(layout({ title: own.locator, body, viewer: request.viewer }))
}

function after(request: AppRequest, act: (request: AppRequest, booking: Booking) => void): Reply {
  const own = bookingOf(request)
  act(request, own)
  return seeOther(`${root}/shop/trip/${own.key}`)
}

export const shopPages: readonly Route[] = [
  open('GET /', home),
  open('GET /shop/trip/{key}', trip),
  open('POST /shop/trip/{key}/cancel', (request) => after(request, callOff)),
  open('POST /shop/trip/{key}/write', (request) => after(request, receive)),
  open('GET /shop/{key}', tour),
  open('POST /shop/{key}', (request) => {
    const { key } = book(request, tourOnSale(request.db, request.params['key'] ?? ''))
    return seeOther(`${root}/shop/trip/${key}`)
  }),
]
