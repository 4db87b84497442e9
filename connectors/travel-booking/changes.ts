import { Type } from 'typebox'
import { labelled, money } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { closed, day, described, id, NullableText, refTo } from '../kit/inputs.ts'
import { ledTo } from '../kit/location.ts'
import { fields, rows, text } from '../kit/wire.ts'
import { Price, agreedPrice, price, priceOf, priced, toMinor } from './money.ts'
import { bookingToCancel, bookingToChange, refund } from './previews.ts'
import { Arrives, BookingId, BookingRef, Departs, formSeal, fromStopTime, pageOf, toDay } from './shared.ts'

export const get_change_options = endpoint({
  summary: 'List the other departures that a booking can be switched to on a day, each with what it costs to switch.',
  aliases: [
    'later train instead',
    'which other departures can I take',
    'what does it cost to switch',
    'change my ticket options',
    'earlier flight',
    'could I take a later one',
    'what else goes that day',
  ],
  label: 'List other departures',
  brief: ['booking_id', 'date'],
  access: 'read',
  request: 'GET /trips/x/bookings/{booking_id}/moves',
  input: {
    booking_id: BookingId,
    date: labelled('New day', day('The new day of departure on the clocks there, today to 180 days from today.')),
  },
  output: {
    booking_id: BookingRef,
    options: Type.Array(
      closed({
        option_id: refTo('option', 'Pass it to change_booking, together with total.'),
        departs: Departs,
        arrives: Arrives,
        price_difference: described(Price, 'Below zero where it is cheaper, which is not given back.'),
        fee: described(Price, 'The fee for changing, for all passengers together; 0 with flex.'),
        total: described(Price, 'What change_booking charges.'),
      }),
      { description: 'Other departures of the same operator that day, soonest first; empty for none.' },
    ),
  },
  encode: ({ date }) => ({ query: { day: toDay(date) } }),
  decode: ({ bookingRef, moves }) => ({
    booking_id: bookingRef,
    options: rows(moves).map(({ moveId, leaves, reaches, difference, swapFee, toPay }) => ({
      option_id: moveId,
      departs: fromStopTime(leaves),
      arrives: fromStopTime(reaches),
      price_difference: price(difference),
      fee: price(swapFee),
      total: price(toPay),
    })),
  }),
})

/** The currency is in the refund, not beside this amount. */
const kept = (label: string, description: string) =>
  labelled(label, money({ unit: 'major', currency: null }, Type.Number({ description })))

export const get_cancellation_quote = endpoint({
  summary:
    'Ask whether a booking can be cancelled online and what would be refunded, or why not; nothing is cancelled.',
  aliases: [
    'how much would I get back',
    'refund if I cancel',
    'can I cancel my ticket',
    'cancellation fee',
    'what do I lose if I do not go',
    'would they give money back',
  ],
  label: 'Ask for the refund',
  brief: ['booking_id'],
  access: 'read',
  request: 'GET /trips/x/bookings/{booking_id}/giveback',
  input: { booking_id: BookingId },
  output: {
    booking_id: BookingRef,
    cancellable: Type.Boolean({ description: 'Whether cancel_booking would cancel it now.' }),
    reason: described(NullableText, 'Why it cannot be cancelled online; null where it can.'),
    refund: described(
      closed({
        ...priced('Refund').properties,
        non_refundable: described(
          closed({
            service_fee: kept(
              'Service fee, not refunded',
              'What the app charged as its service fee when it was booked.',
            ),
            flex: kept('Flex, not refunded', 'What was paid for flex; 0 where it was booked without.'),
            change_fees: kept(
              'Change fees, not refunded',
              'Fees paid for earlier changes of departure; 0 if there were none.',
            ),
            kept_by_operator: kept('Kept by the operator', 'A part of the fare, shortly before departure.'),
          }),
          'What was paid and is never refunded, in the same currency.',
        ),
      }),
      'What cancel_booking would refund: pass its amount and currency there; 0 where not cancellable.',
    ),
  },
  decode: ({ bookingRef, possible, because, givenBack, notGivenBack }) => {
    const { serviceFee, flexPrice, swapFees, keptByCarrier } = fields(notGivenBack)
    return {
      booking_id: bookingRef,
      cancellable: possible,
      reason: because === null ? null : fields(because)['words'],
      refund: {
        ...price(givenBack),
        non_refundable: {
          service_fee: price(serviceFee).amount,
          flex: price(flexPrice).amount,
          change_fees: price(swapFees).amount,
          kept_by_operator: price(keptByCarrier).amount,
        },
      },
    }
  },
})

