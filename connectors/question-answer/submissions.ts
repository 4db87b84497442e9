import { Type } from 'typebox'
import { fromEpoch } from '../kit/dates.ts'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { closed, described, id, moment, oneOf, refTo } from '../kit/inputs.ts'
import { same } from '../kit/same-thing.ts'
import { fields, rows, word } from '../kit/wire.ts'
import { Author, SpaceId, refNo, shownAs, submissionType } from './shared.ts'

export const list_space_submissions = endpoint({
  summary: 'List what waits for review in a space that you run or moderate, first come first; empty if it takes none.',
  aliases: [
    'posts waiting for review',
    'submissions to moderate',
    'pending submissions',
    'moderation queue',
    'what did people hand in',
    'anything to look at for my group',
  ],
  label: 'List submissions to a space',
  brief: ['space_id'],
  access: 'read',
  request: 'GET /api/rooms/{space_id}/desk',
  input: { space_id: SpaceId },
  output: {
    submissions: Type.Array(
      closed({
        submission_id: refTo('submission', 'Pass it to review_space_submission.'),
        type: labelled('Type', oneOf(['post', 'question', 'answer'], 'What they want to see published in the space.')),
        title: Type.String({
          description: 'The headline, or the question that is asked or answered; empty for a post without one.',
        }),
        author: labelled('Author', Author),
        submitted_at: labelled('Submitted at', described(moment, 'When they submitted it, in UTC.')),
      }),
      { description: 'What waits for review, first come first; empty if the space takes none.' },
    ),
  },
  encode: () => ({ query: { stage: 'waiting' } }),
  decode: (desk, { input }) => {
    same(input.space_id, refNo(fields(desk['room'])['ref'], 'room'))
    const submissions = rows(desk['rows']).map(({ ref, sort, headline, writer, handed_in }) => ({
      submission_id: refNo(ref, 'entry'),
      type: submissionType(sort),
      title: headline,
      author: shownAs(writer),
      submitted_at: fromEpoch(handed_in),
    }))
    return { submissions }
  },
})

const verdicts = { approve: 'publish', queue: 'line_up', pass: 'skip' } as const
const statuses = { published: 'approved', lined_up: 'queued', skipped: 'passed' }

export const review_space_submission = endpoint({
  summary: 'Approve, queue or pass on what someone submitted to a space that you run or moderate; they are told.',
  aliases: [
    'approve a submission',
    'reject a post that somebody submitted',
    'moderate a post',
    'accept a contribution',
    'let his post in',
    'send her contribution back',
  ],
  label: 'Decide about a submission',
  brief: ['submission_id', 'decision'],
  approval: {
    headline: 'Publish the submission[ {submission_id}] now',
    button: 'Publish submission',
    instead: [
      {
        when: { decision: ['queue'] },
        headline: 'Put the submission[ {submission_id}] in the queue',
        button: 'Queue submission',
      },
      { when: { decision: ['pass'] }, headline: 'Turn down the submission[ {submission_id}]', button: 'Turn down' },
    ],
    consequences: [
      { kind: 'people', text: 'Whoever submitted it is told' },
      { kind: 'public', text: 'Published in the space at once', when: { decision: ['approve'] } },
      { kind: 'public', text: 'Published on the next free day of the space', when: { decision: ['queue'] } },
      { kind: 'irreversible', text: 'Never published; this cannot be changed later', when: { decision: ['pass'] } },
      { kind: 'irreversible', text: 'This cannot be changed later', when: { decision: ['approve', 'queue'] } },
    ],
  },
  effect: 'changes',
  shownBy: [],
  preview: [],
  access: 'write',
  confirm: true,
  request: 'POST /api/desk/{submission_id}/verdict',
  input: {
    submission_id: labelled(
      'Submission',
      id('submission', 'Which submission: submission_id from list_space_submissions.'),
    ),
    decision: labelled(
      'Decision',
      oneOf(
        ['approve', 'queue', 'pass'],
        'approve publishes it now, queue on the next free day of the space, pass never. It cannot be changed later.',
      ),
    ),
  },
  output: {
    submission_id: refTo('submission', 'The submission that was decided about.'),
    status: Type.Enum(['approved', 'queued', 'passed'], {
      type: 'string',
      description: 'Approved is public now, queued on publish_at, passed never.',
    }),
    publish_at: Type.Union([moment, Type.Null()], { description: 'When it is published; null when it was passed on.' }),
  },
  encode: ({ decision }) => ({ json: { verdict: verdicts[decision] } }),
  decode: ({ entry }) => {
    const { ref, stage, goes_live } = fields(entry)
    return {
      submission_id: refNo(ref, 'entry'),
      status: word(statuses, stage),
      publish_at: goes_live === null ? null : fromEpoch(goes_live),
    }
  },
})
