import { meetsFaults } from './fault-table.ts'

meetsFaults({
  slug: 'question-answer',
  read: ['get_space_stats', { space_id: '101145' }],
  writes: [
    ['ask_question', { question: 'Which map shows the wells?' }],
    ['post_to_space', { space_id: '101148', body_markdown: 'New' }],
  ],
  submitPath: '/ask',
})
