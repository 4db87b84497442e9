import { Type } from 'typebox'
import { endpoint } from '../define.ts'
import { closed, day } from '../inputs.ts'
import { rows, word } from '../wire.ts'
import { Day, camper, fromDay, fromUnits, toDay } from './words.ts'

export const list_payouts = endpoint({
  summary: 'List what is paid out to you, with the bookings that each payout covers, newest first.',
  access: 'read',
  request: 'GET /host/data/paydays',
  input: {
    since: Type.Optional(day('Only payouts of this day and later, those to come included; 90 days ago when left out.')),
  },
  output: {
    payouts: Type.Array(
      closed({
        date: Day,
        status: Type.Enum(['scheduled', 'in_transit', 'paid'], { type: 'string' }),
        amount: Type.Number({ description: "What you get, less the app's fee." }),
        currency: Type.String(),
        bookings: Type.Array(
          closed({
            booking_id: Type.String(),
            listing_id: Type.String(),
            camper: Type.String(),
            amount: Type.Number(),
          }),
        ),
      }),
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
