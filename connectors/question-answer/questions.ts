import { Type } from 'typebox'
import { fromEpoch } from '../kit/dates.ts'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { NullableText, closed, defaulted, described, id, limit, moment, refTo } from '../kit/inputs.ts'
import { htmlText } from '../kit/html.ts'
import { UnknownShape, fields, rows, text } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { mySpace } from './previews.ts'
import { formSeal } from './seal.ts'
import { Author, QuestionLink, QuestionUrl, addressOf, keyOf, landed, shownAs } from './shared.ts'

const QuestionRow = {
  question: labelled('Question', Type.String({ description: 'The wording of the question, as plain text.' })),
  question_url: QuestionLink,
  answers: labelled('Answers', Type.Integer({ description: 'How many answers it has.' })),
}

function questionRow({ wording, path, replies }: Fields, origin: string) {
  return { question: wording, question_url: addressOf(path, origin), answers: replies }
}

export const search_questions = endpoint({
  summary: 'Search the questions you can read for words; the exact phrase first, then the newest.',
  aliases: [
    'find questions about a topic',
    'has anybody asked this',
    'look for discussions',
    'search for a topic',
    'has anybody asked how to',
    'is there something about knives',
  ],
  label: 'Search questions',
  brief: ['query'],
  access: 'read',
  request: 'GET /api/asks',
  input: {
    query: labelled(
      'Words',
      Type.String({
        minLength: 1,
        maxLength: 500,
        description: 'Words that must all be in the question, in any order; case and accents do not matter.',
      }),
    ),
    limit: limit(20, 50),
  },
  output: {
    questions: Type.Array(closed(QuestionRow), {
      description: 'Questions with all the words, at most limit; empty when there are none.',
    }),
  },
  encode: ({ query, limit: count }) => ({ query: { find: query, count } }),
  decode: (list, { origin }) => ({ questions: rows(list['rows']).map((ask) => questionRow(ask, origin)) }),
})

export const get_question = endpoint({
  summary: 'Read a question and the beginnings of its most upvoted answers.',
  aliases: ['read a question and its answers', 'what are the top answers', 'open a question'],
  label: 'Show a question',
  brief: ['question_url'],
  access: 'read',
  request: 'GET /api/asks/{question_url}',
  segments: { question_url: keyOf },
  input: {
    question_url: QuestionUrl,
    answers_limit: defaulted(
      labelled(
        'Answers at most',
        Type.Integer({
          minimum: 0,
          maximum: 20,
          description: 'How many of the answers to show at most, 0 to 20; 0 returns the question only.',
        }),
      ),
      5,
    ),
  },
  output: {
    ...QuestionRow,
    top_answers: Type.Array(
      closed({
        author: Author,
        upvotes: Type.Integer({ description: 'How many upvotes the answer has now.' }),
        preview: Type.String({ description: 'How the answer begins, as plain text; empty if it is only pictures.' }),
      }),
      { description: 'Most upvoted first, at most answers_limit; empty when it has no answers yet.' },
    ),
  },
  encode: ({ answers_limit }) => ({ query: { best: answers_limit } }),
  decode: ({ ask, best }, { origin }) => ({
    ...questionRow(fields(ask), origin),
    top_answers: rows(best).map(({ writer, thumbs, teaser }) => ({
      author: shownAs(writer),
      upvotes: thumbs,
      preview: htmlText(text(teaser)),
    })),
  }),
})

export const ask_question = endpoint({
  summary: 'Ask a question under your name, of everybody or in a space, where it may first wait for approval.',
  aliases: [
    'post a question',
    'ask the community',
    'put a question to everybody',
    'I would like to know from everybody',
    'find out what people think',
  ],
  label: 'Ask a question',
  brief: ['question', 'space_id'],
  approval: {
    headline: 'Ask {question}[ in the space {space_id}]',
    button: 'Ask question',
    consequences: [
      { kind: 'public', text: 'Others can read it, under your name' },
      {
        kind: 'other',
        text: '[Goes to {space_id|space|spaces}, where an admin or moderator may have to approve it first]',
      },
    ],
  },
  effect: 'adds',
  shownBy: [{ read: 'search_questions', from: { query: 'question' } }],
  preview: [mySpace],
  verify: {
    read: 'search_questions',
    from: { query: 'question' },
    at: 'questions',
    id: 'question_url',
    same: { question: 'question' },
  },
  access: 'write',
  confirm: true,
  request: 'POST /ask',
  csrf: formSeal,
  answer: 'redirect',
  input: {
    question: labelled(
      'Question',
      Type.String({
        minLength: 1,
        maxLength: 250,
        pattern: '[?？؟]\\s{0,249}$',
        description: 'The question, ending with a question mark.',
      }),
    ),
    space_id: Type.Optional(
      labelled(
        'Space',
        id(
          'space',
          'Post it in this space: space_id from list_my_spaces. Where you are not a contributor, an admin or moderator must approve it first.',
        ),
      ),
    ),
  },
  output: {
    status: Type.Enum(['published', 'waiting_for_review'], {
      type: 'string',
      description: 'Published at once, or waiting_for_review by an admin or moderator of the space.',
    }),
    question_url: described(NullableText, 'null while it waits for review.'),
    submission_id: Type.Union([refTo('submission'), Type.Null()], {
      description: 'What admins and moderators review; null when it was published at once.',
    }),
    created_at: described(moment, 'When the question was asked, in UTC.'),
  },
  encode: ({ question, space_id }) => ({ form: { wording: question, room: space_id } }),
  decode: (_answer, { input, location, origin }) => {
    const { path, said } = landed(location)
    const created_at = fromEpoch(said.get('at'))
    const done = [said.get('done'), said.get('standing')].join(' ')
    if (done === 'asked live' && path.startsWith('q/'))
      return { status: 'published', question_url: addressOf(`/${path}`, origin), submission_id: null, created_at }
    if (done === 'held held' && path === `rooms/${input.space_id}`)
      return { status: 'waiting_for_review', question_url: null, submission_id: text(said.get('entry')), created_at }
    throw new UnknownShape('led elsewhere')
  },
})
