import type { Preview } from '../kit/declared.ts'

export const shownEvent: Preview = {
  of: 'event_id',
  read: 'get_event',
  by: 'event_id',
  shows: ['title', 'event_date', 'location', 'time_zone', 'host_name', 'type', 'status'],
  matters: ['title', 'event_date', 'location', 'time_zone', 'host_name', 'status'],
  conclusive: true,
}

/** The recipients of the invitation: all guests without one. */
export const unsentList: Preview = {
  of: 'event_id',
  read: 'list_guests',
  by: 'event_id',
  set: { status: 'unsent' },
  shows: ['guests'],
  matters: ['guests'],
  conclusive: true,
  rules: [{ field: 'guests', not: [[]] }],
}

const guest = {
  read: 'get_guest',
  by: 'guest_id',
  from: { event_id: 'event_id' },
  shows: ['name', 'status', 'tags'],
  matters: ['name', 'status'],
  conclusive: true,
} as const

export const writtenGuest: Preview = { ...guest, of: 'guest_id' }
export const taggedGuests: Preview = { ...guest, of: 'guest_ids' }
