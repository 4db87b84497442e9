import { meetsFaults } from './fault-table.ts'

meetsFaults({
  slug: 'travel-log',
  read: ['get_trip', { trip_id: 'trip_1000040' }],
  writes: [
    ['reply_to_step_comment', { comment_id: 'comment_1000003', body: 'Thank you!' }],
    ['add_step', { trip_id: 'trip_1000064', place: 'Kathmandu', date: '2026-03-01T08:30:00+05:45' }],
  ],
  submitPath: '/remarks',
})
