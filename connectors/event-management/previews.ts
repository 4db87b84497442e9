import type { Preview } from '../kit/declared.ts'

/** All events are in it. */
export const event: Preview = {
  of: 'event_id',
  read: 'list_events',
  set: { status: 'all' },
  at: 'events',
  id: 'event_id',
  shows: ['name', 'start', 'end', 'status'],
  matters: ['name', 'start', 'end', 'status'],
  conclusive: true,
}
/** All speakers of the event are in it. */
export const speakers: Preview = {
  of: 'speaker_ids',
  read: 'list_speakers',
  from: { event_id: 'event_id' },
  at: 'speakers',
  id: 'speaker_id',
  shows: ['name', 'email', 'sessions'],
  matters: ['name', 'email'],
  conclusive: true,
}
