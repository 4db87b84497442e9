import {
  Type,
  UnknownShape,
  closed,
  cursor,
  defaulted,
  endpoint,
  formToken,
  freeText,
  labelled,
  nextCursor,
  oneOf,
  refTo,
  refusedPage,
  select,
} from '@callgate/kit'
import type { Node } from '@callgate/kit'
import { theQuestion } from './previews.ts'
import {
  At,
  Author,
  Counted,
  QuestionId,
  Tags,
  counted,
  momentIn,
  noSuchPost,
  numberIn,
  refusedAs,
  script,
  tagsOf,
  userOf,
  whole,
  answersOn,
} from './shared.ts'

const Title = Type.String({ description: 'Its title, as plain text.' })

export const list_questions = endpoint({
  summary: 'List or search the questions of the forum.',
  label: 'List questions',
  brief: ['query', 'tag'],
  access: 'read',
  request: 'GET /questions/scope:{scope?}/sort:{sort?}/tags:{tag?}/page:{cursor?}/query:{query?}/',
  segments: { tag: freeText, query: freeText },
  input: {
    query: Type.Optional(
      labelled(
        'Words',
        Type.String({ minLength: 1, maxLength: 200, description: 'Words to look for in questions and answers.' }),
      ),
    ),
    tag: Type.Optional(
      labelled(
        'Tag',
        Type.String({ minLength: 1, maxLength: 50, description: 'Only those with this tag; names from list_tags.' }),
      ),
    ),
    scope: defaulted(
      labelled(
        'Which',
        oneOf(['all', 'unanswered', 'followed'], 'All of them, those without answers, or those that you follow.'),
      ),
      'all',
    ),
    sort: defaulted(
      labelled(
        'Order',
        oneOf(
          [
            'age-desc',
            'age-asc',
            'activity-desc',
            'activity-asc',
            'answers-desc',
            'answers-asc',
            'votes-desc',
            'votes-asc',
          ],
          'age-desc: the newest first.',
        ),
      ),
      'age-desc',
    ),
    cursor,
  },
  output: {
    total: Type.Integer({ description: 'How many there are on all pages.' }),
    questions: Type.Array(
      closed({
        question_id: refTo('question', 'Pass it to get_question.'),
        title: Title,
        ...Author,
        active_at: At,
        views: Counted,
        answers: Counted,
        votes: Counted,
        tags: Tags,
      }),
      { description: 'A page of them; empty when there are none. The author is who was at it last.' },
    ),
    next_cursor: nextCursor,
  },
  answer: 'page',
  decode: (_fields, { page, anchor, cursor: next }) => {
    const at = select(page)
    const total = whole(at.select('.js-questions-title .count').text())
    const pages = at.optional('main .paginator')
    // A page that is there no more shows the first one instead.
    if (anchor !== null && pages?.select('.current-page').text() !== anchor)
      return { total, questions: [], next_cursor: null }
    const found = total === 0 ? [] : at.all('#js-questions .question-summary')
    if (pages === null && found.length < total) throw new UnknownShape('no .paginator')
    return { total, questions: found.map(questionRow), next_cursor: next(pages && nextPage(pages)) }
  },
})

function questionRow(one: Node) {
  const link = one.select('h2 a')
  const count = (of: string) => counted(one.select(`.question-${of}-count .item-count`).text())
  const last = one.select('.question-summary-user-info')
  return {
    question_id: numberIn(link.attribute('href'), 'question'),
    title: link.text(),
    ...userOf(last.select('a')),
    active_at: momentIn(last.select('.js-timeago')),
    views: count('views'),
    answers: count('answers'),
    votes: count('votes'),
    tags: tagsOf(one.select('.question-summary-tags')),
  }
}

/** The number of the next page; null on the last one. */
function nextPage(pages: Node): string | null {
  const next = pages.select('.next-page')
  if (next.attribute('class').includes('js-disabled')) return null
  const number = /\/page:(\d+)\//.exec(next.attribute('href'))?.[1]
  if (number === undefined) throw new UnknownShape('no page in an address of questions')
  return number
}

