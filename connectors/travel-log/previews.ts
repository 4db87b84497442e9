import type { Preview } from '../kit/declared.ts'

/** All steps are visible to everyone who can see the trip. */
export const trip: Preview = {
  of: 'trip_id',
  read: 'get_trip',
  by: 'trip_id',
  shows: ['name', 'privacy', 'steps', 'start_date', 'end_date'],
  matters: ['name', 'privacy'],
  conclusive: true,
}

export const step: Preview = {
  of: 'step_id',
  read: 'get_step',
  by: 'step_id',
  shows: ['title', 'place', 'date', 'story'],
  matters: ['title', 'place', 'date', 'story'],
  conclusive: true,
}
