import type { Thing } from '../kit/declared.ts'

export const things: Readonly<Record<string, Thing>> = {
  location: {
    label: 'location',
    toldBy: [{ read: 'list_locations', at: 'locations', id: 'location_id' }],
    title: ['name'],
    facts: ['address', 'phone'],
  },
  service: {
    label: 'service',
    toldBy: [{ read: 'list_services', at: 'services', id: 'service_id' }],
    title: ['name'],
    facts: ['price.amount', 'duration_min'],
  },
  provider: {
    label: 'provider',
    toldBy: [{ read: 'search_availability', at: 'slots', id: 'provider_id' }],
    title: ['provider'],
    facts: [],
  },
  appointment: {
    label: 'appointment',
    toldBy: [{ read: 'list_appointments', at: 'appointments', id: 'appointment_id' }],
    title: ['client'],
    facts: ['service', 'start', 'provider', 'status'],
  },
  client: {
    label: 'client',
    toldBy: [{ read: 'find_client', at: 'clients', id: 'client_id' }],
    title: ['name'],
    facts: ['email', 'phone', 'tags'],
  },
  conversation: {
    label: 'chat',
    toldBy: [{ read: 'list_conversations', at: 'conversations', id: 'conversation_id' }],
    title: ['client'],
    facts: ['last_message', 'updated_at'],
  },
  waitlist_entry: {
    label: 'place on the waitlist',
    toldBy: [{ read: 'list_waitlist', at: 'entries', id: 'waitlist_entry_id' }],
    title: ['client'],
    facts: ['service', 'date', 'provider'],
  },
  review: {
    label: 'review',
    toldBy: [{ read: 'list_reviews', at: 'reviews', id: 'review_id' }],
    title: ['client'],
    facts: ['rating', 'text', 'posted_at'],
  },
}
