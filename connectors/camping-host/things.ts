import type { Thing } from '../kit/declared.ts'

export const things: Readonly<Record<string, Thing>> = {
  listing: {
    label: 'listing',
    toldBy: [{ read: 'list_listings', at: 'listings', id: 'listing_id' }],
    title: ['name'],
    facts: ['status'],
  },
  site: {
    label: 'site',
    toldBy: [{ read: 'list_listings', at: 'listings.sites', id: 'site_id' }],
    title: ['name'],
    facts: ['base_price'],
  },
  booking: {
    label: 'booking',
    toldBy: [
      { read: 'get_booking', by: 'booking_id', id: 'booking_id' },
      { read: 'list_bookings', at: 'bookings', id: 'booking_id' },
      { read: 'list_booking_requests', at: 'requests', id: 'booking_id' },
    ],
    title: ['camper'],
    facts: ['arrival', 'departure', 'site', 'total'],
  },
  conversation: {
    label: 'conversation',
    toldBy: [{ read: 'list_messages', at: 'conversations', id: 'conversation_id' }],
    title: ['camper'],
    facts: ['last_message', 'last_message_at'],
  },
  review: {
    label: 'review',
    toldBy: [{ read: 'list_reviews', at: 'reviews', id: 'review_id' }],
    title: ['camper'],
    facts: ['text', 'recommended', 'created_at'],
  },
}
