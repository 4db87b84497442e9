import { meetsFaults } from './fault-table.ts'

meetsFaults({
  slug: 'invitations',
  read: ['get_event', { event_id: 'event_100190' }],
  writes: [
    ['send_invitation', { event_id: 'event_100191' }],
    ['add_guests', { event_id: 'event_100190', guests: [{ name: 'New', phone: '+351 21 555 0134' }] }],
  ],
  submitPath: '/parties/100191/dispatch',
})
