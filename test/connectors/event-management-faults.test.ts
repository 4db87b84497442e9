import { meetsFaults } from './fault-table.ts'

meetsFaults({
  slug: 'event-management',
  read: ['list_sessions', { event_id: '1000980' }],
  writes: [
    ['add_attendee', { event_id: '1000980', first_name: 'New', last_name: 'Guest', email: 'new.guest@mail.example' }],
    ['update_session', { session_id: '1001239', description: 'Changed.' }],
    ['send_announcement', { event_id: '1000980', message: 'Thank you all.' }],
    ['message_speakers', { event_id: '1000980', message: 'Thank you.' }],
  ],
  submitPath: '/organizer/v1/gatherings',
})