export const change_booking = endpoint({
  summary: 'Switch a booking to another departure: the card is charged the total that you give, old tickets are void.',
  aliases: [
    'switch to a later train',
    'rebook',
    'move my flight to Saturday',
    'take the earlier bus instead',
    'exchange ticket',
    'take the other train instead of mine',
    'move me to the evening one',
    'I pay the difference',
  ],
  label: 'Change a booking',
  brief: ['booking_id', 'option_id', 'total'],
  approval: {
    headline: 'Switch {booking_id} to another departure for {total}[: {option_id}][, instead of {booking_id.departs}]',
    button: 'Switch for {total}',
    consequences: [
      { kind: 'people', text: '[Changes the trip of {booking_id.passengers|passenger|passengers}]' },
      { kind: 'money', text: 'The card on file is charged {total}, fee included' },
      { kind: 'irreversible', text: 'The old tickets[ of {booking_id.departs}] are void' },
    ],
  },
  effect: 'changes',
  shownBy: [{ read: 'get_booking', from: { booking_id: 'booking_id' } }],
  preview: [bookingToChange],
  access: 'write',
  confirm: true,
  request: 'POST /trips/bookings/{booking_id}/move',
  before: { move: { request: 'GET /trips/x/bookings/{booking_id}/moves/{option_id}', take: () => null } },
  input: {
    booking_id: BookingId,
    option_id: labelled('New departure', id('option', 'Which departure: option_id from get_change_options.')),
    total: agreedPrice(
      'Total to pay',
      'What is to be paid, fee included: total of the option in get_change_options. Another price by then is refused.',
    ),
  },
  output: {
    booking_id: BookingRef,
    option_id: refTo('option', 'The departure that it was switched to, as you gave it.'),
    status: Type.Literal('confirmed', { description: 'Always confirmed: it is on the new departure now.' }),
    total: described(Price, 'What was paid.'),
  },
  encode: ({ option_id, total }) => ({
    form: { moveId: option_id, agreedMinor: toMinor(total), agreedCurrency: total.currency },
  }),
  csrf: formSeal,
  answer: 'redirect',
  decode: (_answer, { input, location }) => {
    const { booking_id, option_id, total } = input
    const { query } = ledTo(location, pageOf(booking_id), { done: 'moved', moveId: option_id })
    return { booking_id, option_id, status: 'confirmed', total: priceOf(query.get('paid'), total.currency) }
  },
})

export const cancel_booking = endpoint({
  summary: 'Cancel a booking with a refundable fare or with flex, for ever, for exactly the refund that was quoted.',
  aliases: [
    'cancel my ticket',
    'get a refund for my train',
    'I am not travelling any more',
    'cancel the flight',
    'refund my journey',
    'I do not go, give it back',
  ],
  label: 'Cancel a booking',
  brief: ['booking_id', 'refund'],
  approval: {
    headline: 'Cancel {booking_id}[ of {booking_id.departs}][ with {booking_id.operator}] for a refund of {refund}',
    button: 'Cancel booking',
    consequences: [
      { kind: 'people', text: '[The trip of {booking_id.passengers|passenger|passengers} is off]' },
      { kind: 'money', text: '{refund} is given back; the rest of what was paid is not' },
      { kind: 'irreversible', text: 'A cancelled booking cannot be restored' },
    ],
  },
  effect: 'removes',
  shownBy: [{ read: 'get_booking', from: { booking_id: 'booking_id' } }],
  preview: [bookingToCancel, refund],
  verify: {
    read: 'get_booking',
    from: { booking_id: 'booking_id' },
    same: { booking_id: 'booking_id' },
    is: { status: ['cancelled'] },
  },
  access: 'write',
  confirm: true,
  request: 'POST /trips/bookings/{booking_id}/cancel',
  input: {
    booking_id: BookingId,
    refund: agreedPrice(
      'Refund',
      'The refund that was quoted: amount and currency of refund in get_cancellation_quote. Another refund by then is refused.',
    ),
  },
  output: {
    booking_id: BookingRef,
    status: Type.Literal('cancelled', { description: 'Always cancelled, and for ever.' }),
    refund: described(Price, 'What is given back; the rest of what was paid is not.'),
  },
  encode: ({ refund }) => ({ form: { agreedMinor: toMinor(refund), agreedCurrency: refund.currency } }),
  csrf: formSeal,
  answer: 'redirect',
  decode: (_answer, { input, location }) => {
    const { query } = ledTo(location, pageOf(input.booking_id), { done: 'cancelled' })
    const refund = priceOf(query.get('givenBack'), text(query.get('currency')))
    return { booking_id: input.booking_id, status: 'cancelled', refund }
  },
})
