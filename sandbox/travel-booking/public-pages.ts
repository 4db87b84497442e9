import { html } from '../platform/html.ts'
import { page, seeOther } from '../platform/replies.ts'
import { open } from '../platform/routes.ts'
import { Refusal, type AppRequest, type Reply, type Route } from '../platform/types.ts'
import { bookingByKey, bookingRef, carrierKey, ticketKey } from './bookings.ts'
import { agreeToBooking, askedBooking } from './changes.ts'
import { spoken } from './clock.ts'
import { routeOf } from './letters.ts'
import { layout, root } from './look.ts'

function home({ viewer }: AppRequest): Reply {
  const body = html`<h1>Trains, coaches, flights and ferries on one ticket shelf</h1>
    <p><a href="${root}/trips/find">Find a trip</a>, or see <a href="${root}/trips">what you have booked</a>.</p>`
  return page(layout({ title: 'Ferrovela', body, viewer }))
}

/** What a rider shows on board; void once the booking was moved or cancelled. */
function ticket(request: AppRequest): Reply {
  const key = request.params['key'] ?? ''
  const booking = bookingByKey(request, key)
  const rider = booking?.riders.find((_, index) => ticketKey(booking, index) === key)
  if (!booking || !rider) throw new Refusal(404, 'TICKET_NOT_FOUND', 'There is no such ticket (any more).')
  if (booking.standing !== 'CONFIRMED') throw new Refusal(410, 'TICKET_VOID', 'This ticket is not valid.')
  const { trip } = booking
  const body = html`<h1 dir="auto">${rider.givenName} ${rider.familyName}</h1>
    <p dir="auto">${routeOf(booking)}, ${spoken(trip.leaves)}, ${trip.carrier}, ${booking.tariff.label}</p>
    <p>${bookingRef(booking)}</p>`
  return page(layout({ title: 'Ticket', body, viewer: undefined }))
}

function asked(request: AppRequest): Reply {
  const booking = askedBooking(request)
  const body = html`<h1 dir="auto">${routeOf(booking)}, ${spoken(booking.trip.leaves)}</h1>
    <p>${booking.riders.length} riders. ${booking.standing}</p>
    ${
      booking.standing === 'AWAITING' &&
      html`<form method="post" action="${root}/o/${carrierKey(booking)}"><button>Confirm</button></form>`
    }`
  return page(layout({ title: 'A request', body, viewer: undefined }))
}

function agree(request: AppRequest): Reply {
  return seeOther(`${root}/o/${carrierKey(agreeToBooking(request))}`)
}

export const publicPages: readonly Route[] = [
  open('GET /', home),
  open('GET /t/{key}', ticket),
  open('GET /o/{key}', asked),
  open('POST /o/{key}', agree),
]
