import { InputRejected, Type, UnknownShape, endpoint, fields, refTo } from '@callgate/kit'
import { theQuestion } from './previews.ts'
import { QuestionId, noSuchPost, refusedAs, script } from './shared.ts'

const upvote = '1'

export const upvote_question = endpoint({
  summary: 'Vote a question of somebody else up.',
  label: 'Vote for a question',
  brief: ['question_id'],
  effect: 'adds',
  shownBy: [{ read: 'get_question', from: { question_id: 'question_id' } }],
  preview: [{ ...theQuestion, shows: ['title', 'author', 'votes'], matters: ['title'] }],
  access: 'write',
  request: 'POST /s/vote',
  input: { question_id: QuestionId },
  output: { question_id: refTo('question'), votes: Type.Integer({ description: 'How many it has now.' }) },
  before: {
    // A second vote would take the first one back.
    vote: {
      request: 'GET /question/{question_id}/',
      answer: 'page',
      take: (_fields, { input, page }) => ({ mine: voteOn(page, input.question_id) }),
    },
  },
  failure: [noSuchPost, refusedAs('vote_refused')],
  encode: ({ question_id }, { before }) => {
    if (fields(before['vote'])['mine'] !== null)
      throw new InputRejected('already_voted', 'You have voted on this question.')
    return { form: { type: upvote, postId: question_id }, headers: script }
  },
  decode: ({ success, status, count }, { input }) => {
    if (success !== 1 || status !== 0) throw new UnknownShape('not a vote')
    return { question_id: input.question_id, votes: count }
  },
})

/** -1, 1, or null for none: the page's script says it for its buttons. */
function voteOn(page: string, question: string): number | null {
  if (!page.includes("data['user_votes'] = votes;")) throw new UnknownShape('no user_votes')
  const found = /^\s*votes\['(\d+)'\] = (-?1);$/gm
  for (const [, post, vote] of page.matchAll(found)) if (post === question) return Number(vote)
  return null
}
