import type { Thing } from '../kit/declared.ts'

export const things: Readonly<Record<string, Thing>> = {
  activity: {
    label: 'activity',
    toldBy: [{ read: 'list_activities', at: 'activities', id: 'activity_id' }],
    title: ['name'],
    facts: ['destination', 'status'],
  },
  booking: {
    label: 'booking',
    toldBy: [
      { read: 'get_booking', by: 'booking_id', id: 'booking_id' },
      { read: 'list_bookings', at: 'bookings', id: 'booking_id' },
    ],
    title: ['lead_traveler.name', 'activity'],
    facts: ['activity', 'date', 'time', 'people'],
  },
}
