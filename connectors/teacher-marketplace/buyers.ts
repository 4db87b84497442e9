import { Type } from 'typebox'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import {
  closed,
  cursor,
  day,
  defaulted,
  described,
  id,
  limit,
  moment,
  nextCursor,
  NullableText,
  oneOf,
  refTo,
} from '../kit/inputs.ts'
import { ledTo } from '../kit/location.ts'
import { fields, number, textOrNull, word } from '../kit/wire.ts'
import { listQuery, pageOf } from './lists.ts'
import { Day, Which, formPass, fromClock, reference, toUs } from './shared.ts'

const QuestionId = refTo('question', 'Which question; answer_buyer_question takes it while there is no answer.')
const AnsweredAt = described(moment, 'When it was answered, to the minute, in UTC.')
const states = { all: 'any', unanswered: 'open', answered: 'replied' } as const

export const list_buyer_questions = endpoint({
  summary: "List the questions of the store's Q&A with their product and any answer, newest first.",
  aliases: [
    'questions of buyers',
    'unanswered questions',
    'Q&A',
    'what do teachers ask about my products',
    'did buyers ask anything',
    'questions that I have not answered',
  ],
  label: 'List buyer questions',
  brief: ['status', 'product_id'],
  access: 'read',
  request: 'GET /dash/asks',
  input: {
    status: defaulted(
      labelled(
        'Status',
        oneOf(['all', 'unanswered', 'answered'], 'Only questions without an answer, or only those with one.'),
      ),
      'all',
    ),
    product_id: Type.Optional(
      labelled('Product', id('product', 'Only questions about this product: product_id from list_products.')),
    ),
    limit: limit(25),
    cursor,
  },
  output: {
    questions: Type.Array(
      closed({
        question_id: QuestionId,
        product: described(
          closed({ ...Which, title: labelled('Product', Which.title) }),
          'The product that the question is about.',
        ),
        asked_by: labelled(
          'Asked by',
          described(NullableText, 'null: somebody who is no longer a member, and is not told of an answer.'),
        ),
        question: labelled(
          'Question',
          Type.String({ description: "The question in the buyer's own words, as everybody can read it." }),
        ),
        asked_at: labelled('Asked at', described(moment, 'When it was asked, to the minute, in UTC.')),
        answer: Type.Union(
          [
            closed({
              text: labelled('Answer', Type.String({ description: "The store's answer, as everybody can read it." })),
              answered_at: AnsweredAt,
            }),
            Type.Null(),
          ],
          { description: 'The one answer of the store; null while there is none.' },
        ),
      }),
      { description: 'One page of the questions, newest first.' },
    ),
    next_cursor: nextCursor,
  },
  encode: ({ status, product_id, limit: size }, { anchor }) => ({
    query: listQuery({ state: states[status], good: product_id }, { limit: size, anchor }),
  }),
  decode: (list, { input, anchor, cursor: sealed }) => {
    const { items, next } = pageOf(list, { limit: input.limit, anchor })
    const questions = items.map(({ no, good, asker, words, asked, reply }) => ({
      question_id: reference(no),
      product: { product_id: reference(fields(good)['no']), title: fields(good)['name'] },
      asked_by: textOrNull(asker),
      question: words,
      asked_at: fromClock(asked),
      answer: answerOf(reply),
    }))
    return { questions, next_cursor: sealed(next) }
  },
})

function answerOf(reply: unknown) {
  if (reply === null) return null
  const { words, when } = fields(reply)
  return { text: words, answered_at: fromClock(when) }
}

