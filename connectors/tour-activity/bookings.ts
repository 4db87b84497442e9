import { Type } from 'typebox'
import { codec } from '../kit/codec.ts'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { closed, cursor, day, defaulted, described, nextCursor, NullableText, oneOf } from '../kit/inputs.ts'
import { fields, nullableText, rows, text } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { spanOf, todayIn } from './spans.ts'
import { ActivityId, BookingId, Day, Decimal, Which, amount, fromPanelDay, toPanel } from './shared.ts'

const statuses = codec({ confirmed: 'VALID', cancelled: 'VOID' })

const Booking = {
  booking_id: Which.booking_id,
  activity_id: Which.activity_id,
  activity: labelled('Activity', Type.String({ description: "The activity's title, as travellers see it." })),
  date: labelled('Date', described(Day, "The day of departure, in the activity's time zone.")),
  time: labelled('Time', Type.String({ description: "The start, on the clocks of the activity's place." })),
  people: labelled('People', Type.Integer({ description: 'How many people the booking is for.' })),
  status: labelled(
    'Status',
    Type.Enum(statuses.words, {
      type: 'string',
      description: 'Either confirmed or cancelled; only the traveller cancels.',
    }),
  ),
}

function booking({ bk, act, actTitle, day: date, hour, pax, st }: Fields) {
  return {
    booking_id: bk,
    activity_id: act,
    activity: actTitle,
    date: fromPanelDay(date),
    time: hour,
    people: pax,
    status: statuses.decode(st),
  }
}

interface Wish {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** The app's cursor is valid only for the first page's days, which are kept past midnight. */
function place(anchor: string | null) {
  const kept: unknown = anchor === null ? {} : JSON.parse(anchor)
  const { next, from, to } = fields(kept)
  return anchor === null ? {} : { next: text(next), from: text(from), to: text(to) }
}

function daysOf(
  { from, to }: Wish,
  context: { readonly anchor: string | null; readonly before: Fields; readonly now: Date },
) {
  const kept = place(context.anchor)
  const zone = text(fields(context.before['provider'])['tz'])
  return spanOf({ from: from ?? kept.from, to: to ?? kept.to }, todayIn(zone, context.now), 7)
}

export const list_bookings = endpoint({
  summary: 'List the bookings of one day or several, in order of departure, 25 a page.',
  aliases: [
    'who is coming on the tour',
    'bookings tomorrow',
    "today's groups",
    'reservations this week',
    'upcoming participants',
    'how many people come tomorrow',
    'who is on the boat',
    'who travels with us on Saturday',
  ],
  label: 'List bookings',
  brief: ['from', 'to', 'activity_id', 'status'],
  access: 'read',
  request: 'GET /panel/bookings',
  before: '/panel/me',
  input: {
    from: Type.Optional(
      labelled('First day', day("The first day of departure; today in the provider's time zone when left out.")),
    ),
    to: Type.Optional(
      labelled(
        'Last day',
        day(
          'The last day of departure, included. When left out: 7 days from today, or from a from that is later than that.',
        ),
      ),
    ),
    activity_id: Type.Optional(ActivityId),
    status: defaulted(
      labelled('Status', oneOf([...statuses.words, 'all'], 'confirmed, cancelled (by the traveller), or all of them.')),
      'confirmed',
    ),
    cursor,
  },
  output: {
    bookings: Type.Array(closed(Booking), { description: 'One page, by the moment of departure over all time zones.' }),
    next_cursor: nextCursor,
  },
  encode: ({ activity_id, status, ...wish }, context) => {
    const { from, to } = daysOf(wish, context)
    const { next } = place(context.anchor)
    const st = status === 'all' ? 'ANY' : statuses.encode(status)
    return { query: { fromDay: toPanel(from), toDay: toPanel(to), act: activity_id, st, size: 25, next } }
  },
  decode: ({ rows: list, next }, { input, cursor: make, ...context }) => {
    const token = nullableText(next)
    return {
      bookings: rows(list).map(booking),
      next_cursor: make(token === null ? null : JSON.stringify({ next: token, ...daysOf(input, context) })),
    }
  },
})

export const get_booking = endpoint({
  summary: 'Read one booking with its reference, price and lead traveller; personal data is as the panel shows it.',
  aliases: [
    'details of a booking',
    'who is the lead traveller',
    'look up a reservation by reference',
    'price of a booking',
  ],
  label: 'Show a booking',
  brief: ['booking_id'],
  access: 'read',
  request: 'GET /panel/bookings/{booking_id}',
  input: { booking_id: BookingId },
  output: {
    ...Booking,
    reference: Type.String({
      description: 'The code of the booking that the traveller knows too, such as CM-1TENM6H.',
    }),
    price: described(
      closed({
        amount: described(Decimal, 'For all people together, as a decimal text, e.g. 745.00.'),
        currency: Type.String({
          description: 'ISO 4217 code of the amount, such as EUR; the same for the whole provider.',
        }),
      }),
      "What the traveller pays for the booking, before the app's commission is taken off.",
    ),
    lead_traveler: described(
      closed({
        name: labelled('Traveller', Type.String({ description: 'Full name of who made the booking; never hidden.' })),
        email: labelled('Email', Type.String({ description: 'Partly hidden for cancelled bookings and for guides.' })),
        phone: labelled(
          'Phone number',
          described(NullableText, 'Partly hidden in the same cases; null when none was given.'),
        ),
      }),
      'Who made the booking, for all people in it.',
    ),
  },
  decode: (detail) => {
    const { value, currency } = amount(detail['total'])
    const { full, mail, tel } = fields(detail['holder'])
    return {
      ...booking(detail),
      reference: detail['loc'],
      price: { amount: value, currency },
      lead_traveler: { name: full, email: mail, phone: tel },
    }
  },
})
