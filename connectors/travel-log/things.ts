import type { Thing } from '../kit/declared.ts'

export const things: Readonly<Record<string, Thing>> = {
  trip: {
    label: 'trip',
    toldBy: [
      { read: 'get_trip', by: 'trip_id', id: 'trip_id' },
      { read: 'list_trips', at: 'trips', id: 'trip_id' },
    ],
    title: ['name'],
    facts: ['start_date', 'end_date', 'privacy', 'steps'],
  },
  step: {
    label: 'step',
    toldBy: [
      { read: 'get_step', by: 'step_id', id: 'step_id' },
      { read: 'list_steps', at: 'steps', id: 'step_id' },
    ],
    title: ['title'],
    facts: ['place', 'date'],
  },
  comment: {
    label: 'comment',
    toldBy: [{ read: 'list_step_comments', at: 'comments', id: 'comment_id' }],
    title: ['author'],
    facts: ['body', 'created_at'],
  },
}
