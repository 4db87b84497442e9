import { meetsFaults } from './fault-table.ts'

const project_id = 'RW5nYWdlbWVudDoxMDE1OA=='

meetsFaults({
  slug: 'crm',
  read: ['get_project', { project_id }],
  writes: [['update_project_status', { project_id, status: 'In production' }]],
  submitPath: '/graphql',
})
