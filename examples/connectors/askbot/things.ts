import type { Thing } from '@callgate/kit'

export const things: Readonly<Record<string, Thing>> = {
  question: {
    label: 'question',
    toldBy: [
      { read: 'get_question', by: 'question_id', id: 'question_id' },
      { read: 'list_questions', at: 'questions', id: 'question_id' },
    ],
    title: ['title'],
    facts: ['author', 'answers', 'votes'],
  },
  answer: {
    label: 'answer',
    toldBy: [{ read: 'list_answers', at: 'answers', id: 'answer_id' }],
    title: ['text'],
    facts: ['author', 'answered_at', 'votes'],
  },
  comment: {
    label: 'comment',
    toldBy: [{ read: 'list_comments', at: 'comments', id: 'comment_id' }],
    title: ['text'],
    facts: ['author', 'commented_at'],
  },
  user: {
    label: 'member',
    toldBy: [{ read: 'get_user', by: 'user_id', id: 'user_id' }],
    title: ['name'],
    facts: ['member_since'],
  },
}
