import type { Preview } from '../kit/declared.ts'

/** Only booked appointments can be moved or cancelled; writes reach the main location only. */
export const appointment: Preview = {
  of: 'appointment_id',
  read: 'list_appointments',
  set: { from: '2000-01-01', to: '2099-12-31', status: 'Booked' },
  at: 'appointments',
  id: 'appointment_id',
  shows: ['client', 'service', 'start', 'end', 'provider', 'status'],
  matters: ['client', 'service', 'start', 'end', 'provider', 'status'],
}
export const service: Preview = {
  of: 'service_id',
  read: 'list_services',
  at: 'services',
  id: 'service_id',
  shows: ['name', 'price.amount', 'price.currency', 'duration_min'],
  matters: ['name', 'price.amount', 'duration_min'],
}
export const waiting: Preview = {
  of: 'waitlist_entry_ids',
  read: 'list_waitlist',
  at: 'entries',
  id: 'waitlist_entry_id',
  shows: ['client', 'service', 'date', 'provider'],
  matters: ['client', 'service', 'date', 'provider'],
}
export const conversation: Preview = {
  of: 'conversation_id',
  read: 'list_conversations',
  set: { limit: 50 },
  at: 'conversations',
  id: 'conversation_id',
  shows: ['client', 'last_message', 'updated_at'],
  matters: ['client'],
}
export const review: Preview = {
  of: 'review_id',
  read: 'list_reviews',
  at: 'reviews',
  id: 'review_id',
  shows: ['client', 'rating', 'text', 'posted_at', 'replied'],
  matters: ['client', 'rating', 'text', 'replied'],
}
