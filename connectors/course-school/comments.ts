import { Type } from 'typebox'
import { codec } from '../kit/codec.ts'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { closed, cursor, defaulted, described, id, limit, moment, nextCursor, oneOf, refTo } from '../kit/inputs.ts'
import { fields, flag, nullableText, rows } from '../kit/wire.ts'
import { comment, pendingComment } from './previews.ts'
import { formOn, formSaid, ref, utc } from './shared.ts'

const state = codec({ pending: 'held', approved: 'live', denied: 'refused' })

const CommentId = labelled('Comment', id('comment', 'Which comment: comment_id from list_comments.'))
const commentPage = formOn('/comments/{comment_id}')

export const list_comments = endpoint({
  summary: 'List the comments on lessons, replies included, newest first; listing marks nothing as read.',
  aliases: [
    'what are students asking below lessons',
    'comments waiting for approval',
    'questions under a lecture',
    'unread comments',
    'did students write anything',
    'what are people saying about the lesson',
  ],
  label: 'List comments',
  brief: ['status', 'unread_only', 'course_id'],
  access: 'read',
  request: 'GET /api/schools/mine/comments',
  input: {
    course_id: Type.Optional(
      labelled('Course', id('course', 'Only comments on lessons of this course; from list_courses.')),
    ),
    status: defaulted(
      labelled(
        'Status',
        oneOf(
          ['all', 'pending', 'denied'],
          'Only comments that wait for you, or that you denied. There is a pending queue only while comment moderation is on.',
        ),
      ),
      'all',
    ),
    unread_only: defaulted(
      labelled('Unread only', Type.Boolean({ description: 'true for unread comments only.' })),
      false,
    ),
    limit: limit(50),
    cursor,
  },
  output: {
    comments: Type.Array(
      closed({
        comment_id: refTo('comment', 'Pass it to reply_to_comment or moderate_comment.'),
        course_id: refTo('course', 'The course of the lesson, as in list_courses.'),
        lesson: labelled('Lesson', Type.String({ description: 'The name of the lesson.' })),
        author: Type.String({ description: 'The name of who wrote it; of your replies, yours.' }),
        body: labelled('Text', Type.String({ description: 'The whole text of the comment, as it was written.' })),
        status: labelled(
          'Status',
          Type.Enum(state.words, {
            type: 'string',
            description:
              'pending: waits for moderate_comment; approved: everybody sees it; denied: only the school does.',
          }),
        ),
        unread: Type.Boolean({ description: 'true until you reply to it, moderate it or mark it in the app.' }),
        created_at: labelled('Written at', described(moment, 'When the comment was written, in UTC.')),
      }),
      { description: 'Newest first, with replies among them; empty when none fits.' },
    ),
    next_cursor: nextCursor,
  },
  encode: (input, { anchor }) => ({
    query: {
      course: input.course_id,
      state: input.status === 'all' ? 'any' : state.encode(input.status),
      unseen: input.unread_only ? '1' : '0',
      size: input.limit,
      after: anchor,
    },
  }),
  decode: (answer, { cursor: next }) => ({
    comments: rows(answer['rows']).map((row) => ({
      comment_id: ref(row['no']),
      course_id: ref(row['course']),
      lesson: fields(row['lecture'])['heading'],
      author: row['by'],
      body: row['text'],
      status: state.decode(row['state']),
      unread: !flag(row['seen']),
      created_at: utc(row['posted']),
    })),
    next_cursor: next(nullableText(answer['after'])),
  }),
})

export const reply_to_comment = endpoint({
  summary: 'Reply to a comment in public, as the school owner; the comment then counts as read.',
  aliases: ["answer a student's comment", 'respond to a question below a lesson'],
  label: 'Reply to a comment',
  brief: ['comment_id', 'body'],
  approval: {
    headline: 'Reply in public to the comment[ of {comment_id.author}][ on {comment_id.lesson}]: {body}',
    button: 'Post reply',
    consequences: [
      { kind: 'public', text: 'Everybody can read the reply, as the school owner’s' },
      { kind: 'other', text: 'The comment then counts as read' },
    ],
  },
  effect: 'adds',
  shownBy: [{ read: 'list_comments' }],
  preview: [comment],
  verify: {
    read: 'list_comments',
    set: { limit: 100 },
    at: 'comments',
    id: 'comment_id',
    same: { body: 'body' },
    since: 'created_at',
  },
  access: 'write',
  confirm: true,
  request: 'POST /schools/mine/comments/{comment_id}/replies',
  input: {
    comment_id: described(
      CommentId,
      'Which comment: comment_id from list_comments; not one that is pending or denied.',
    ),
    body: labelled(
      'Reply',
      Type.String({ minLength: 1, maxLength: 2000, description: 'The reply that everybody can read.' }),
    ),
  },
  output: {
    comment_id: refTo('comment', 'The comment that you replied to, as in list_comments.'),
    reply_id: refTo('comment', 'The reply is a comment too: its comment_id.'),
  },
  csrf: commentPage,
  answer: 'redirect',
  encode: ({ body }) => ({ form: { text: body } }),
  decode: (_answer, { location }) => {
    const { comment, reply } = formSaid(location, /^\/comments\/(?<comment>\d+)\?reply=(?<reply>\d+)$/)
    return { comment_id: comment, reply_id: reply }
  },
})

export const moderate_comment = endpoint({
  summary: 'Approve a pending comment, so that everybody sees it, or deny it; it counts as read then.',
  aliases: [
    'approve a comment',
    'reject a comment',
    'deny spam',
    'hide a comment',
    'let a comment through',
    'that remark is spam',
    'do not show that comment',
    'this comment is fine',
  ],
  label: 'Moderate a comment',
  brief: ['comment_id', 'status'],
  approval: {
    headline: 'Mark the comment[ of {comment_id.author}] as {status}[: {comment_id.body}][, on {comment_id.lesson}]',
    button: 'Mark as {status}',
    consequences: [
      { kind: 'public', text: 'Everybody sees the comment', when: { status: ['approved'] } },
      { kind: 'people', text: 'Only the school still sees the comment', when: { status: ['denied'] } },
      { kind: 'irreversible', text: 'The decision cannot be changed later' },
    ],
  },
  effect: 'changes',
  shownBy: [{ read: 'list_comments', set: { status: 'pending' } }],
  preview: [pendingComment],
  verify: {
    read: 'list_comments',
    set: { status: 'all', limit: 100 },
    at: 'comments',
    same: { comment_id: 'comment_id', status: 'status' },
  },
  access: 'write',
  confirm: true,
  request: 'POST /schools/mine/comments/{comment_id}/verdict',
  input: {
    comment_id: CommentId,
    status: labelled(
      'Decision',
      oneOf(['approved', 'denied'], 'What becomes of the pending comment. It cannot be changed later.'),
    ),
  },
  output: {
    comment_id: refTo('comment', 'The comment that you decided about, as in list_comments.'),
    status: Type.Enum(['approved', 'denied'], {
      type: 'string',
      description: 'approved: everybody sees it now; denied: only the school still does.',
    }),
  },
  csrf: commentPage,
  answer: 'redirect',
  encode: ({ status }) => ({ form: { verdict: status === 'approved' ? 'allow' : 'refuse' } }),
  decode: (_answer, { location }) => {
    const { comment, now } = formSaid(location, /^\/comments\/(?<comment>\d+)\?state=(?<now>live|refused)$/)
    return { comment_id: comment, status: state.decode(now) }
  },
})
