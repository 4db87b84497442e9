import type { Thing } from '../kit/declared.ts'

export const things: Readonly<Record<string, Thing>> = {
  event: {
    label: 'event',
    toldBy: [
      { read: 'get_event', by: 'event_id', id: 'event_id' },
      { read: 'list_events', at: 'events', id: 'event_id' },
    ],
    title: ['title'],
    facts: ['event_date', 'location', 'status'],
  },
  guest: {
    label: 'guest',
    toldBy: [
      { read: 'get_guest', by: 'guest_id', id: 'guest_id' },
      { read: 'list_guests', at: 'guests', id: 'guest_id' },
    ],
    title: ['name'],
    facts: ['status', 'total_attending'],
  },
}
