import { Type } from 'typebox'
import { codec } from '../kit/codec.ts'
import { fromEpoch } from '../kit/dates.ts'
import { labelled, money } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { closed, day, defaulted, described, id, moment, oneOf, refTo } from '../kit/inputs.ts'
import { rows, word } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { request } from './previews.ts'
import {
  Camper,
  Currency,
  Day,
  InCurrency,
  ListingOf,
  OneListing,
  camper,
  fromDay,
  fromUnits,
  siteOf,
  toDay,
} from './shared.ts'

const bookingStates = { upcoming: 'UPCOMING', current: 'HERE', past: 'DONE', cancelled: 'OFF' } as const
const bookingState = codec(bookingStates)
const anyState = codec({ pending_request: 'ASKED', expired: 'LAPSED', declined: 'DECLINED', ...bookingStates })

/** Fields that bookings and requests share. */
const Stay = {
  booking_id: refTo(
    'booking',
    'Pass it to get_booking or list_messages; a request that is accepted keeps it as a booking.',
  ),
  site: labelled('Site', Type.String({ description: "The site's name, as in list_listings." })),
  camper: Camper,
  arrival: labelled('Arrival', described(Day, 'The day on which the camper arrives, in your own time zone.')),
  departure: labelled(
    'Departure',
    described(Day, 'The day on which the camper leaves; its night is not part of the stay.'),
  ),
  guests: labelled('Guests', Type.Integer({ minimum: 1, description: 'How many people the stay is for.' })),
}

function stay({ stay: booking_id, on, who, in: come, out: leave, heads }: Fields) {
  return {
    booking_id,
    site: siteOf(on),
    camper: camper(who),
    arrival: fromDay(come),
    departure: fromDay(leave),
    guests: heads,
  }
}

const Booking = {
  ...Stay,
  camper_message: labelled(
    'Message of the camper',
    Type.String({ description: 'What the camper wrote when asking; may be empty.' }),
  ),
  nights: Type.Integer({ minimum: 1, description: 'How many nights there are from arrival to departure.' }),
  nightly_price: money(InCurrency, Type.Number({ description: 'What one night costs, in currency, such as 24.5.' })),
  total: labelled(
    'Total',
    money(
      InCurrency,
      Type.Number({ description: 'nights times nightly_price, which the camper pays when the request is accepted.' }),
    ),
  ),
  currency: Currency,
}

function booking(answer: Fields) {
  const { hello, long, nightly, sum, cur, exp } = answer
  return {
    ...stay(answer),
    camper_message: hello,
    nights: long,
    nightly_price: fromUnits(nightly, exp),
    total: fromUnits(sum, exp),
    currency: cur,
  }
}

export const list_bookings = endpoint({
  summary: 'List bookings by the day of arrival, soonest first; requests without an answer are not among them.',
  aliases: [
    'upcoming arrivals',
    'who is coming to camp',
    'reservations for next week',
    'guests arriving',
    'who stays with us',
    'who arrives this weekend',
    'how full are we',
    'anybody coming tomorrow',
  ],
  label: 'List bookings',
  brief: ['status', 'from', 'to', 'listing_id'],
  access: 'read',
  request: 'GET /host/data/stays',
  input: {
    from: Type.Optional(
      labelled(
        'Arrival from',
        day('Only who arrives on this day or later; today when left out, so give it for bookings that are past.'),
      ),
    ),
    to: Type.Optional(
      labelled(
        'Arrival until',
        day(
          'Only who arrives on this day or earlier. When left out: 30 days from today, or from a from that is later than that.',
        ),
      ),
    ),
    listing_id: OneListing,
    status: defaulted(
      labelled(
        'Status',
        oneOf(
          bookingState.words,
          'upcoming: arrives after today. current: is there. past: has left. cancelled: called off by the camper.',
        ),
      ),
      'upcoming',
    ),
  },
  output: {
    bookings: Type.Array(
      closed({
        ...Stay,
        listing_id: ListingOf,
        total: labelled('Total', money(InCurrency, Type.Number({ description: 'What the camper paid.' }))),
        currency: Currency,
        status: Type.Enum(bookingState.words, {
          type: 'string',
          description: 'upcoming: arrives after today; current: is there; past: has left; cancelled: by the camper.',
        }),
      }),
      { description: 'Soonest arrival first; empty when none fits what you asked for.' },
    ),
  },
  encode: ({ from, to, listing_id, status }) => ({
    query: { first: toDay(from), last: toDay(to), land: listing_id, st: bookingState.encode(status) },
  }),
  decode: ({ rows: stays }) => ({
    bookings: rows(stays).map((row) => ({
      ...stay(row),
      listing_id: row['land'],
      total: fromUnits(row['paid'], row['exp']),
      currency: row['cur'],
      status: bookingState.decode(row['st']),
    })),
  }),
})

