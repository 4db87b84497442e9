import { Type } from 'typebox'
import { endpoint } from '../kit/define.ts'
import { closed, day, described, id, refTo } from '../kit/inputs.ts'
import { UnknownShape, fields, rows, text } from '../kit/wire.ts'
import { Price, agreedPrice, price, priceOf, toMinor } from './money.ts'
import { Arrives, BookingId, BookingRef, Departs, formSeal, fromStopTime, ledBack, toDay } from './words.ts'

export const get_change_options = endpoint({
  summary: 'List the other departures that a booking can be switched to on a day, each with what it costs to switch.',
  access: 'read',
  request: 'GET /trips/x/bookings/{booking_id}/moves',
  input: {
    booking_id: BookingId,
    date: day('The new day of departure on the clocks there, today to 180 days from today.'),
  },
  output: {
    booking_id: BookingRef,
    options: Type.Array(
      closed({
        option_id: refTo('option', 'Pass it to change_booking, together with total.'),
        departs: Departs,
        arrives: Arrives,
        price_difference: Type.Object(Price.properties, {
          additionalProperties: false,
          description: 'Below zero where it is cheaper, which is not given back.',
        }),
        fee: described(Price, 'The fee for changing, for all passengers together; 0 with flex.'),
        total: Type.Object(Price.properties, {
          additionalProperties: false,
          description: 'What change_booking charges.',
        }),
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

export const get_cancellation_quote = endpoint({
  summary:
    'Ask whether a booking can be cancelled online and what would be refunded, or why not; nothing is cancelled.',
  access: 'read',
  request: 'GET /trips/x/bookings/{booking_id}/giveback',
  input: { booking_id: BookingId },
  output: {
    booking_id: BookingRef,
    cancellable: Type.Boolean({ description: 'Whether cancel_booking would cancel it now.' }),
    reason: Type.Union([Type.String(), Type.Null()], {
      description: 'Why it cannot be cancelled online; null where it can.',
    }),
    refund: described(
      closed({
        ...Price.properties,
        non_refundable: Type.Object(
          {
            service_fee: Type.Number({ description: 'What the app charged as its service fee when it was booked.' }),
            flex: Type.Number({ description: 'What was paid for flex; 0 where it was booked without.' }),
            change_fees: Type.Number({
              description: 'Fees paid for earlier changes of departure; 0 if there were none.',
            }),
            kept_by_operator: Type.Number({ description: 'A part of the fare, shortly before departure.' }),
          },
          { additionalProperties: false, description: 'What was paid and is never refunded, in the same currency.' },
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
  access: 'write',
  confirm: true,
  request: 'POST /trips/bookings/{booking_id}/move',
  input: {
    booking_id: BookingId,
    option_id: id('option', 'Which departure: option_id from get_change_options.'),
    total: agreedPrice(
      'What is to be paid, fee included: total of the option in get_change_options. Another price by then is refused.',
    ),
  },
  output: {
    booking_id: BookingRef,
    option_id: refTo('option', 'The departure that it was switched to, as you gave it.'),
    status: Type.Literal('confirmed', { description: 'Always confirmed: it is on the new departure now.' }),
    total: Type.Object(Price.properties, { additionalProperties: false, description: 'What was paid.' }),
  },
  encode: ({ option_id, total }) => ({
    form: { moveId: option_id, agreedMinor: toMinor(total), agreedCurrency: total.currency },
  }),
  csrf: formSeal,
  answer: 'redirect',
  decode: (_answer, { input, location }) => {
    const said = ledBack(location, input.booking_id)
    if (said.get('done') !== 'moved' || said.get('moveId') !== input.option_id) throw new UnknownShape('not moved')
    const { booking_id, option_id, total } = input
    return { booking_id, option_id, status: 'confirmed', total: priceOf(said.get('paid'), total.currency) }
  },
})

export const cancel_booking = endpoint({
  summary: 'Cancel a booking with a refundable fare or with flex, for ever, for exactly the refund that was quoted.',
  access: 'write',
  confirm: true,
  request: 'POST /trips/bookings/{booking_id}/cancel',
  input: {
    booking_id: BookingId,
    refund: agreedPrice(
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
    const said = ledBack(location, input.booking_id)
    if (said.get('done') !== 'cancelled') throw new UnknownShape('not cancelled')
    const refund = priceOf(said.get('givenBack'), text(said.get('currency')))
    return { booking_id: input.booking_id, status: 'cancelled', refund }
  },
})
