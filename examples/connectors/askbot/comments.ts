import {
  Type,
  UnknownShape,
  endpoint,
  id,
  labelled,
  notFound,
  oneOf,
  refTo,
  refusedText,
  rows,
  select,
  text,
} from '@callgate/kit'
import type { Failure, FailureRule, Fields } from '@callgate/kit'
import { CommentRow, script } from './shared.ts'

const PostId = labelled(
  'Question or answer',
  Type.String({ pattern: '^\\d{1,15}$', description: 'question_id or answer_id, as post_type says.' }),
)
const PostType = labelled('Of what', oneOf(['question', 'answer'], 'What post_id names.'))

/** Plain words with a type that says JSON. */
const noSuchPost: FailureRule = ({ status, text: said }): Failure | undefined =>
  status === 400 && said === 'Post not found' ? notFound() : undefined
const signedOutOfScripts: FailureRule = ({ status, text: said }) =>
  status === 403 && said.startsWith('Sorry, you appear to be logged out') ? { kind: 'auth_expired' } : undefined
const refusals: readonly FailureRule[] = [noSuchPost, signedOutOfScripts, refusedText(/^\S[^{[<]*$/)]

/** The forum wants the size of the pictures that it shows beside them. */
const avatar_size = 16

export const list_comments = endpoint({
  summary: 'List the comments on a question or an answer, the oldest first.',
  label: 'List comments',
  brief: ['post_type', 'post_id'],
  access: 'read',
  request: 'GET /s/post_comments/',
  input: { post_type: PostType, post_id: PostId },
  output: { comments: Type.Array(CommentRow, { description: 'All of them; empty when there are none.' }) },
  failure: refusals,
  encode: ({ post_type, post_id }) => ({ query: { post_type, post_id, avatar_size }, headers: script }),
  decode: ({ items }) => ({ comments: rows(items).map(commentRow) }),
})

function commentRow(one: Fields) {
  const at = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.\d+)?([+-]\d\d:\d\d)/.exec(text(one['comment_added_at']))
  if (at === null || !Number.isSafeInteger(one['id'])) throw new UnknownShape('not a comment')
  return {
    comment_id: String(one['id']),
    text: select(text(one['html'])).text(),
    author: one['user_display_name'],
    author_id: String(one['user_id']),
    commented_at: `${at[1]}T${at[2]}${at[3]}`,
  }
}

export const add_comment = endpoint({
  summary: 'Comment on a question or an answer under your name; everybody can read it at once.',
  label: 'Add a comment',
  brief: ['text'],
  effect: 'adds',
  shownBy: [{ read: 'list_comments', from: { post_type: 'post_type', post_id: 'post_id' } }],
  verify: {
    read: 'list_comments',
    from: { post_type: 'post_type', post_id: 'post_id' },
    at: 'comments',
    id: 'comment_id',
    same: { text: 'text' },
    since: 'commented_at',
  },
  access: 'write',
  confirm: true,
  request: 'POST /s/post_comments/',
  input: {
    post_type: PostType,
    post_id: PostId,
    text: labelled('Comment', Type.String({ minLength: 10, maxLength: 300, description: 'As plain text.' })),
  },
  output: {
    comment_id: refTo('comment', 'Pass it to delete_comment.'),
    comments: Type.Integer({ description: 'How many there are now.' }),
  },
  failure: refusals,
  encode: ({ post_type, post_id, text: comment }) => ({
    form: { post_type, post_id, comment, avatar_size },
    headers: script,
  }),
  // It answers with all of them: the new one has the highest number.
  decode: ({ items }) => {
    const ids = rows(items).map((one) => Number(commentRow(one).comment_id))
    if (ids.length === 0) throw new UnknownShape('no comment')
    return { comment_id: String(Math.max(...ids)), comments: ids.length }
  },
})

export const delete_comment = endpoint({
  summary: 'Delete a comment of yours; it cannot be brought back.',
  label: 'Delete a comment',
  brief: ['comment_id'],
  effect: 'removes',
  shownBy: [],
  access: 'write',
  confirm: true,
  request: 'POST /s/comment/delete/',
  input: { comment_id: labelled('Comment', id('comment', 'Which comment: comment_id from list_comments.')) },
  output: { comments: Type.Integer({ description: 'How many comments its question or answer has now.' }) },
  failure: refusals,
  encode: ({ comment_id }) => ({ form: { comment_id, avatar_size }, headers: script }),
  decode: ({ items }, { input }) => {
    const left = rows(items).map(commentRow)
    if (left.some(({ comment_id }) => comment_id === input.comment_id)) throw new UnknownShape('it is still there')
    return { comments: left.length }
  },
})
