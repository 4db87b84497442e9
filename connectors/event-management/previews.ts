import type { Preview } from '../kit/declared.ts'

/** The list is complete: all events. */
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
/** The list is complete: all speakers of the event. */
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
