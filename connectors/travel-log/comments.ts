import { Type } from 'typebox'
import { fromEpoch } from '../kit/dates.ts'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { closed, described, id, moment, refTo } from '../kit/inputs.ts'
import { UnknownShape, fields, rows } from '../kit/wire.ts'
import { StepId, StepRef, formToken, idOf } from './shared.ts'

const Reply = {
  reply_id: refTo('reply', 'The id of the reply; no endpoint takes it.'),
  body: Type.String({ description: 'What you wrote in reply.' }),
  created_at: described(moment, 'When you replied, in UTC.'),
}

export const list_step_comments = endpoint({
  summary: 'List what others wrote below a step, oldest first, with your replies.',
  aliases: [
    'what did friends comment',
    'comments below a stop',
    'reactions to my story',
    'what have people said about my entry',
    'did anybody react',
  ],
  label: 'List comments',
  brief: ['step_id'],
  access: 'read',
  request: 'GET /v3/entries/{step_id}/remarks',
  input: { step_id: StepId },
  output: {
    comments: Type.Array(
      closed({
        comment_id: refTo('comment', 'Pass it to reply_to_step_comment.'),
        author: Type.String({ description: 'The name of whoever wrote it.' }),
        body: labelled('Text', Type.String({ description: 'What they wrote, with its line breaks.' })),
        created_at: labelled('Written at', described(moment, 'When they wrote it, in UTC.')),
        replies: Type.Array(closed(Reply), { description: 'Your replies to it, oldest first; empty for none.' }),
      }),
      { description: 'All of them at once; empty when nobody wrote.' },
    ),
  },
  decode: ({ remarks }) => ({
    comments: rows(remarks).map(({ remark, by, words, at, answers }) => ({
      comment_id: idOf(remark),
      author: fields(by)['called'],
      body: words,
      created_at: fromEpoch(at),
      replies: rows(answers).map((answer) => ({
        reply_id: idOf(answer['answer']),
        body: answer['words'],
        created_at: fromEpoch(answer['at']),
      })),
    })),
  }),
})

export const reply_to_step_comment = endpoint({
  summary: 'Reply to a comment below one of your steps, as you; whoever wrote it is emailed.',
  aliases: [
    'answer a comment',
    'reply to a friend',
    'respond below my story',
    'thank her for her kind words below my entry',
  ],
  label: 'Reply to a comment',
  brief: ['comment_id', 'body'],
  approval: {
    headline: 'Reply to {comment_id}: {body}',
    button: 'Post reply',
    consequences: [
      { kind: 'people', text: 'Whoever wrote the comment gets an e-mail' },
      { kind: 'public', text: 'Your reply appears below the step, as yours' },
    ],
  },
  effect: 'adds',
  shownBy: [],
  preview: [],
  access: 'write',
  confirm: true,
  request: 'POST /remarks/{comment_id}/answers',
  input: {
    comment_id: labelled('Comment', id('comment', 'Which comment: comment_id from list_step_comments.')),
    body: labelled(
      'Reply',
      Type.String({ minLength: 1, maxLength: 2000, description: 'The text they will read, as you.' }),
    ),
  },
  output: {
    comment_id: refTo('comment', 'The comment that you replied to, as you gave it.'),
    step_id: StepRef,
    reply_id: Reply.reply_id,
    created_at: Reply.created_at,
  },
  encode: ({ body }) => ({ form: { words: body } }),
  csrf: formToken,
  answer: 'redirect',
  decode: (_answer, { location }) => {
    const [, entry, remark, answer, at] = /^entries\/(\d+)\?remark=(\d+)&answer=(\d+)&at=(\d+)/.exec(location) ?? []
    if (entry === undefined) throw new UnknownShape('led elsewhere')
    return { comment_id: remark, step_id: entry, reply_id: answer, created_at: fromEpoch(at) }
  },
})
