import type { Thing } from '../kit/declared.ts'

export const things: Readonly<Record<string, Thing>> = {
  question: {
    label: 'question',
    toldBy: [
      { read: 'get_question', by: 'question_url', id: 'question_url' },
      { read: 'search_questions', at: 'questions', id: 'question_url' },
      { read: 'list_answer_requests', at: 'requests', id: 'question_url' },
    ],
    title: ['question'],
    facts: ['answers', 'requested_by', 'requested_at'],
  },
  space: {
    label: 'space',
    toldBy: [{ read: 'list_my_spaces', at: 'spaces', id: 'space_id' }],
    title: ['name'],
    facts: ['role', 'url'],
  },
  submission: {
    label: 'submission',
    toldBy: [{ read: 'list_space_submissions', at: 'submissions', id: 'submission_id' }],
    title: ['title'],
    facts: ['type', 'author', 'submitted_at'],
  },
}
