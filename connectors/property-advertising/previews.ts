import type { Preview } from '../kit/declared.ts'

const facts = ['operation', 'price', 'currency', 'status']

/** Titles are only in the list. */
const title: Preview = {
  of: 'listing_id',
  read: 'list_listings',
  set: { status: 'all', limit: 100 },
  at: 'listings',
  id: 'listing_id',
  shows: ['title'],
  matters: [],
}

/** The public part of the listing. */
const text: Preview = {
  of: 'listing_id',
  read: 'get_listing',
  by: 'listing_id',
  shows: [...facts, 'size_m2', 'rooms', 'bathrooms', 'features', 'description'],
  matters: [...facts, 'size_m2', 'rooms', 'bathrooms', 'features', 'description'],
  conclusive: true,
}

export const listing: readonly Preview[] = [title, text]
export const activeListing: readonly Preview[] = [title, { ...text, needs: { status: ['active'] } }]
export const inactiveListing: readonly Preview[] = [title, { ...text, needs: { status: ['inactive'] } }]

export const sharedListings: Preview = {
  ...title,
  of: 'listing_ids',
  shows: ['title', ...facts],
  matters: ['title', ...facts],
  conclusive: true,
}

const conversation: Preview = {
  of: 'contact_id',
  read: 'get_conversation',
  by: 'contact_id',
  shows: ['messages', 'notes'],
  matters: ['messages'],
  conclusive: true,
}

/** Names of contacts are only in lists, one per state; unread and active cover open enquiries. */
const named: Preview = {
  of: 'contact_id',
  read: 'list_contacts',
  set: { state: 'unread' },
  at: 'contacts',
  id: 'contact_id',
  shows: ['name', 'state'],
  matters: [],
}

export const contact: readonly Preview[] = [named, { ...named, set: { state: 'active' } }, conversation]
