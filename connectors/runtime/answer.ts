import { isHtml, isJson } from '../kit/content-type.ts'
import type { Answer } from '../kit/answer.ts'
import type { AnswerKind } from '../kit/define.ts'
import type { RawAnswer } from './http.ts'
import { within } from '../kit/request-line.ts'
import { UnknownShape, isFields } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'

/** An answer, and the address that it came from. */
export interface AnswerOf extends Answer {
  readonly url: URL
}

/** An answer with its JSON and its redirect understood. */
export function read(raw: RawAnswer, url: URL, origin: string): AnswerOf {
  const json = isJson(raw.headers['content-type'] ?? '') ? parsed(raw.text) : undefined
  return { ...raw, url, json, location: null, elsewhere: null, ...redirect(raw, url, origin) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Where a redirect points. One that leaves the app is never followed: only rules of failures look at it. */
function redirect(raw: RawAnswer, url: URL, origin: string): Partial<Pick<Answer, 'location' | 'elsewhere'>> {
  const given = raw.status < 300 || raw.status > 399 ? undefined : raw.headers['location']
  const target = given === undefined ? null : URL.parse(given, url.href)
  if (target === null) return {}
  if (within(origin, target)) return { location: belowRoot(origin, target) }
  const path = target.pathname + target.search
  return { elsewhere: target.origin === url.origin ? path : target.origin + path }
}

/** Path and query below the app's root, without a leading slash. */
export function belowRoot(origin: string, url: URL): string {
  return url.pathname.slice(new URL(origin).pathname.length) + url.search
}

export function kindOf(answer: Answer): AnswerKind | undefined {
  if (answer.location !== null) return 'redirect'
  if (answer.status < 200 || answer.status > 299) return undefined
  if (answer.json !== undefined) return 'json'
  if (answer.status === 204) return 'json'
  return isHtml(answer.headers['content-type'] ?? '') ? 'page' : undefined
}

/** An answer of another kind than was waited for, in words for operators. */
export function otherKind(answer: Answer, wanted: AnswerKind): string {
  return `${wanted} expected, ${answer.status} came with ${whatCame(answer)}`
}

function whatCame({ status, headers, json, location, elsewhere }: Answer): string {
  if (elsewhere !== null) return elsewhere.startsWith('/') ? leaving : `${leaving} to ${new URL(elsewhere).origin}`
  if (location !== null) return 'a redirect within the app'
  if (status >= 300 && status < 400) return 'a redirect to nowhere'
  const type = /^[\w.+-]+\/[\w.+-]+/.exec(headers['content-type'] ?? '')?.[0] ?? 'no type'
  return isJson(type) && json === undefined ? 'JSON that does not parse' : type
}

const leaving = 'a redirect out of the app'

export function fieldsOf(answer: Answer, kind: AnswerKind): Fields {
  if (kind !== 'json' || answer.json === undefined) return {}
  if (Array.isArray(answer.json)) return { items: answer.json }
  if (!isFields(answer.json)) throw new UnknownShape('not an object', answer.json)
  return answer.json
}
