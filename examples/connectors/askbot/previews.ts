import type { Preview } from '@callgate/kit'

export const theQuestion: Preview = {
  of: 'question_id',
  read: 'get_question',
  by: 'question_id',
  shows: ['title', 'author', 'text', 'closed'],
  matters: ['title', 'text', 'closed'],
  conclusive: true,
}