export const list_booking_requests = endpoint({
  summary: 'List the booking requests that wait for your answer, those that expire soonest first.',
  aliases: [
    'pending requests',
    'who wants to stay',
    'requests waiting for my answer',
    'booking inquiries to answer',
    'does anybody want to stay with us',
    'who asked for a place',
    'is there a request that I must answer',
  ],
  label: 'List booking requests',
  brief: ['listing_id'],
  access: 'read',
  request: 'GET /host/data/asks',
  input: { listing_id: OneListing },
  output: {
    requests: Type.Array(
      closed({
        ...Stay,
        booking_id: described(
          Stay.booking_id,
          'Pass it to accept_booking_request, decline_booking_request or get_booking.',
        ),
        listing_id: ListingOf,
        expires_at: described(moment, 'When the request expires if you do not answer it, in UTC.'),
      }),
      { description: 'The request that expires soonest first; empty when none waits.' },
    ),
  },
  encode: ({ listing_id }) => ({ query: { land: listing_id } }),
  decode: ({ rows: asks }) => ({
    requests: rows(asks).map((row) => ({
      ...stay(row),
      listing_id: row['land'],
      expires_at: fromEpoch(row['until']),
    })),
  }),
})

export const get_booking = endpoint({
  summary: 'Read one booking or booking request in full, with what the camper wrote and what it costs.',
  aliases: [
    'details of a stay',
    'what did the camper write',
    'how much is that booking',
    'reservation details',
    'how many people come with that reservation',
    'when do they leave',
  ],
  label: 'Read a booking',
  brief: ['booking_id'],
  access: 'read',
  request: 'GET /host/data/stays/{booking_id}',
  input: {
    booking_id: labelled(
      'Booking',
      id('booking', 'Which one: booking_id from list_bookings or list_booking_requests.'),
    ),
  },
  output: {
    ...Booking,
    status: labelled(
      'Status',
      Type.Enum(anyState.words, {
        type: 'string',
        description: 'The first three are of requests; one that was accepted is a booking.',
      }),
    ),
  },
  decode: (answer) => ({ ...booking(answer), status: anyState.decode(answer['st']) }),
})

const Request = labelled('Booking request', id('booking', 'Which request: booking_id from list_booking_requests.'))
const Message = Type.Optional(
  labelled(
    'Message',
    Type.String({ minLength: 1, maxLength: 1000, description: 'A message to the camper that goes with the answer.' }),
  ),
)

export const accept_booking_request = endpoint({
  summary: "Accept a booking request: the camper's card is charged, and they are told.",
  aliases: [
    'say yes to a camper',
    'confirm the stay',
    'approve a reservation request',
    'let them come',
    'tell them they are welcome to stay',
    'they may come',
  ],
  label: 'Accept a booking request',
  brief: ['booking_id', 'message'],
  approval: {
    headline:
      'Accept the booking[ of {booking_id}][ from {booking_id.arrival} to {booking_id.departure}][ on {booking_id.site}][: {message}]',
    button: 'Accept[ and charge {booking_id.total}]',
    consequences: [
      { kind: 'people', text: 'The camper is told' },
      { kind: 'money', text: 'The camper’s card is charged[ {booking_id.total}]' },
      { kind: 'other', text: '[{booking_id.guests|guest stays|guests stay} on {booking_id.site}]' },
    ],
  },
  effect: 'changes',
  shownBy: [{ read: 'get_booking', from: { booking_id: 'booking_id' } }],
  preview: [request],
  verify: {
    read: 'get_booking',
    from: { booking_id: 'booking_id' },
    same: { booking_id: 'booking_id' },
    is: { status: ['upcoming', 'current', 'past'] },
  },
  access: 'write',
  confirm: true,
  request: 'POST /host/data/asks/{booking_id}/yes',
  input: { booking_id: Request, message: Message },
  output: {
    ...Booking,
    status: Type.Literal('booked', { description: 'As a booking it is upcoming.' }),
    camper_charged: Type.Literal(true, { description: "The camper's card was charged the total." }),
  },
  encode: ({ message }) => ({ json: { words: message } }),
  decode: (answer) => ({
    ...booking(answer),
    status: word({ UPCOMING: 'booked', HERE: 'booked' }, answer['st']),
    camper_charged: answer['charged'],
  }),
})

export const decline_booking_request = endpoint({
  summary: 'Decline a booking request: the camper is told, and not charged.',
  aliases: [
    'say no to a camper',
    'turn down a stay',
    'reject a reservation request',
    'refuse a guest',
    'tell them we cannot host them',
    'no room for them',
  ],
  label: 'Decline a booking request',
  brief: ['booking_id', 'message'],
  approval: {
    headline:
      'Decline the booking[ of {booking_id}][ from {booking_id.arrival} to {booking_id.departure}][ on {booking_id.site}][: {message}]',
    button: 'Decline booking',
    consequences: [
      { kind: 'people', text: 'The camper is told' },
      { kind: 'money', text: 'The camper is not charged' },
      { kind: 'irreversible', text: 'The answer cannot be changed any more' },
    ],
  },
  effect: 'removes',
  shownBy: [{ read: 'get_booking', from: { booking_id: 'booking_id' } }],
  preview: [request],
  verify: {
    read: 'get_booking',
    from: { booking_id: 'booking_id' },
    same: { booking_id: 'booking_id' },
    is: { status: ['declined'] },
  },
  access: 'write',
  confirm: true,
  request: 'POST /host/data/asks/{booking_id}/no',
  input: { booking_id: Request, message: Message },
  output: {
    ...Booking,
    status: Type.Literal('declined', { description: 'Your answer to the request, which cannot be changed any more.' }),
    camper_charged: Type.Literal(false, { description: "The camper's card was not charged." }),
  },
  encode: ({ message }) => ({ json: { words: message } }),
  decode: (answer) => ({
    ...booking(answer),
    status: word({ DECLINED: 'declined' }, answer['st']),
    camper_charged: answer['charged'],
  }),
})
