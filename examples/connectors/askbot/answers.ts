import {
  AppRefused,
  InputRejected,
  Type,
  UnknownShape,
  closed,
  cursor,
  defaulted,
  endpoint,
  fields,
  labelled,
  nextCursor,
  oneOf,
  refTo,
  select,
} from '@callgate/kit'
import type { Node } from '@callgate/kit'
import { theQuestion } from './previews.ts'
import { At, Author, Counted, QuestionId, answersOn, counted, momentIn, pagesOf, userOf } from './shared.ts'

export const list_answers = endpoint({
  summary: 'List the answers to a question.',
  label: 'List the answers to a question',
  brief: ['question_id'],
  access: 'read',
  request: 'GET /question/{question_id}/',
  input: {
    question_id: QuestionId,
    sort: defaulted(labelled('Order', oneOf(['votes', 'latest', 'oldest'], 'latest: the newest first.')), 'votes'),
    cursor,
  },
  output: {
    total: Type.Integer({ description: 'How many there are on all pages.' }),
    answers: Type.Array(
      closed({
        answer_id: refTo('answer', 'Pass it to list_comments or add_comment.'),
        text: Type.String({ description: 'As plain text.' }),
        ...Author,
        answered_at: At,
        votes: Counted,
        accepted: Type.Boolean({ description: 'Whether who asked took it for the answer.' }),
      }),
      { description: 'A page of them; empty when there are none.' },
    ),
    next_cursor: nextCursor,
  },
  answer: 'page',
  encode: ({ sort }, { anchor }) => ({ query: { sort, page: anchor } }),
  decode: (_fields, { page, anchor, cursor: next }) => {
    const at = select(page)
    const total = answersOn(at)
    const { current, next: following } = pagesOf(at)
    // A page that is there no more shows the first one instead.
    if (anchor !== null && anchor !== current) return { total, answers: [], next_cursor: null }
    const found = total === 0 ? [] : at.all('.js-answer')
    if (current === null && found.length < total) throw new UnknownShape('no .paginator')
    return { total, answers: found.map(answerRow), next_cursor: next(following) }
  },
})

function answerRow(one: Node) {
  const infos = one.select('.post-update-info-container').all('.post-update-info')
  const author = infos.at(-1)
  if (author === undefined) throw new UnknownShape('no .post-update-info')
  return {
    answer_id: one.attribute('data-post-id'),
    text: one.select('.post-body .js-editable-content').text(),
    ...userOf(author.select('.user-name-link')),
    answered_at: momentIn(author.first('.post-revision-link .js-timeago')),
    votes: counted(one.first('.js-post-vote-number').text()),
    accepted: one.attribute('class').split(/\s+/).includes('js-accepted-answer'),
  }
}

export const post_answer = endpoint({
  summary: 'Answer a question under your name; everybody can read it at once.',
  label: 'Answer a question',
  brief: ['question_id', 'text'],
  effect: 'adds',
  shownBy: [{ read: 'list_answers', from: { question_id: 'question_id' }, set: { sort: 'latest' } }],
  preview: [{ ...theQuestion, needs: { closed: [false] } }],
  verify: {
    read: 'list_answers',
    from: { question_id: 'question_id' },
    set: { sort: 'latest' },
    at: 'answers',
    id: 'answer_id',
    same: { text: 'text' },
    since: 'answered_at',
  },
  access: 'write',
  confirm: true,
  request: 'POST /s/questions/{question_id}/answer/',
  input: {
    question_id: QuestionId,
    text: labelled(
      'Answer',
      Type.String({ minLength: 10, maxLength: 20_000, description: 'The answer, in Markdown.' }),
    ),
  },
  output: {
    answer_id: refTo('answer', 'Pass it to list_comments or add_comment.'),
    url: Type.String({ description: 'Where people read it.' }),
  },
  before: {
    mine: {
      request: 'GET /question/{question_id}/',
      answer: 'page',
      take: (_fields, { page }) => ({ posts: postsOn(page), no: refusalOn(page) }),
    },
  },
  encode: ({ text }, { before }) => {
    const { code, message } = fields(fields(before['mine'])['no'])
    if (typeof code === 'string' && typeof message === 'string') throw new InputRejected(code, message)
    return { form: { text } }
  },
  answer: 'redirect',
  after: 'location',
  decode: (_fields, { page, location, before, origin }) => {
    const answer_id = /\?answer=(\d+)/.exec(location)?.[1]
    const mine = fields(before['mine'])['posts']
    // It leads to the question itself, or to an answer that was there, where it took none.
    if (answer_id === undefined || (Array.isArray(mine) && mine.includes(answer_id)))
      throw new AppRefused('not_posted', saidOn(page) || 'The forum did not take the answer.')
    return { answer_id, url: new URL(location, origin).href }
  },
})

/** Why the page has no form for an answer, where it says so. */
function refusalOn(page: string): { readonly code?: string; readonly message?: string } {
  const at = select(page)
  if (at.any('.js-answer-form').length > 0) return {}
  const [status] = at.any('.question-status')
  if (status !== undefined) return { code: 'question_closed', message: status.text() }
  const [edit] = at.any('.info-box .btn')
  const leads = edit?.attributeOrNull('href') ?? ''
  return /\/answers\/\d+\/edit\/$/.test(leads)
    ? { code: 'already_answered', message: at.first('.info-box .mb-2').text() }
    : {}
}

/** The person's own posts below a question: the page's script names them for its buttons. */
function postsOn(page: string): readonly string[] {
  if (!page.includes("data['user_posts'] = posts;")) throw new UnknownShape('no user_posts')
  return [...page.matchAll(/^\s*posts\['(\d+)'\] = 1;$/gm)].map(([, post]) => String(post))
}

/** What the forum tells the person at the top of the page. */
function saidOn(page: string): string {
  const said = select(page).any('.js-system-message')
  return said.map((one) => one.text()).join('\n')
}
