import { Type } from 'typebox'
import { labelled } from '../kit/declared.ts'
import { InputRejected } from '../kit/failures.ts'
import { id, kindKey, refTo } from '../kit/inputs.ts'
import { within } from '../kit/request-line.ts'
import { UnknownShape, fields, isFields, number, rows, text, word } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'

export const SpaceId = labelled('Space', id('space', 'Which space: space_id from list_my_spaces.'))
export const QuestionUrl = labelled(
  'Question',
  Type.String({
    format: 'uri',
    maxLength: 2000,
    description:
      'The address of a question in the app: question_url from search_questions, list_answer_requests or ask_question.',
    [kindKey]: 'question',
  }),
)

export const Author = Type.String({ description: 'The name that the app shows; Somebody for who gave none.' })
export const QuestionLink = refTo('question', 'The address of the question; pass it to get_question or post_answer.')

/** The text of a reply or a post, within the app's limits. */
export function markdown(label: string, description: string) {
  return labelled(
    label,
    Type.String({
      minLength: 1,
      maxLength: 20_000,
      description: `${description} Markdown; images only by their http or https address.`,
    }),
  )
}

/** The number in a reference. Numbers are unique over all kinds; URLs contain them alone. */
export function refNo(reference: unknown, kind: string): string {
  const ref = fields(reference)
  if (ref['kind'] !== kind || !Number.isSafeInteger(ref['no'])) throw new UnknownShape(`not a reference to a ${kind}`)
  return String(ref['no'])
}

export function shownAs(person: unknown): string {
  return text(fields(person)['shown_as'])
}

export function submissionType(sort: unknown): string {
  return word({ story: 'post', ask: 'question', reply: 'answer' }, sort)
}

/** The full URL of a path that the app returns relative to its root: `/q/why-2s0b`. */
export function addressOf(path: unknown, origin: string): string {
  const url = text(path).startsWith('/') ? URL.parse(text(path).slice(1), origin) : null
  if (!url || !within(origin, url)) throw new UnknownShape('not a path of the app')
  return url.href
}

/** The key in a question's URL. Host and path must be the app's; scheme and port may differ. */
export function keyOf(question_url: string, origin: string): string {
  const root = new URL(origin)
  // A valid URI may still be an invalid URL, by its port or host.
  const url = URL.parse(question_url)
  const below = url?.pathname.startsWith(root.pathname) ? url.pathname.slice(root.pathname.length) : ''
  const key = /^q\/([a-z0-9-]+)$/.exec(below)?.[1]
  if (key === undefined || url?.hostname !== root.hostname)
    throw new InputRejected('ASK_NOT_FOUND', 'This is not the address of a question in the app.')
  return key
}

/** The redirect of a form: its path below the app's root, and the outcome in its query. */
export function landed(location: string): { readonly path: string; readonly said: URLSearchParams } {
  const [path = '', query = ''] = location.split('?', 2)
  return { path, said: new URLSearchParams(query) }
}

/** Cursor: the row to start at, and the app's token for a snapshot of the list. */
export function listQuery(anchor: string | null, limit: number) {
  const place: unknown = anchor === null ? {} : JSON.parse(anchor)
  const { start, until } = isFields(place) ? place : {}
  return { count: limit, start, until }
}

export function nextPlace(list: Fields): string | null {
  const { start, total, until } = list
  const count = rows(list['rows']).length
  const passed = number(start) + count
  return count === 0 || passed >= number(total) ? null : JSON.stringify({ start: passed, until: text(until) })
}