export const answer_buyer_question = endpoint({
  summary: 'Answer a question of the Q&A, once; everybody can read it, and who asked is emailed.',
  aliases: [
    'reply to a buyer',
    'answer a question about a product',
    'respond in the Q&A',
    'tell the teacher who asked that it has an answer key',
  ],
  label: 'Answer a buyer',
  brief: ['question_id', 'answer'],
  approval: {
    headline: 'Answer the question[ of {question_id.asked_by}][ about {question_id.product.title}][: {answer}]',
    button: 'Publish answer',
    consequences: [
      { kind: 'people', text: 'Who asked gets an e-mail, if still a member' },
      { kind: 'public', text: 'Everybody can read the answer' },
      { kind: 'irreversible', text: 'A question can be answered only once' },
    ],
  },
  effect: 'adds',
  shownBy: [{ read: 'list_buyer_questions', set: { status: 'answered' } }],
  preview: [
    {
      of: 'question_id',
      read: 'list_buyer_questions',
      set: { status: 'all', limit: 100 },
      at: 'questions',
      id: 'question_id',
      shows: ['question', 'product.title', 'asked_by', 'asked_at', 'answer'],
      matters: ['question', 'product.title', 'asked_by', 'answer'],
      conclusive: true,
      needs: { answer: [null] },
    },
  ],
  verify: {
    read: 'list_buyer_questions',
    set: { status: 'answered', limit: 100 },
    at: 'questions',
    same: { question_id: 'question_id', 'answer.text': 'answer' },
    since: 'answer.answered_at',
    proof: {
      words: 'answer',
      before: { answer: [null] },
      output: { question_id: 'question_id', answer: 'answer.text', answered_at: 'answer.answered_at' },
    },
  },
  access: 'write',
  confirm: true,
  request: 'POST /shop/asks/{question_id}/reply',
  input: {
    question_id: labelled(
      'Question',
      id('question', 'Which question: question_id of one without an answer from list_buyer_questions.'),
    ),
    answer: labelled(
      'Answer',
      Type.String({ minLength: 1, maxLength: 2000, description: 'What everybody will read, as the store.' }),
    ),
  },
  output: {
    question_id: QuestionId,
    answer: Type.String({ description: 'What everybody can read now, as you sent it.' }),
    answered_at: AnsweredAt,
  },
  csrf: formPass,
  encode: ({ answer }) => ({ form: { words: answer } }),
  answer: 'redirect',
  decode: (_answer, { input: { question_id, answer }, location }) => {
    const { query } = ledTo(location, 'shop/asks', { done: 'replied', ask: question_id })
    return { question_id, answer, answered_at: fromClock(query.get('when')) }
  },
})

