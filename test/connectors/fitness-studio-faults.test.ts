import { dayFromNow } from './app-caller.ts'
import { meetsFaults } from './fault-table.ts'

meetsFaults({
  slug: 'fitness-studio',
  read: ['list_classes', { from: dayFromNow(3) }],
  writes: [
    ['book_class_reservation', { class_id: 'S100188', member_id: 'C100001' }],
    ['message_class_registrants', { class_id: 'S100191', channel: 'text', message: 'Bring a mat.' }],
  ],
  submitPath: '/staff/desk/slots',
})