export const get_question = endpoint({
  summary: 'Read a question: its text, who asked it, votes and tags. Its answers and comments have lists of their own.',
  label: 'Show a question',
  brief: ['question_id'],
  access: 'read',
  request: 'GET /question/{question_id}/',
  input: { question_id: QuestionId },
  output: {
    question_id: refTo('question'),
    title: Title,
    text: Type.String({ description: 'The question itself, as plain text.' }),
    ...Author,
    asked_at: At,
    votes: Counted,
    answers: Type.Integer({ description: 'How many answers it has.' }),
    tags: Tags,
    closed: Type.Boolean({ description: 'Whether it takes no answers any more.' }),
    url: Type.String({ description: 'Where people read it.' }),
  },
  answer: 'page',
  decode: (_fields, { page, location, input, origin }) => {
    const at = select(page)
    const card = at.select('.js-question')
    if (card.attribute('data-post-id') !== input.question_id) throw new UnknownShape('another question')
    const info = card.first('.post-update-info-container .post-update-info')
    return {
      question_id: input.question_id,
      title: card.select('h1 .js-editable-content').text(),
      text: card.select('.post-body .js-editable-content').text(),
      ...userOf(info.select('.user-name-link')),
      asked_at: momentIn(info.first('.post-revision-link .js-timeago')),
      votes: counted(card.first('.js-post-vote-number').text()),
      answers: answersOn(at),
      tags: tagsOf(card.select('.js-question-tags')),
      closed: card.any('.question-status').length > 0,
      url: new URL(location, origin).href,
    }
  },
})

export const ask_question = endpoint({
  summary: 'Ask a question under your name; everybody can read it at once.',
  label: 'Ask a question',
  brief: ['title', 'tags'],
  effect: 'adds',
  shownBy: [{ read: 'list_questions' }],
  verify: { read: 'list_questions', at: 'questions', id: 'question_id', same: { title: 'title' }, since: 'active_at' },
  access: 'write',
  confirm: true,
  request: 'POST /questions/ask/',
  csrf: formToken({ page: '/questions/ask/', field: 'csrfmiddlewaretoken', form: { class: 'js-ask-form' } }),
  input: {
    title: labelled(
      'Question',
      Type.String({ minLength: 10, maxLength: 300, description: 'The question in one line.' }),
    ),
    text: labelled(
      'Details',
      Type.String({ minLength: 10, maxLength: 20_000, description: 'What else there is to say, in Markdown.' }),
    ),
    tags: labelled(
      'Tags',
      Type.Array(Type.String({ pattern: '^[^\\s,]{2,50}$', description: 'A tag, without spaces.' }), {
        minItems: 1,
        maxItems: 5,
        description: 'One to five tags; those that are there are in list_tags.',
      }),
    ),
  },
  output: {
    question_id: refTo('question', 'Pass it to get_question.'),
    url: Type.String({ description: 'Where people read it.' }),
  },
  form: {
    page: 'GET /questions/ask/',
    selector: 'form.js-ask-form',
    set: ({ title, text, tags }) => ({ title, text, tags: tags.join(' ') }),
    submit: { name: 'post' },
  },
  answer: 'redirect',
  failure: refusedPage('.js-ask-form .errorlist li', 'invalid_question'),
  decode: (_fields, { location, origin }) => ({
    question_id: numberIn(location, 'question'),
    url: new URL(location, origin).href,
  }),
})

export const retag_question = endpoint({
  summary: "Give a question other tags in place of those that it has; others' questions need enough karma.",
  label: 'Change the tags of a question',
  brief: ['question_id', 'tags'],
  effect: 'changes',
  shownBy: [{ read: 'get_question', from: { question_id: 'question_id' } }],
  preview: [{ ...theQuestion, shows: ['title', 'tags', 'author'], matters: ['title', 'tags'] }],
  access: 'write',
  request: 'POST /s/questions/{question_id}/retag/',
  input: {
    question_id: QuestionId,
    tags: labelled(
      'Tags',
      Type.Array(Type.String({ pattern: '^[^\\s,]{2,50}$', description: 'A tag, without spaces.' }), {
        minItems: 1,
        maxItems: 5,
        description: 'All tags that it is to have.',
      }),
    ),
  },
  output: { question_id: refTo('question'), tags: Tags },
  failure: [noSuchPost, refusedAs('retag_refused')],
  encode: ({ tags }) => ({ form: { tags: tags.join(' ') }, headers: script }),
  decode: ({ success, new_tags }, { input }) => {
    if (success !== true || typeof new_tags !== 'string') throw new UnknownShape('no new tags')
    return { question_id: input.question_id, tags: new_tags.split(' ') }
  },
})
