import { Type } from 'typebox'
import { fromEpoch } from '../kit/dates.ts'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { closed, cursor, described, limit, moment, nextCursor, refTo } from '../kit/inputs.ts'
import { UnknownShape, fields, rows } from '../kit/wire.ts'
import { formSeal } from './seal.ts'
import {
  Author,
  QuestionLink,
  QuestionUrl,
  addressOf,
  keyOf,
  landed,
  listQuery,
  markdown,
  nextPlace,
  refNo,
  shownAs,
} from './shared.ts'

const AnswerId = refTo('answer', 'The number of the answer in the app; no endpoint takes it.')
const AnswerUrl = Type.String({ description: 'The address of the answer itself, below its question.' })
const AnsweredAt = described(moment, 'When the answer was posted, in UTC.')

export const list_my_answers = endpoint({
  summary: 'List the answers you have written, newest first.',
  aliases: ['what have I answered', 'my answers', 'answers that I wrote'],
  label: 'List your answers',
  brief: [],
  access: 'read',
  request: 'GET /api/my/replies',
  input: { limit: limit(20, 50), cursor },
  output: {
    answers: Type.Array(
      closed({
        answer_id: AnswerId,
        question: Type.String({ description: 'The wording of the question that you answered.' }),
        url: AnswerUrl,
        created_at: AnsweredAt,
      }),
      { description: 'Your own answers, newest first; empty when you have written none.' },
    ),
    next_cursor: nextCursor,
  },
  encode: ({ limit: size }, { anchor }) => ({ query: listQuery(anchor, size) }),
  decode: (list, { origin, cursor: next }) => ({
    answers: rows(list['rows']).map(({ ref, under, path, posted }) => ({
      answer_id: refNo(ref, 'reply'),
      question: fields(under)['wording'],
      url: addressOf(path, origin),
      created_at: fromEpoch(posted),
    })),
    next_cursor: next(nextPlace(list)),
  }),
})

export const list_answer_requests = endpoint({
  summary: 'List questions that people asked you to answer, newest first; anyone can ask, so topics can be unrelated.',
  aliases: [
    'who asked me to answer',
    'questions waiting for me',
    'requests for my answer',
    'does somebody want my opinion',
    'who wants to hear from me',
  ],
  label: 'List questions to answer',
  brief: [],
  access: 'read',
  request: 'GET /api/my/nudges',
  input: { limit: limit(20, 50) },
  output: {
    requests: Type.Array(
      closed({
        question: Type.String({ description: 'The wording of the question that you should answer.' }),
        question_url: QuestionLink,
        requested_by: labelled('Asked by', Author),
        requested_at: labelled('Asked at', described(moment, 'When they asked you to answer, in UTC.')),
      }),
      { description: 'Requests that you have not answered, newest first; several may be for one question.' },
    ),
  },
  encode: ({ limit: count }) => ({ query: { count } }),
  decode: (list, { origin }) => ({
    requests: rows(list['rows']).map(({ under, sender, sent }) => ({
      question: fields(under)['wording'],
      question_url: addressOf(fields(under)['path'], origin),
      requested_by: shownAs(sender),
      requested_at: fromEpoch(sent),
    })),
  }),
})

export const post_answer = endpoint({
  summary: 'Answer a question under your name; the answer is public at once.',
  aliases: ['answer a question', 'write an answer', 'publish my answer', 'respond to a question'],
  label: 'Answer a question',
  brief: ['question_url', 'body_markdown'],
  approval: {
    headline: 'Answer {question_url}: {body_markdown}',
    button: 'Publish answer',
    consequences: [{ kind: 'public', text: 'Everybody can read it at once, under your name' }],
  },
  effect: 'adds',
  shownBy: [
    { read: 'list_my_answers' },
    { read: 'get_question', from: { question_url: 'question_url' }, set: { answers_limit: 20 } },
  ],
  preview: [
    {
      of: 'question_url',
      read: 'get_question',
      by: 'question_url',
      set: { answers_limit: 0 },
      shows: ['question', 'answers'],
      matters: ['question'],
      conclusive: true,
    },
  ],
  access: 'write',
  confirm: true,
  request: 'POST /q/{question_url}/replies',
  segments: { question_url: keyOf },
  csrf: formSeal,
  answer: 'redirect',
  input: { question_url: QuestionUrl, body_markdown: markdown('Answer', 'The answer, as everybody will read it.') },
  output: {
    answer_id: AnswerId,
    status: Type.Literal('published', { description: 'Always published: everybody can read it at once.' }),
    url: AnswerUrl,
    created_at: AnsweredAt,
  },
  encode: ({ body_markdown }) => ({ form: { text: body_markdown } }),
  decode: (_answer, { input, location, origin }) => {
    const { path, said } = landed(location)
    const answer_id = said.get('reply') ?? ''
    const isThere = path === `q/${keyOf(input.question_url, origin)}/replies/${answer_id}` && answer_id !== ''
    if (!isThere || said.get('done') !== 'replied' || said.get('standing') !== 'live')
      throw new UnknownShape('led elsewhere')
    return {
      answer_id,
      status: 'published',
      url: addressOf(`/${path}`, origin),
      created_at: fromEpoch(said.get('at')),
    }
  },
})
