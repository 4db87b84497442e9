import { json } from '../platform/replies.ts'
import { data, free } from '../platform/routes.ts'
import type { Reply, Route, SignedIn } from '../platform/types.ts'
import { listBookings, ownBooking, scopes } from './bookings.ts'
import { findMove, giveBackOf, listMoves, mustHaveTickets } from './changes.ts'
import { invalid, known, readChoice } from './input.ts'
import { listLetters } from './letters.ts'
import { memberOf } from './members.ts'
import { fillBasket, placeOrder } from './orders.ts'
import { pageOf } from './paging.ts'
import { places } from './places.ts'
import { findTrips, foundTrip, readSearch, readToken, searchedDay, tokenOf, tripNo } from './search.ts'
import { basketOut, bookingFull, bookingRow, giveBackOut, hitOut, letterOut, moveOut, placeOut } from './wire.ts'
import { ticketsOut, tripOut } from './wire.ts'

function me({ db, viewer }: SignedIn): Reply {
  const { account, label, person, email, kind } = viewer.account
  const { currency, card } = memberOf(db, account)
  const traveller = { accountCode: account, household: label, person, mail: email, plan: kind, currency, card }
  return json({ seal: viewer.csrf, traveller })
}

/** Both ways where a way back is asked for. */
function searches(request: SignedIn): Reply {
  const { search, by, take } = readSearch(request)
  const { currency } = memberOf(request.db, request.viewer.account.account)
  const way = (which: 'O' | 'B') => {
    const trips = findTrips(request, search, which, by)
    const hits = trips.slice(0, take).map((trip) => hitOut(tripNo(which, trip.run), trip, search.riders, currency))
    return { found: trips.length, hits }
  }
  return json({
    searchToken: tokenOf(request, search),
    start: placeOut(search.start.place),
    goal: placeOut(search.goal.place),
    day: searchedDay(request, search.offset),
    backOn: search.back === undefined ? null : searchedDay(request, search.back),
    there: way('O'),
    back: search.back === undefined ? null : way('B'),
  })
}

function trip(request: SignedIn): Reply {
  known(request.query, [])
  const { token = '', no = '' } = request.params
  const search = readToken(request, token)
  const { currency } = memberOf(request.db, request.viewer.account.account)
  return json({ trip: { searchToken: token, ...tripOut(no, foundTrip(request, search, no), search.riders, currency) } })
}

function checkout(request: SignedIn): Reply {
  const { query } = request
  known(query, ['searchToken', 'tripNo', 'tariffCode', 'flexCover'])
  const [token, no, code] = ['searchToken', 'tripNo', 'tariffCode'].map((name) => query.get(name) ?? '')
  const flex = readChoice(query, 'flexCover', ['yes', 'no'], 'no') === 'yes'
  return json(basketOut(fillBasket(request, token ?? '', no ?? '', code ?? '', flex)))
}

function bookings(request: SignedIn): Reply {
  known(request.query, ['scope', 'take', 'after'])
  const scope = readChoice(request.query, 'scope', scopes, 'AHEAD')
  const find = (wish: Parameters<typeof listBookings>[2]) => listBookings(request, scope, wish)
  const { rows, after } = pageOf(request, `bookings ${scope}`, find, ({ leaves }) => leaves)
  return json({ bookings: rows.map(bookingRow), after })
}

function tickets(request: SignedIn): Reply {
  known(request.query, [])
  const booking = ownBooking(request)
  mustHaveTickets(booking, request.now)
  return json(ticketsOut(booking, request.base))
}

function moves(request: SignedIn): Reply {
  const { booking, moves } = listMoves(request)
  return json({ bookingRef: request.params['ref'], moves: moves.map((move) => moveOut(move, booking.currency)) })
}

function oneMove(request: SignedIn): Reply {
  known(request.query, [])
  const { booking, move } = findMove(request, request.params['move'] ?? '')
  return json({ move: moveOut(move, booking.currency) })
}

function letters(request: SignedIn): Reply {
  known(request.query, ['take', 'after'])
  const { rows, after } = pageOf(
    request,
    'letters',
    (wish) => listLetters(request, wish),
    () => 0,
  )
  return json({ letters: rows.map(letterOut), after })
}

function plain(request: SignedIn, answer: () => unknown): Reply {
  known(request.query, [])
  return json(answer())
}

function order(request: SignedIn): Reply {
  for (const name of request.query.keys()) throw invalid('FIELD_UNKNOWN', 'Fields go into the body.', name)
  return json({ booking: bookingFull(placeOrder(request)) }, 201)
}

export const apiRoutes: readonly Route[] = [
  free('GET /trips/x/me', me),
  free('GET /trips/x/places', () => json({ places: places.map(placeOut) })),
  free('GET /trips/x/checkout', checkout),
  data('GET /trips/x/searches', searches),
  data('GET /trips/x/searches/{token}/{no}', trip),
  data('POST /trips/x/orders', order),
  data('GET /trips/x/bookings', bookings),
  data('GET /trips/x/bookings/{ref}', (request) =>
    plain(request, () => ({ booking: bookingFull(ownBooking(request)) })),
  ),
  data('GET /trips/x/bookings/{ref}/papers', tickets),
  data('GET /trips/x/bookings/{ref}/moves', moves),
  free('GET /trips/x/bookings/{ref}/moves/{move}', oneMove),
  data('GET /trips/x/bookings/{ref}/giveback', (request) => plain(request, () => giveBackOut(giveBackOf(request)))),
  data('GET /trips/x/letters', letters),
]
