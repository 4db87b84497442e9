import { dayFromNow } from './app-caller.ts'
import { meetsFaults } from './fault-table.ts'

meetsFaults({
  slug: 'camping-host',
  read: ['get_booking', { booking_id: 'S100561' }],
  writes: [
    ['send_message', { conversation_id: 'C100369', message: 'Yes.' }],
    ['accept_booking_request', { booking_id: 'S100560' }],
    ['block_dates', { listing_id: 'L100001', from: dayFromNow(60), to: dayFromNow(60) }],
    ['update_pricing', { listing_id: 'L100001', dates: [dayFromNow(60)], nightly_price: 19.5 }],
  ],
  submitPath: '/host/chats',
})
