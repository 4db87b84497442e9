import type { Thing } from '../kit/declared.ts'

export const things: Readonly<Record<string, Thing>> = {
  product: {
    label: 'product',
    toldBy: [
      { read: 'list_products', at: 'products', id: 'product_id' },
      { read: 'get_performance', at: 'products', id: 'product_id' },
    ],
    title: ['title'],
    facts: ['status'],
  },
  option: {
    label: 'option',
    toldBy: [{ read: 'list_products', at: 'products.options', id: 'option_id' }],
    title: ['name'],
    facts: [],
  },
  booking: {
    label: 'booking',
    toldBy: [
      { read: 'get_booking', by: 'booking_reference', id: 'booking_reference' },
      { read: 'list_bookings', at: 'bookings', id: 'booking_reference' },
    ],
    title: ['lead_traveler.name', 'product'],
    facts: ['date', 'time', 'travelers.adult', 'status'],
  },
  conversation: {
    label: 'conversation',
    toldBy: [{ read: 'list_messages', at: 'conversations', id: 'conversation_id' }],
    title: ['traveler'],
    facts: ['last_message', 'updated_at'],
  },
  review: {
    label: 'review',
    toldBy: [{ read: 'list_reviews', at: 'reviews', id: 'review_id' }],
    title: ['text'],
    facts: ['rating', 'date', 'reply'],
  },
}
