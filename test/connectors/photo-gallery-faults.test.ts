import { meetsFaults } from './fault-table.ts'

meetsFaults({
  slug: 'photo-gallery',
  read: ['get_collection', { collection_id: 'gal_258g' }],
  writes: [
    ['share_collection', { collection_id: 'gal_258g', emails: ['a@mail.example'] }],
    ['create_collection', { name: 'New' }],
  ],
  submitPath: '/studio',
})
