import { json } from '../platform/replies.ts'
import { data, free } from '../platform/routes.ts'
import type { Reply, Route, SignedIn } from '../platform/types.ts'
import { bookingId, bookingStates, listBookings, ownBooking } from './bookings.ts'
import { dayIn, moment } from './clock.ts'
import { listThreads, send } from './inbox.ts'
import { cut, jsonFields, known, queryChoice, queryDay, querySpan, readWish } from './input.ts'
import { billId, listMonths } from './money.ts'
import { ownProvider, rightsOf, todayHere } from './provider.ts'
import { listReviews } from './reviews.ts'
import { checkLength, setPlaces, slotsOf } from './slots.ts'
import { listTours, ownTour, queryTour, tourId } from './tours.ts'
import { billOut, bookingFull, bookingOut, daysOut, monthOut, reviewOut, threadOut, tourOut } from './wire.ts'

const noYes = ['0', '1'] as const

function me(request: SignedIn): Reply {
  const { account, label, person, kind } = request.viewer.account
  const { zone, cur, feePct } = ownProvider(request)
  const provider = { id: account, label, person, role: kind, rights: rightsOf(request.viewer.account) }
  return json({ seal: request.viewer.csrf, provider: { ...provider, tz: zone, cur, feePct } })
}

function tours({ db, query, viewer }: SignedIn): Reply {
  known(query)
  return json({ rows: listTours(db, viewer.account.account).map(tourOut) })
}

function bookings(request: SignedIn): Reply {
  const { db, query, viewer } = request
  known(query, 'fromDay', 'toDay', 'act', 'st', 'size', 'next')
  const span = querySpan(query, todayHere(request), 7)
  const tour = queryTour(request)
  const state = queryChoice(query, 'st', bookingStates)
  const list = `bookings ${span.from} ${span.to} ${tour?.serial} ${state}`
  const wish = readWish(request, list)
  const found = listBookings(db, viewer.account.account, { ...span, tour, state }, wish)
  const { shown, next } = cut(request, list, found, wish)
  return json({ rows: shown.map(bookingOut), next })
}

function booking(request: SignedIn): Reply {
  known(request.query)
  const whole = rightsOf(request.viewer.account).includes('personal')
  return json(bookingFull(ownBooking(request), ownProvider(request).cur, whole))
}

function calendar(request: SignedIn): Reply {
  const { db, query, now } = request
  known(query, 'fromDay', 'toDay')
  const tour = ownTour(request)
  const span = querySpan(query, dayIn(tour.zone, now), 30)
  checkLength(span)
  return json({ act: tourId(tour.serial), tz: tour.zone, days: daysOut(slotsOf(db, tour.serial, span)) })
}

function places(request: SignedIn): Reply {
  const tour = ownTour(request)
  const fields = jsonFields(request.json, 'fromDay', 'toDay', 'hours', 'places')
  return json({ act: tourId(tour.serial), tz: tour.zone, ...setPlaces(request, tour, fields) })
}

function inbox(request: SignedIn): Reply {
  const { db, query, viewer } = request
  known(query, 'bk', 'fresh')
  const id = query.get('bk')
  const about = id === null ? undefined : ownBooking(request, id)
  const fresh = queryChoice(query, 'fresh', noYes) === '1'
  return json({ rows: listThreads(db, viewer.account.account, { booking: about, fresh }).map(threadOut) })
}

function write(request: SignedIn): Reply {
  const about = ownBooking(request)
  const { serial, side, at } = send(request, about, jsonFields(request.json, 'side', 'words'))
  return json({ msg: `M${serial}`, bk: bookingId(about.serial), side, ...moment(about.zone, at) }, 201)
}

function reviews(request: SignedIn): Reply {
  const { db, query, viewer } = request
  known(query, 'act', 'fromDay')
  const since = queryDay(query, 'fromDay') ?? ''
  return json({ rows: listReviews(db, viewer.account.account, queryTour(request), since).map(reviewOut) })
}

function bills(request: SignedIn): Reply {
  known(request.query, 'year')
  const { cur } = ownProvider(request)
  const rows = listMonths(request).map((month) => {
    const inv = billId(request, month.month)
    return billOut(month, inv, cur, `${request.base}/desk/bills/${inv}/download`)
  })
  return json({ rows })
}

function payouts(request: SignedIn): Reply {
  known(request.query, 'year')
  const { cur } = ownProvider(request)
  return json({ rows: listMonths(request).map((month) => monthOut(month, cur)) })
}

export const panelRoutes: readonly Route[] = [
  free('GET /panel/me', me),
  data('GET /panel/tours', tours),
  data('GET /panel/tours/{act}/calendar', calendar),
  data('PUT /panel/tours/{act}/places', places),
  data('GET /panel/bookings', bookings),
  data('GET /panel/bookings/{bk}', booking),
  data('GET /panel/inbox', inbox),
  data('POST /panel/inbox/{bk}', write),
  data('GET /panel/reviews', reviews),
  data('GET /panel/bills', bills),
  data('GET /panel/payouts', payouts),
]
