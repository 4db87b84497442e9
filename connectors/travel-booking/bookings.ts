import { Type } from 'typebox'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { closed, defaulted, described, id, limit, NullableText, oneOf } from '../kit/inputs.ts'
import { fields, rows, textOrNull, word } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { fareOf } from './ids.ts'
import { agreedPrice, price, priced, toMinor } from './money.ts'
import { BookingId, BookingRef, Departs, Fare, Operator, fromStopTime } from './shared.ts'

const scopes = { upcoming: 'AHEAD', past: 'BEHIND', cancelled: 'CALLED_OFF', all: 'EVERYTHING' } as const
const statuses = { CONFIRMED: 'confirmed', AWAITING: 'pending', CANCELLED: 'cancelled' }

const Row = {
  booking_id: BookingRef,
  route: labelled('Route', Type.String({ description: 'From which city to which, such as İstanbul – Ankara.' })),
  departs: Departs,
  operator: Operator,
  status: labelled(
    'Status',
    Type.Enum(['confirmed', 'pending', 'cancelled'], {
      type: 'string',
      description:
        'pending: the operator has not confirmed it yet; it has no tickets, and cannot be changed or cancelled.',
    }),
  ),
}

function row({ bookingRef, journey, leaves, carrier, standing }: Fields) {
  return {
    booking_id: bookingRef,
    route: journey,
    departs: fromStopTime(leaves),
    operator: carrier,
    status: word(statuses, standing),
  }
}

const Booking = {
  ...Row,
  passengers: labelled(
    'Passengers',
    Type.Array(
      closed({
        first_name: labelled(
          'First name',
          Type.String({ description: "The passenger's first or only name, as it was booked." }),
        ),
        last_name: labelled('Last name', described(NullableText, 'null for people with one name.')),
      }),
      { description: 'Who travels: adults first, then youths, children, seniors.' },
    ),
  ),
  fare: described(closed(Fare), 'What was booked, and what it allows.'),
  flex: labelled(
    'Flex',
    Type.Boolean({
      description: 'Whether flex was booked: it can be cancelled, and changing an exchangeable fare costs no fee.',
    }),
  ),
  total: described(
    priced('Paid'),
    'All that was paid, service fee, flex and change fees included; a refund is not deducted.',
  ),
}

function booking({ booking: answer }: Fields) {
  const { riders, tariff, flexCover, sum } = fields(answer)
  const { label, swappable, givesBack } = fields(tariff)
  return {
    ...row(fields(answer)),
    passengers: rows(riders).map(({ givenName, familyName }) => ({
      first_name: givenName,
      last_name: textOrNull(familyName),
    })),
    fare: { class: label, exchangeable: swappable, refundable: givesBack },
    flex: flexCover,
    total: price(sum),
  }
}

export const list_bookings = endpoint({
  summary: 'List the bookings: upcoming ones soonest first, the others by departure, latest first.',
  aliases: [
    'my upcoming trips',
    'when is my next train',
    'past journeys',
    'my reservations',
    'travel plans',
    'where am I going next',
    'when do I travel',
  ],
  label: 'List bookings',
  brief: ['status'],
  access: 'read',
  request: 'GET /trips/x/bookings',
  input: {
    status: defaulted(
      labelled(
        'Status',
        oneOf(
          ['upcoming', 'past', 'cancelled', 'all'],
          'upcoming: not cancelled and not left yet. past: not cancelled and has left. cancelled: only those. all: every booking.',
        ),
      ),
      'upcoming',
    ),
    limit: limit(20),
  },
  output: {
    bookings: Type.Array(closed(Row), {
      description: 'Your bookings with that status, up to limit; empty when there are none.',
    }),
  },
  encode: ({ status, limit: take }) => ({ query: { scope: scopes[status], take } }),
  decode: ({ bookings }) => ({ bookings: rows(bookings).map(row) }),
})

