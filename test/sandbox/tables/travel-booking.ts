import { travelBooking } from '../../../sandbox/travel-booking/app.ts'
import { dayOn, msOf, order, type Row as Booking } from '../travel-booking-traveller.ts'
import type { AppPerson } from '../open-app.ts'
import type { List, Table } from './table.ts'

const departure = ({ leaves }: Booking): number => msOf(leaves)
const latest = (booking: Booking): number => -departure(booking)
const search = `searches?start=ist&goal=ank&day=${dayOn(20)}&backOn=${dayOn(22)}`.replaceAll(' ', '%20')
const asked = (query: string): string => {
  const parameters = new URLSearchParams({ start: 'ist', goal: 'ank', day: dayOn(3) })
  for (const [name, value] of new URLSearchParams(query)) parameters.set(name, value)
  return `searches?${parameters.toString()}`
}
const books = async (who: AppPerson, { count }: { count: number }): Promise<unknown> =>
  who.wrote('POST', '/trips/x/orders', await order(who, { day: dayOn(12 * (count + 1)) }))
const booked: Partial<List> = { by: 10, meanwhile: books, keeps: 'all' }
const ahead = 'bookings?scope=AHEAD'
const ref = '<bookings|0.bookingRef>'
const trip = `<${search}|.searchToken>/<${search}|.there.hits.0.tripNo>`
const rider = { givenName: 'A', familyName: 'B' }
const bill = `searchToken=<${search}|.searchToken>&tripNo=<${search}|.there.hits.0.tripNo>&tariffCode=<searches/${trip}|.trip.tariffs.0.tariffCode>&flexCover=no`
const orders = (more: object): string =>
  `POST orders ${JSON.stringify({
    ...{
      searchToken: `<${search}|.searchToken>`,
      tripNo: `<${search}|.there.hits.0.tripNo>`,
      tariffCode: `<searches/${trip}|.trip.tariffs.0.tariffCode>`,
    },
    ...{ flexCover: false, riders: [rider], agreed: { minor: 1, currency: 'EUR' }, ...more },
  })}`

