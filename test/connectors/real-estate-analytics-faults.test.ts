import { meetsFaults } from './fault-table.ts'

meetsFaults({
  slug: 'real-estate-analytics',
  read: ['get_property_analysis', { property_id: 'h-25as' }],
  writes: [
    ['save_home', { property_id: 'h-25as' }],
    ['download_property_report', { property_id: 'h-25as' }],
    ['remove_saved_home', { property_id: 'h-25lf' }],
  ],
  submitPath: '/homes',
})
