import { html, type Html } from '../platform/html.ts'
import { page, seeOther } from '../platform/replies.ts'
import { show, submit } from '../platform/routes.ts'
import { table, token as seal } from '../platform/shell.ts'
import type { Reply, Route, SignedIn } from '../platform/types.ts'
import { bookingRef } from './bookings.ts'
import { spoken } from './clock.ts'
import { invalid, onlyFields } from './input.ts'
import { tariffsOf } from './lines.ts'
import { layout, look, root } from './look.ts'
import { memberOf } from './members.ts'
import { price } from './money.ts'
import { fillBasket, placeOrder } from './orders.ts'
import { places, vehicles } from './places.ts'
import { findTrips, foundTrip, partyFields, readSearch, readToken, searchedDay, tokenOf, tripNo } from './search.ts'
import { cheapest, type Trip } from './timetable.ts'

const party = html`${partyFields.map(
  (name) => html`<label>${name} <input name="${name}" type="number" min="0" max="9" /></label>`,
)}`

function searchForm(request: SignedIn): Html {
  return html`<form class="card" method="get" action="${root}/trips/find">
    <label>From <input name="start" list="places" required dir="auto" /></label>
    <label>To <input name="goal" list="places" required dir="auto" /></label>
    <label>On <input name="day" value="${searchedDay(request, 14)}" required /></label>
    <label>Back on <input name="backOn" /></label>
    ${party} ${vehicles.map((one) => html`<label><input type="checkbox" name="by" value="${one}" /> ${one}</label>`)}
    <datalist id="places">${places.map(({ city }) => html`<option>${city}</option>`)}</datalist>
    <button>Search</button>
  </form>`
}

function hits(request: SignedIn, way: 'O' | 'B'): Html | false {
  const { search, by, take } = readSearch(request)
  if (way === 'B' && search.back === undefined) return false
  const { currency } = memberOf(request.db, request.viewer.account.account)
  const found = findTrips(request, search, way, by)
  const token = tokenOf(request, search)
  const line = (trip: Trip): (Html | string | number)[] => [
    html`<a href="${root}/trips/find/${token}/${tripNo(way, trip.run)}">${spoken(trip.leaves)}</a>`,
    spoken(trip.reaches),
    trip.vehicle,
    trip.carrier,
    trip.hops.length - 1,
    price(cheapest(trip, search.riders, currency), currency),
  ]
  return html`<h2>${way === 'O' ? 'There' : 'Back'}: ${found.length} found</h2>
    ${table(['Leaves', 'Arrives', 'By', 'Carrier', 'Changes', 'From'], found.slice(0, take).map(line))}`
}

function find(request: SignedIn): Reply {
  const { viewer, query } = request
  const body = html`<h1>Find a trip</h1>
    ${searchForm(request)} ${query.has('start') && html`${hits(request, 'O')} ${hits(request, 'B')}`}`
  return page(layout({ title: 'Find a trip', body, viewer }))
}

function tariffForm(request: SignedIn, code: string, flex: boolean, riders: number): Html {
  const { token = '', no = '' } = request.params
  const { sum, currency, tariff, serviceFee } = fillBasket(request, token, no, code, flex)
  return html`<form class="card" method="post" action="${root}/trips/find/${token}/${no}">
    <h3>${tariff.label}${flex && ' with flex'}</h3>
    <p>
      ${tariff.swappable ? 'Exchangeable' : 'Not exchangeable'}, ${tariff.givesBack ? 'refundable' : 'not refundable'}
    </p>
    ${seal(look, request.viewer)}<input type="hidden" name="tariffCode" value="${code}" />
    <input type="hidden" name="flexCover" value="${flex ? 'yes' : 'no'}" />
    <input type="hidden" name="agreedMinor" value="${sum}" />
    <input type="hidden" name="agreedCurrency" value="${currency}" />
    ${Array.from(
      { length: riders },
      (_, index) =>
        html`<label>Rider ${index + 1}: <input name="givenName" placeholder="Given name" required dir="auto" /></label>
          <label><input name="familyName" placeholder="Family name" required dir="auto" /></label>`,
    )}
    <button>Pay ${price(sum, currency)}, service fee of ${price(serviceFee, currency)} included</button>
  </form>`
}

function detail(request: SignedIn): Reply {
  const { viewer, params } = request
  const search = readToken(request, params['token'] ?? '')
  const trip = foundTrip(request, search, params['no'] ?? '')
  const title = `${trip.from.city} – ${trip.to.city}`
  const stops = trip.hops.map((hop) => [hop.fromStop, spoken(hop.leaves), hop.toStop, spoken(hop.reaches)])
  const body = html`<h1 dir="auto">${title}</h1>
    <p>${trip.carrier}${trip.asks && '. The carrier confirms each booking by hand.'}</p>
    ${table(['From', 'Leaves', 'To', 'Arrives'], stops)}
    ${tariffsOf(trip.vehicle).map(({ code, flexOffered }) => [
      tariffForm(request, code, false, search.riders.length),
      flexOffered && tariffForm(request, code, true, search.riders.length),
    ])}`
  return page(layout({ title, body, viewer }))
}

/** The form of a tariff, as the order that it means. */
function book(request: SignedIn): Reply {
  const { form, params } = request
  onlyFields(form, ['tariffCode', 'flexCover', 'agreedMinor', 'agreedCurrency'], ['givenName', 'familyName'])
  const familyNames = form.getAll('familyName')
  const flexCover = form.get('flexCover') ?? 'no'
  if (flexCover !== 'yes' && flexCover !== 'no') throw invalid('FLAG_INVALID', 'flexCover: yes or no.', 'flexCover')
  const json = {
    searchToken: params['token'],
    tripNo: params['no'],
    tariffCode: form.get('tariffCode'),
    flexCover: flexCover === 'yes',
    riders: form.getAll('givenName').map((givenName, index) => ({ givenName, familyName: familyNames[index] })),
    agreed: { minor: Number(form.get('agreedMinor')), currency: form.get('agreedCurrency') },
  }
  return seeOther(`${root}/trips/bookings/${bookingRef(placeOrder({ ...request, json }))}?done=booked`)
}

export const tripPages: readonly Route[] = [
  show('GET /trips/find', find),
  show('GET /trips/find/{token}/{no}', detail),
  submit('POST /trips/find/{token}/{no}', book),
]
