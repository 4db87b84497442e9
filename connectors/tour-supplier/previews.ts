import type { Preview } from '../kit/declared.ts'

/** The product's title is outside its options, so previews cannot show it. */
export const pricedOption: Preview = {
  of: 'option_id',
  read: 'list_products',
  set: { status: 'all' },
  at: 'products.options',
  id: 'option_id',
  shows: ['name', 'price_categories.adult', 'price_categories.child', 'currency'],
  matters: ['name', 'price_categories.adult', 'price_categories.child', 'currency'],
  conclusive: true,
}

/** Places left and booked now: a booking in between changes what the new numbers mean. */
export const dayOfOption: readonly Preview[] = [
  { ...pricedOption, shows: ['name'], matters: ['name'] },
  {
    of: 'option_id',
    read: 'get_availability',
    by: 'option_id',
    from: { from: 'date', to: 'date' },
    shows: ['days'],
    matters: ['days'],
    conclusive: true,
  },
]

export const conversation: Preview = {
  of: 'conversation_id',
  read: 'list_messages',
  set: { limit: 50 },
  at: 'conversations',
  id: 'conversation_id',
  shows: ['traveler', 'last_message', 'updated_at'],
  matters: ['traveler', 'last_message', 'updated_at'],
  conclusive: true,
}

/** A review accepts one reply. */
export const unansweredReview: Preview = {
  of: 'review_id',
  read: 'list_reviews',
  set: { unanswered_only: true },
  at: 'reviews',
  id: 'review_id',
  shows: ['text', 'rating', 'date', 'reply'],
  matters: ['text', 'rating', 'reply'],
  conclusive: true,
}
