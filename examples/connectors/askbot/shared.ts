import {
  isFields,
  notFound,
  refusedJson,
  Type,
  UnknownShape,
  closed,
  described,
  id,
  labelled,
  moment,
  refTo,
  select,
} from '@callgate/kit'
import type { FailureRule, Node } from '@callgate/kit'

export const QuestionId = labelled('Question', id('question', 'Which question: question_id from list_questions.'))
export const AnswerId = labelled('Answer', id('answer', 'Which answer: answer_id from list_answers.'))

export const Counted = Type.Union([Type.Integer(), Type.Null()], {
  description: 'null from 1000 on, where the forum shows only about how many.',
})
export const At = described(moment, 'In UTC.')
export const Tags = Type.Array(Type.String(), { description: 'Its tags.' })
export const Author = {
  author: Type.String({ description: 'The name that the forum shows.' }),
  author_id: refTo('user', 'Pass it to get_user.'),
}

/** What scripts of the forum say of themselves. */
export const script = { 'X-Requested-With': 'XMLHttpRequest' }

/** Who is signed in, as any page says it; null: nobody is. */
export function me(page: string): { id: string; label: string } | null {
  const link = select(page).optional('.user-nav .profile-link')
  return link === null ? null : { id: userOf(link).author_id, label: link.text() }
}

/** The forum shows everybody its pages, and sends to its sign-in page only who wants to write. */
export const signedOut: FailureRule = ({ headers, text, location, status }) => {
  const isPage = (headers['content-type'] ?? '').includes('text/html')
  const isAsked = location?.startsWith('account/signin/') === true || location?.startsWith('accounts/login/') === true
  const isAnonymous = isPage && status < 400 && select(text).any('.user-nav .login-link').length > 0
  return isAsked || isAnonymous ? { kind: 'auth_expired' } : undefined
}

/** Of a link to somebody's page: `/users/43/ada/`. */
export function userOf(link: Node): { author: string; author_id: string } {
  return { author: link.text(), author_id: numberIn(link.attribute('href'), 'users') }
}

/** The number in `…/users/43/ada/`, wherever the forum stands. */
export function numberIn(address: string, kind: string): string {
  const found = new RegExp(`/${kind}/(\\d+)/`).exec(`/${address}`)?.[1]
  if (found === undefined) throw new UnknownShape(`no number in an address of ${kind}`)
  return found
}

/** `2026-11-23 05:52:57+00:00 +0000`. */
export function momentIn(at: Node): string {
  const found = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.\d+)?([+-]\d\d:\d\d)/.exec(at.attribute('title'))
  if (found === null) throw new UnknownShape('not a moment')
  return `${found[1]}T${found[2]}${found[3]}`
}

/** `no`, `12`, or `1.3k`, which says too little: null. */
export function counted(text: string): number | null {
  if (text === 'no') return 0
  if (/^-?\d+$/.test(text)) return Number(text)
  if (/^-?\d+(\.\d)?k$/.test(text)) return null
  throw new UnknownShape('not a count')
}

/** The same of what is never shortened. */
export function whole(text: string): number {
  if (!/^\d+$/.test(text)) throw new UnknownShape('not a whole number')
  return Number(text)
}

export function tagsOf(at: Node): readonly string[] {
  return at.any('.js-tag-name').map((tag) => tag.attribute('data-tag-name'))
}

export const CommentRow = closed({
  comment_id: refTo('comment', 'Pass it to delete_comment.'),
  text: Type.String(),
  ...Author,
  commented_at: At,
})

/** A question without answers has no heading for them, and the form for the first one says so, or that it is closed. */
export function answersOn(at: Node): number {
  const count = at.optional('.js-answers-count .count')
  if (count !== null) return whole(count.text())
  if (at.any('.js-answer').length > 0) throw new UnknownShape('no .js-answers-count')
  at.first('.new-answer-form-title, .question-status')
  return 0
}

/** Which page of a list it is, and which comes next, by their numbers; a list of one page says neither. */
export function pagesOf(at: Node): { readonly current: string | null; readonly next: string | null } {
  const pages = at.optional('main .paginator')
  if (pages === null) return { current: null, next: null }
  const current = pages.select('.current-page').attribute('data-page')
  const isLast = whole(current) >= whole(pages.attribute('data-num-pages'))
  return { current, next: isLast ? null : String(whole(current) + 1) }
}

/** What scripts are told where there is nothing of that number. */
export const noSuchPost: FailureRule = ({ json }) =>
  isFields(json) && json['message'] === 'No Post matches the given query.' ? notFound() : undefined

/** What scripts are told that was not done: `{ "success": 0, "message": … }`. */
export function refusedAs(code: string): FailureRule {
  return refusedJson(({ success, message }) => (success === 0 || success === false ? { code, message } : undefined))
}