export const schedule_sale = endpoint({
  summary: 'Mark down chosen products or the whole store from one day to another; buyers see it in the prices.',
  aliases: [
    'put the store on sale',
    'markdown for a week',
    'discount on products',
    'back to school sale',
    'sale from Monday to Friday',
    'throw a sale',
    'everything 20 percent off next week',
    'make all cheaper over the holidays',
  ],
  label: 'Schedule a sale',
  brief: ['discount_percent', 'product_ids', 'whole_store', 'from'],
  approval: {
    headline: 'Run a sale[ at {discount_percent}% off][ on {product_ids|product|products}] from {from} to {to}',
    button: 'Schedule sale',
    consequences: [
      {
        kind: 'money',
        text: '[Buyers pay {discount_percent}% less for {product_ids}]',
        when: { whole_store: [false] },
      },
      {
        kind: 'money',
        text: 'Buyers pay[ {discount_percent}%] less for the whole store, new products included',
        when: { whole_store: [true] },
      },
      { kind: 'public', text: 'Buyers see the lower prices from {from}' },
      { kind: 'irreversible', text: 'A sale cannot be taken back' },
    ],
  },
  effect: 'adds',
  shownBy: [],
  preview: [
    {
      of: 'product_ids',
      read: 'list_products',
      set: { status: 'all', type: 'all', limit: 100 },
      at: 'products',
      id: 'product_id',
      shows: ['title', 'price_cents', 'status'],
      matters: ['title', 'price_cents', 'status'],
      conclusive: true,
    },
  ],
  access: 'write',
  confirm: true,
  request: 'POST /shop/markdowns',
  input: {
    from: labelled(
      'First day',
      day("The first day of the sale, in the store's time zone: today or later, a year ahead at most."),
    ),
    to: labelled('Last day', day('The last day, included; 28 days in all at most.')),
    product_ids: Type.Optional(
      labelled(
        'Products',
        Type.Array(id('product', 'A product_id from list_products.'), {
          minItems: 1,
          maxItems: 200,
          uniqueItems: true,
          description: 'The products to mark down, product_id from list_products. Needed unless whole_store is true.',
        }),
      ),
    ),
    whole_store: defaulted(
      labelled(
        'Whole store',
        Type.Boolean({ description: 'true: all products, those to come included; then leave product_ids out.' }),
      ),
      false,
    ),
    discount_percent: defaulted(
      labelled(
        'Percent off',
        Type.Integer({ minimum: 5, maximum: 50, description: 'How much is taken off, 5 to 50.' }),
      ),
      20,
    ),
  },
  exactlyOne: ['product_ids', { is: { whole_store: [true] } }],
  output: {
    sale_id: refTo('sale', 'Names the sale in the app; no endpoint takes it.'),
    status: Type.Enum(['scheduled', 'running'], {
      type: 'string',
      description: 'scheduled: it begins on a later day. running: the prices are down already.',
    }),
    from: described(Day, "The first day of the sale, in the store's time zone."),
    to: described(Day, "The last day of the sale, included, in the store's time zone."),
    product_ids: Type.Union([Type.Array(refTo('product')), Type.Null()], {
      description: 'The products that are marked down; null: the whole store.',
    }),
    discount_percent: Type.Integer({ description: 'How much is taken off each price, in percent.' }),
  },
  csrf: formPass,
  encode: ({ from, to, product_ids, whole_store, discount_percent }) => ({
    form: {
      first: toUs(from),
      last: toUs(to),
      over: whole_store ? 'whole' : 'chosen',
      good: product_ids,
      percent: discount_percent,
    },
  }),
  answer: 'redirect',
  decode: (_answer, { input: { from, to, product_ids = null }, location }) => {
    const { query } = ledTo(location, 'shop/markdowns', { markdown: true })
    return {
      sale_id: query.get('markdown'),
      status: word({ planned: 'scheduled', running: 'running' }, query.get('done')),
      from,
      to,
      product_ids,
      discount_percent: number(query.get('percent')),
    }
  },
})

export const send_note_to_followers = endpoint({
  summary: 'Email a note to everybody who follows the store, now or on a later day.',
  aliases: [
    'email my followers',
    'tell followers about a new product',
    'newsletter of the store',
    'announce to followers',
    'let my fans know about the new bundle',
  ],
  label: 'Send a note to followers',
  brief: ['note', 'send_on'],
  approval: {
    headline: 'E-mail your followers[ on {send_on}][: {note}]',
    button: 'E-mail followers',
    consequences: [{ kind: 'people', text: 'All your followers get an e-mail[ on {send_on}]' }],
  },
  effect: 'adds',
  shownBy: [],
  preview: [],
  access: 'write',
  confirm: true,
  request: 'POST /shop/notes',
  input: {
    note: labelled(
      'Note',
      Type.String({ minLength: 1, maxLength: 2000, description: 'The text they will read, as the store.' }),
    ),
    send_on: Type.Optional(
      labelled(
        'Send on',
        day(
          "The day on which it leaves, at 9:00 in the store's time zone, a year ahead at most; at once when left out or today.",
        ),
      ),
    ),
  },
  output: {
    note_id: refTo('note', 'Names the note in the app; no endpoint takes it.'),
    status: Type.Enum(['sent', 'scheduled'], {
      type: 'string',
      description: 'sent: it has left already. scheduled: it leaves at sends_at.',
    }),
    sends_at: Type.String({ format: 'date-time', description: 'When it leaves, or left, in UTC.' }),
    followers: Type.Integer({ minimum: 0, description: 'How many it goes to.' }),
  },
  csrf: formPass,
  encode: ({ note, send_on }) => ({ form: { words: note, day: toUs(send_on) } }),
  answer: 'redirect',
  decode: (_answer, { location }) => {
    const { query } = ledTo(location, 'shop/notes', { note: true })
    return {
      note_id: query.get('note'),
      status: word({ sent: 'sent', planned: 'scheduled' }, query.get('done')),
      sends_at: fromClock(query.get('leaves')),
      followers: number(query.get('reached')),
    }
  },
})
