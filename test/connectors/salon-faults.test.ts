import { dayFromNow } from './app-caller.ts'
import { meetsFaults } from './fault-table.ts'

meetsFaults({
  slug: 'salon',
  read: ['list_appointments', { from: dayFromNow(7) }],
  writes: [
    ['cancel_appointment', { appointment_id: 'v1000306' }],
    ['reply_to_client', { conversation_id: 'k1001056', message: 'Yes, with pleasure.' }],
  ],
  submitPath: '/business/visits',
})
