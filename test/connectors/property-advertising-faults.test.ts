import { meetsFaults } from './fault-table.ts'

meetsFaults({
  slug: 'property-advertising',
  read: ['get_listing', { listing_id: 'CV-10094' }],
  writes: [
    ['reply_to_contact', { contact_id: '10104', message: 'Hello' }],
    ['update_listing', { listing_id: 'CV-10094', fields: { price: 1 } }],
  ],
  submitPath: '/inbox/10104/reply',
})
