import { Type } from 'typebox'
import { codec } from '../kit/codec.ts'
import { fromCompact, toCompact } from '../kit/dates.ts'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { closed, cursor, day, defaulted, described, id, nextCursor, oneOf } from '../kit/inputs.ts'
import { fields, isFields, nullableText, rows, text } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { Day, Money, Time, Which, amountOf, fromStart, productId } from './shared.ts'

const statuses = codec({ confirmed: 'LIVE', cancelled: 'VOID' })

const Booking = {
  booking_reference: Which.booking_reference,
  product_id: Which.product_id,
  option_id: Which.option_id,
  date: labelled('Date', described(Day, "The day of departure, in the product's time zone.")),
  time: Time,
  status: labelled(
    'Status',
    Type.Enum(statuses.words, { type: 'string', description: 'Either confirmed, or cancelled by the traveler.' }),
  ),
  travelers: described(
    closed({
      adult: labelled('Adults', Type.Integer({ description: 'How many people travel as adults.' })),
      child: Type.Integer({ description: 'How many people travel as children.' }),
    }),
    'How many people come, by price category.',
  ),
}

function booking(order: Fields) {
  const { adults, children } = fields(order['pax'])
  return {
    booking_reference: order['orderNo'],
    product_id: order['activityId'],
    option_id: order['variantId'],
    date: fromCompact(order['day']),
    time: fromStart(order['start']),
    status: statuses.decode(order['state']),
    travelers: { adult: adults, child: children },
  }
}

/** The app's cursor is valid only for its days, and their defaults change every day. */
function place(anchor: string | null): Fields {
  const parsed: unknown = anchor === null ? {} : JSON.parse(anchor)
  return isFields(parsed) ? parsed : {}
}

function nextPlace({ first, last, after }: Fields): string | null {
  const next = nullableText(after)
  return next === null ? null : JSON.stringify({ first: text(first), last: text(last), after: next })
}

export const list_bookings = endpoint({
  summary: 'List the bookings of the days from one to another, by date and start time, 25 a page.',
  aliases: [
    'who is coming',
    'bookings of the week',
    "today's travelers",
    'upcoming reservations',
    'groups by start time',
    'how many people tomorrow',
    'who is on the walk',
  ],
  label: 'List bookings',
  brief: ['from', 'to', 'product_id', 'status'],
  access: 'read',
  request: 'GET /extranet/rest/orders',
  input: {
    from: Type.Optional(
      labelled('First day', day("The first day, in the product's time zone; today, in the account's, when left out.")),
    ),
    to: Type.Optional(
      labelled(
        'Last day',
        day('The last day, included. When left out: 7 days from today, or from a from that is later than that.'),
      ),
    ),
    product_id: productId('Only bookings of this product; of all when left out.'),
    status: defaulted(
      labelled('Status', oneOf([...statuses.words, 'all'], 'Only bookings with this status.')),
      'confirmed',
    ),
    cursor,
  },
  output: {
    bookings: Type.Array(closed(Booking), { description: 'One page, by date and start time.' }),
    next_cursor: nextCursor,
  },
  encode: ({ from, to, product_id, status }, { anchor }) => {
    const { first, last, after } = place(anchor)
    return {
      query: {
        first: toCompact(from) ?? first,
        last: toCompact(to) ?? last,
        activity: product_id,
        state: status === 'all' ? 'ANY' : statuses.encode(status),
        after,
      },
    }
  },
  decode: (list, { cursor: next }) => ({
    bookings: rows(list['items']).map(booking),
    next_cursor: next(nextPlace(list)),
  }),
})

export const get_booking = endpoint({
  summary: 'Read one booking with its product, its price and who leads the group.',
  aliases: ['details of a reservation', 'who leads the group', 'look up a booking', 'price of a booking'],
  label: 'Show a booking',
  brief: ['booking_reference'],
  access: 'read',
  request: 'GET /extranet/rest/orders/{booking_reference}',
  input: {
    booking_reference: labelled(
      'Booking',
      id('booking', 'Which booking: booking_reference from list_bookings or list_messages.'),
    ),
  },
  output: {
    ...Booking,
    product: Which.title,
    price: described(Money, 'What the booking costs for all travelers together, at the prices when it was made.'),
    lead_traveler: described(
      closed({
        name: labelled('Lead traveler', Type.String({ description: 'Full name of who booked.' })),
        language: Type.String({ description: 'Such as en or pt-BR.' }),
      }),
      'Who booked and leads the group.',
    ),
  },
  decode: (order) => {
    const { fullName, lang } = fields(order['leadGuest'])
    return {
      ...booking(order),
      product: order['headline'],
      price: amountOf(order['retail']),
      lead_traveler: { name: fullName, language: lang },
    }
  },
})
