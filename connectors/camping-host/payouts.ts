import { Type } from 'typebox'
import { labelled, money } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { closed, day, described, refTo } from '../kit/inputs.ts'
import { rows, word } from '../kit/wire.ts'
import { Camper, Currency, Day, InCurrency, ListingOf, camper, fromDay, fromUnits, toDay } from './shared.ts'

export const list_payouts = endpoint({
  summary: 'List what is paid out to you, with the bookings that each payout covers, newest first.',
  aliases: [
    'money paid to me',
    'earnings from hosting',
    'when do I get paid',
    'transfers to my bank',
    'payout history',
    'when will the money be in my account',
    'what did I earn with hosting',
  ],
  label: 'List payouts',
  brief: ['since'],
  access: 'read',
  request: 'GET /host/data/paydays',
  input: {
    since: Type.Optional(
      labelled('Since', day('Only payouts of this day and later, those to come included; 90 days ago when left out.')),
    ),
  },
  output: {
    payouts: Type.Array(
      closed({
        date: described(Day, 'The day on which it is paid out, in your own time zone; it may lie ahead.'),
        status: Type.Enum(['scheduled', 'in_transit', 'paid'], {
          type: 'string',
          description: 'scheduled: its day is to come, and more may be added; in_transit: on its way to you.',
        }),
        amount: money(InCurrency, Type.Number({ description: "What you get, less the app's fee." })),
        currency: Currency,
        bookings: Type.Array(
          closed({
            booking_id: refTo('booking', 'Pass it to get_booking to read the booking in full.'),
            listing_id: ListingOf,
            camper: Camper,
            amount: money(
              { unit: 'major', currency: null },
              Type.Number({ description: "What you get for this booking, less the app's fee, in currency." }),
            ),
          }),
          { description: 'The bookings that it covers; their campers have left.' },
        ),
      }),
      { description: 'Newest first; one payout is in one currency.' },
    ),
  },
  encode: ({ since }) => ({ query: { since: toDay(since) } }),
  decode: ({ rows: paydays }) => ({
    payouts: rows(paydays).map(({ on, st, net, cur, exp, stays }) => ({
      date: fromDay(on),
      status: word({ PLANNED: 'scheduled', ON_WAY: 'in_transit', PAID: 'paid' }, st),
      amount: fromUnits(net, exp),
      currency: cur,
      bookings: rows(stays).map((part) => ({
        booking_id: part['stay'],
        listing_id: part['land'],
        camper: camper(part['who']),
        amount: fromUnits(part['net'], exp),
      })),
    })),
  }),
})
