import { dayFromNow } from './app-caller.ts'
import { meetsFaults } from './fault-table.ts'

meetsFaults({
  slug: 'tour-supplier',
  read: ['get_booking', { booking_reference: '7100288' }],
  writes: [
    ['update_availability', { option_id: '2100008', date: dayFromNow(5), slots: { '05:45': 0 } }],
    ['reply_to_review', { review_id: '4100148', reply: 'Thank you!' }],
    ['update_pricing', { option_id: '2100011', prices: { adult: 59.5 } }],
    ['reply_to_message', { conversation_id: '5100083', message: 'See you there!' }],
  ],
  submitPath: '/extranet/rest/variants',
})
