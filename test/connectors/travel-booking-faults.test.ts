import { meetsFaults } from './fault-table.ts'

meetsFaults({
  slug: 'travel-booking',
  read: ['get_booking', { booking_id: 'FV259Z' }],
  writes: [
    ['cancel_booking', { booking_id: 'FV25A6', refund: { amount: 911.4, currency: 'EUR' } }],
    [
      'book_trip',
      {
        fare_id: 'O00100.MS5pc3QuYW5rLjMwLjMzLjIwMTAuMTVhNGwweg.SECOND',
        passengers: ['Zoë', 'José', 'Mia'].map((first_name) => ({ first_name, last_name: 'Núñez' })),
        total: { amount: 65, currency: 'EUR' },
      },
    ],
  ],
  submitPath: '/trips/bookings',
})