export const table: Table = {
  app: travelBooking,
  base: '/trips/x/',
  token: ['/trips/x/me', 'seal'],
  size: 'take',
  paged: /^(bookings|letters)(\?|$)/,
  page: 25,
  next: ({ after }: { after: string | null }) => (after === null ? null : `after=${after}`),
  lists: {
    bookings: { id: 'bookingRef', order: departure },
    [ahead]: { id: 'bookingRef', order: departure, ...booked },
    'bookings?scope=BEHIND': { id: 'bookingRef', order: latest },
    'bookings?scope=CALLED_OFF': { id: 'bookingRef', order: latest },
    'bookings?scope=EVERYTHING': { id: 'bookingRef', least: 180, order: latest, ...booked },
    letters: { id: '~bookingRef kind words', least: 1 },
  },
  alike: { bookings: ahead },
  refused: `
    404 PLACE_UNKNOWN: ${asked('start=Atlantis')}
    422 FIELD_REQUIRED: ${asked('goal=')}
    422 SAME_PLACE: ${asked('goal=İstanbul')}
    422 DAY_INVALID: ${asked('day=2027-02-28')}  ${asked('day=30 Feb 2027')}
    422 DAY_PAST: ${asked(`day=${dayOn(-2)}`)}
    422 DAY_TOO_FAR: ${asked(`day=${dayOn(190)}`)}
    422 BACK_BEFORE_DAY: ${asked(`backOn=${dayOn(2)}`)}
    422 VEHICLE_UNKNOWN: ${asked('by=SPACE')}
    422 KIDS_ALONE: ${asked('kids=2')}
    422 PARTY_EMPTY: ${asked('grownUps=0')}
    422 PARTY_TOO_BIG: ${asked('grownUps=8&elders=2')}
    400 PARAMETER_INVALID: ${asked('grownUps=ten')}  ${asked('take=61')}  bookings?scope=ALL  bookings?take=0
      bookings?take=101  bookings?take=2&take=2
    400 PARAMETER_UNKNOWN: ${asked('colour=red')}
    400 AFTER_UNKNOWN: bookings?after=made-up
    404 TRIP_NOT_FOUND: searches/<${search}|.searchToken>/O00199
    404 SEARCH_UNKNOWN: searches/<${search}|.searchToken>x1/O00100
    400 BODY_INVALID: POST orders []
    422 FIELD_UNKNOWN: ${orders({ coupon: 'FREE' })}  ${orders({ riders: [{ ...rider, age: 7 }] })}
      FORM /trips/bookings/${ref}/cancel reason=rain
    422 FLAG_INVALID: ${orders({ flexCover: 'yes' })}
    422 RIDERS_INVALID: ${orders({ riders: 'me' })}
    422 OBJECT_INVALID: ${orders({ riders: ['me'] })}
    422 TEXT_INVALID: ${orders({ riders: [{ ...rider, givenName: 7 }] })}
    422 TEXT_TOO_LONG: ${orders({ riders: [{ ...rider, givenName: 'x'.repeat(81) }] })}
  `,
  place: ['bookings?scope=BEHIND', ['bookings'], '400 AFTER_UNKNOWN'],
  names: `
    ${search}  searches/<${search}|.searchToken>/<${search}|.there.hits.0.tripNo>  bookings  letters  places  me
    bookings/${ref}  bookings/${ref}/papers  bookings/${ref}/giveback
  `,
  looks: {
    [`=${search}`]: {
      there: {
        hits: {
          0: {
            leaves: { day: dayOn(20), zone: 'Europe/Istanbul', minutesFromUtc: 180 },
            cheapest: { minor: Number.isInteger, currency: 'EUR', exponent: 2 },
          },
        },
      },
    },
    [ahead]: (booking: Booking) => booking.standing !== 'CANCELLED' && departure(booking) > Date.now(),
    'bookings?scope=BEHIND': (booking: Booking) => booking.standing === 'CONFIRMED' && departure(booking) < Date.now(),
    'bookings?scope=CALLED_OFF': { standing: 'CANCELLED' },
  },
  holds: Object.fromEntries(
    [
      ['vehicle', ['RAIL', 'COACH', 'AIR', 'SEA']],
      ['standing', ['CONFIRMED', 'AWAITING']],
      ['leaves.zone', 7],
      ['sum.exponent', [0, 2, 3]],
      ['riders.band', 4],
      ['riders.familyName', /^$/],
      ['tariff.swappable', [true, false]],
      ['tariff.givesBack', [true, false]],
      ['flexCover', [true, false]],
      ['notice', [/^$/, /^.{901}/s]],
    ].map(([field, values]) => [`${ahead} > bookings/{bookingRef}|booking.${String(field)}`, values as RegExp]),
  ),
  also: [search, ...Array.from({ length: 25 }, (_, at) => `bookings/<bookings|${at}.bookingRef>`)].join('  '),
  change: (me) => books(me, { count: 0 }),
  strangers: `
    404 BOOKING_NOT_FOUND: bookings/${ref}  bookings/${ref}/papers  bookings/${ref}/giveback
      bookings/${ref}/moves?day=${dayOn(9)}  bookings/${ref}/moves/MV-1-1-1-1
      FORM /trips/bookings/${ref}/move moveId=MV-1-1-1-1&agreedMinor=0
      FORM /trips/bookings/${ref}/cancel agreedMinor=0
    404 SEARCH_UNKNOWN: searches/<${search}|.searchToken>/<${search}|.there.hits.0.tripNo>
      ${orders({})}
  `,
  kinds: {
    cardless: `
      402 CARD_MISSING: ${orders({}).replace('"minor":1', `"minor":<checkout?${bill}|.sum.minor>`).replace('"EUR"', `"<checkout?${bill}|.sum.currency>"`)}
    `,
  },
  pages: {
    shows: '',
    paths: `/  /trips  /trips?scope=CALLED_OFF  /trips/letters  /trips/find  /trips/bookings/${ref}`,
  },
}
