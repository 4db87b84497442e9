import type { Preview } from '../kit/declared.ts'

const asked = ['camper', 'site', 'arrival', 'departure', 'guests', 'total', 'camper_message', 'status']
export const request: Preview = {
  of: 'booking_id',
  read: 'get_booking',
  by: 'booking_id',
  shows: [...asked, 'currency'],
  matters: asked,
  conclusive: true,
  needs: { status: ['pending_request'] },
}

/** The list is complete: all listings with all of their sites. */
export const listing: Preview = {
  of: 'listing_id',
  read: 'list_listings',
  at: 'listings',
  id: 'listing_id',
  shows: ['name', 'status', 'sites'],
  matters: ['name', 'status', 'sites'],
  conclusive: true,
}
export const site: Preview = {
  of: 'site_id',
  read: 'list_listings',
  at: 'listings.sites',
  id: 'site_id',
  shows: ['name', 'base_price', 'currency'],
  matters: ['name', 'base_price'],
  conclusive: true,
}

/** No list has every conversation; those to reply to are mostly unread. */
export const conversation: Preview = {
  of: 'conversation_id',
  read: 'list_messages',
  set: { filter: 'unread' },
  at: 'conversations',
  id: 'conversation_id',
  shows: ['camper', 'last_message', 'last_message_at'],
  matters: ['camper'],
}
export const review: Preview = {
  of: 'review_id',
  read: 'list_reviews',
  at: 'reviews',
  id: 'review_id',
  shows: ['camper', 'recommended', 'text', 'created_at', 'response'],
  matters: ['camper', 'recommended', 'text', 'response'],
  conclusive: true,
}
