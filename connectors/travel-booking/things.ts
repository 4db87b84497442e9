import type { Thing } from '../kit/declared.ts'

export const things: Readonly<Record<string, Thing>> = {
  trip: {
    label: 'trip',
    toldBy: [
      { read: 'get_trip', by: 'trip_id', id: 'trip_id' },
      { read: 'search_trips', at: 'trips', id: 'trip_id' },
    ],
    title: ['operator'],
    facts: ['departs', 'arrives', 'mode', 'price.amount'],
  },
  fare: {
    label: 'fare',
    toldBy: [{ read: 'get_trip', at: 'fares', id: 'fare_id' }],
    title: ['class'],
    facts: ['price.amount', 'exchangeable', 'refundable'],
  },
  booking: {
    label: 'booking',
    toldBy: [
      { read: 'get_booking', by: 'booking_id', id: 'booking_id' },
      { read: 'list_bookings', at: 'bookings', id: 'booking_id' },
    ],
    title: ['route'],
    facts: ['departs', 'operator', 'status'],
  },
  option: {
    label: 'departure',
    toldBy: [{ read: 'get_change_options', at: 'options', id: 'option_id' }],
    title: ['departs'],
    facts: ['arrives', 'total.amount'],
  },
}
