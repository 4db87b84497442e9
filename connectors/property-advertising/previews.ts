import type { Preview } from '../kit/declared.ts'

const facts = ['operation', 'price', 'currency', 'status']

/** Only the list has titles. */
const title: Preview = {
  of: 'listing_id',
  read: 'list_listings',
  set: { status: 'all', limit: 100 },
  at: 'listings',
  id: 'listing_id',
  shows: ['title'],
  matters: [],
}

/** What the public reads of it. */
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
}

const conversation: Preview = {
  of: 'contact_id',
  read: 'get_conversation',
  by: 'contact_id',
  shows: ['messages', 'notes'],
  matters: ['messages'],
  conclusive: true,
}

/** The names of contacts are only in lists, of one state each: these two have whoever waits for an answer. */
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
