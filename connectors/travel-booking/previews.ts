import type { Preview } from '../kit/declared.ts'

const booked = ['route', 'departs', 'operator', 'passengers', 'fare.class', 'flex', 'total.amount', 'status']
const booking = {
  of: 'booking_id',
  read: 'get_booking',
  by: 'booking_id',
  shows: booked,
  matters: booked,
  conclusive: true,
} as const

export const bookingToChange: Preview = {
  ...booking,
  needs: { status: ['confirmed'], 'fare.exchangeable': [true] },
}
export const bookingToCancel: Preview = { ...booking, needs: { status: ['confirmed'] } }

/** The refund that the app would pay now, and what it keeps. */
export const refund: Preview = {
  of: 'booking_id',
  read: 'get_cancellation_quote',
  by: 'booking_id',
  shows: [
    'refund.amount',
    'refund.non_refundable.service_fee',
    'refund.non_refundable.flex',
    'refund.non_refundable.change_fees',
    'refund.non_refundable.kept_by_operator',
  ],
  matters: ['refund.amount'],
  conclusive: true,
  needs: { cancellable: [true] },
  // The app cancels only for exactly the refund that it quotes.
  rules: [
    { field: 'refund.amount', is: 'refund.amount' },
    { field: 'refund.currency', is: 'refund.currency' },
  ],
}