export const get_booking = endpoint({
  summary: 'Read one booking in full: who travels, what the fare allows, and what was paid.',
  aliases: [
    'details of my reservation',
    'what did I pay',
    'who travels',
    'what does my fare allow',
    'my journey',
    'which seat have I got',
    'what did it cost me',
  ],
  label: 'Show a booking',
  brief: ['booking_id'],
  access: 'read',
  request: 'GET /trips/x/bookings/{booking_id}',
  input: { booking_id: BookingId },
  output: Booking,
  decode: booking,
})

const papers = { E_TICKET: 'e-ticket', MOBILE: 'mobile', PRINT_AT_HOME: 'print-at-home' }

export const get_tickets = endpoint({
  summary: 'Get the tickets of a confirmed booking, one for each passenger; their links open for whoever has them.',
  aliases: [
    'download my ticket',
    'boarding pass',
    'QR code',
    'show me the train ticket',
    'pdf ticket',
    'I am at the gate, show me the code',
    'send me the ticket',
  ],
  label: 'Show tickets',
  brief: ['booking_id'],
  access: 'read',
  request: 'GET /trips/x/bookings/{booking_id}/papers',
  input: { booking_id: BookingId },
  output: {
    booking_id: BookingRef,
    tickets: Type.Array(
      closed({
        passenger: Type.String({ description: "The passenger's full name, first name first." }),
        type: Type.Enum(['e-ticket', 'mobile', 'print-at-home'], {
          type: 'string',
          description: 'The form in which the ticket comes.',
        }),
        url: Type.String({
          format: 'uri',
          description: 'Opens the ticket without signing in; no longer valid once the booking is changed or cancelled.',
        }),
      }),
      { description: 'One for each passenger, in the order of get_booking.' },
    ),
  },
  decode: ({ bookingRef, papers: tickets }) => ({
    booking_id: bookingRef,
    tickets: rows(tickets).map(({ rider, paper, link }) => ({
      passenger: rider,
      type: word(papers, paper),
      url: link,
    })),
  }),
})

const name = (label: string, description: string) =>
  labelled(label, Type.String({ minLength: 1, maxLength: 80, description }))

export const book_trip = endpoint({
  summary: 'Book a fare for the party of its search: the card on file is charged exactly the total that you give.',
  aliases: [
    'buy a ticket',
    'reserve seats on the train',
    'purchase a flight',
    'get me on the bus',
    'book that connection',
    'get me two seats',
    'take the cheapest one',
    'buy it',
  ],
  label: 'Book a trip',
  brief: ['fare_id', 'passengers', 'total'],
  approval: {
    headline:
      'Pay {total} to book a trip for {passengers|passenger|passengers}[: {passengers.first_name}][ ({fare_id})]',
    button: 'Pay {total}',
    consequences: [
      { kind: 'money', text: 'The card on file is charged {total}, service fee included' },
      { kind: 'other', text: 'Whether it can be changed or refunded depends on the fare' },
    ],
  },
  effect: 'adds',
  shownBy: [{ read: 'list_bookings' }],
  // A fare's read needs its trip, which is not an input.
  preview: [],
  access: 'write',
  confirm: true,
  request: 'POST /trips/x/orders',
  input: {
    fare_id: labelled('Fare', id('fare', 'Which fare, with flex or without: fare_id from get_trip.')),
    passengers: labelled(
      'Passengers',
      Type.Array(
        closed({
          first_name: name('First name', 'The first name, as in their papers.'),
          last_name: name('Last name', 'The last name, as in their papers.'),
        }),
        {
          minItems: 1,
          maxItems: 9,
          description: 'As many as the search was for: adults first, then youths, children, seniors.',
        },
      ),
    ),
    total: agreedPrice(
      'Total to pay',
      'What is to be paid, service fee included: price of the fare in get_trip. Another price by then is refused.',
    ),
  },
  output: Booking,
  encode: ({ fare_id, passengers, total }) => ({
    json: {
      ...fareOf(fare_id),
      riders: passengers.map(({ first_name, last_name }) => ({ givenName: first_name, familyName: last_name })),
      agreed: { minor: toMinor(total), currency: total.currency },
    },
  }),
  decode: booking,
})
