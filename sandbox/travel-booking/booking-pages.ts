import { html, type Html } from '../platform/html.ts'
import { page, seeOther } from '../platform/replies.ts'
import { show, submit } from '../platform/routes.ts'
import { table, token as seal } from '../platform/shell.ts'
import type { Reply, Route, SignedIn } from '../platform/types.ts'
import { bookingRef, listBookings, ownBooking, scopes, sumOf, ticketKey, type Booking } from './bookings.ts'
import { cancelBooking, giveBackOf, listMoves, moveBooking } from './changes.ts'
import { spoken } from './clock.ts'
import { readChoice } from './input.ts'
import { listLetters, routeOf } from './letters.ts'
import { layout, look, moreLink, root } from './look.ts'
import { price } from './money.ts'
import { pageOf } from './paging.ts'
import { searchedDay } from './search.ts'

const address = (booking: { serial: number }): string => `${root}/trips/bookings/${bookingRef(booking)}`

function myTrips(request: SignedIn): Reply {
  const { viewer, query } = request
  const scope = readChoice(query, 'scope', scopes, 'AHEAD')
  const name = `bookings ${scope}`
  const { rows, after } = pageOf(
    request,
    name,
    (wish) => listBookings(request, scope, wish),
    ({ leaves }) => leaves,
  )
  const lines = rows.map((b) => [
    html`<a href="${address(b)}">${bookingRef(b)}</a>`,
    routeOf(b),
    spoken(b.trip.leaves),
    b.trip.carrier,
    b.standing,
  ])
  const body = html`<h1>My trips</h1>
    <p>${scopes.map((one) => html`<a href="${root}/trips?scope=${one}">${one}</a> `)}</p>
    ${table(['Booking', 'Journey', 'Leaves', 'Carrier', 'Standing'], lines)} ${moreLink('/trips', query, after)}`
  return page(layout({ title: 'My trips', body, viewer }))
}

function forms(request: SignedIn, b: Booking): Html {
  const { refused, minor } = giveBackOf(request)
  return html`<p>
      ${
        b.tariff.swappable && b.standing === 'CONFIRMED'
          ? html`<a href="${address(b)}/moves?day=${searchedDay(request, b.run.offset + 1)}">Change departure</a>`
          : 'This booking cannot be changed online.'
      }
    </p>
    ${
      refused
        ? html`<p>${refused.message}</p>`
        : html`<form class="card" method="post" action="${address(b)}/cancel">
            ${seal(look, request.viewer)}<input type="hidden" name="agreedMinor" value="${minor}" />
            <input type="hidden" name="agreedCurrency" value="${b.currency}" />
            <p>The service fee of ${price(b.serviceFee, b.currency)} is not given back.</p>
            <button>Cancel and get ${price(minor, b.currency)} back</button>
          </form>`
    }`
}

function detail(request: SignedIn): Reply {
  const { viewer, query } = request
  const b = ownBooking(request)
  const title = routeOf(b)
  const riders = b.riders.map(({ givenName, familyName, band }, index) => [
    `${givenName} ${familyName}`,
    band,
    b.standing === 'CONFIRMED' && html`<a href="${root}/t/${ticketKey(b, index)}">Ticket</a>`,
  ])
  const body = html`<h1 dir="auto">${title}</h1>
    ${query.has('done') && html`<p class="card" role="status">Done: ${query.get('done')}</p>`}
    <p>
      ${bookingRef(b)} · ${b.standing} · ${b.trip.carrier} · ${spoken(b.trip.leaves)} → ${spoken(b.trip.reaches)} ·
      ${b.tariff.label}${b.flex && ' with flex'} · ${price(sumOf(b), b.currency)}
    </p>
    <p class="text" dir="auto">${b.notice}</p>
    ${table(['Rider', 'Age', ''], riders)} ${forms(request, b)}`
  return page(layout({ title, body, viewer }))
}

function moves(request: SignedIn): Reply {
  const { viewer, query } = request
  const { booking, moves } = listMoves(request)
  const lines = moves.map(({ moveId, trip, difference, fee, toPay }) => [
    spoken(trip.leaves),
    spoken(trip.reaches),
    price(difference, booking.currency),
    price(fee, booking.currency),
    html`<form class="inline" method="post" action="${address(booking)}/move">
      ${seal(look, viewer)}<input type="hidden" name="moveId" value="${moveId}" />
      <input type="hidden" name="agreedMinor" value="${toPay}" />
      <input type="hidden" name="agreedCurrency" value="${booking.currency}" />
      <button>Pay ${price(toPay, booking.currency)}</button>
    </form>`,
  ])
  const body = html`<h1 dir="auto">${routeOf(booking)}: another departure</h1>
    <form>
      <label>On <input name="day" value="${query.get('day')}" /></label><button>Look</button>
    </form>
    ${table(['Leaves', 'Arrives', 'Difference', 'Fee', ''], lines)}`
  return page(layout({ title: 'Another departure', body, viewer }))
}

function move(request: SignedIn): Reply {
  const { ref, moveId, toPay } = moveBooking(request)
  return seeOther(
    `${root}/trips/bookings/${ref}?${new URLSearchParams({ done: 'moved', moveId, paid: String(toPay) })}`,
  )
}

function cancel(request: SignedIn): Reply {
  const { ref, minor, booking } = cancelBooking(request)
  const told = { done: 'cancelled', givenBack: String(minor), currency: booking.currency }
  return seeOther(`${root}/trips/bookings/${ref}?${new URLSearchParams(told)}`)
}

function letters(request: SignedIn): Reply {
  const { viewer, query } = request
  const { rows, after } = pageOf(
    request,
    'letters',
    (wish) => listLetters(request, wish),
    () => 0,
  )
  const lines = rows.map((l) => [
    html`<a href="${address({ serial: l.booking })}">${l.kind}</a>`,
    l.recipient,
    l.subject,
    l.words,
  ])
  const body = html`<h1>Letters</h1>
    ${table(['About', 'To', 'Subject', 'Text'], lines)} ${moreLink('/trips/letters', query, after)}`
  return page(layout({ title: 'Letters', body, viewer }))
}

export const bookingPages: readonly Route[] = [
  show('GET /trips', myTrips),
  show('GET /trips/letters', letters),
  show('GET /trips/bookings/{ref}', detail),
  show('GET /trips/bookings/{ref}/moves', moves),
  submit('POST /trips/bookings/{ref}/move', move),
  submit('POST /trips/bookings/{ref}/cancel', cancel),
]
