import { isHtml, isJson, isLikeJson, unguarded } from '../kit/content-type.ts'
import type { Answer } from '../kit/answer.ts'
import type { AnswerKind } from '../kit/define.ts'
import type { RawAnswer } from './http.ts'
import { parseWithDigits } from './exact-json.ts'
import { pointed } from './pointed.ts'
import type { Pointed } from './pointed.ts'
import { UnknownShape, isFields } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'

/** An answer, the address that it came from, and the location that it redirects to. */
export interface AnswerOf extends Answer, Pointed {
  readonly url: URL
}

/** An answer with its JSON and its redirect parsed. */
export function read(raw: RawAnswer, url: URL, origin: string): AnswerOf {
  return { ...raw, url, json: jsonOf(raw), ...pointed(raw, url, origin) }
}

function jsonOf({ headers, text }: RawAnswer): unknown {
  return isJson(headers['content-type'] ?? '') || isLikeJson(text) ? parsed(unguarded(text)) : undefined
}

function parsed(text: string): unknown {
  if (isTooDeep(text)) return undefined
  try {
    // An id beyond 2^53 keeps its digits as text; the output schema may restore the number.
    return parseWithDigits(text)
  } catch {
    return undefined
  }
}

/** No app nests its JSON deeper. */
const deepest = 200

/** Scans characters only: deep nesting must not overflow the parser or later code. */
function isTooDeep(text: string): boolean {
  let depth = 0
  let isText = false
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at)
    if (sign === quote) isText = !isText
    else if (isText) at += sign === backslash ? 1 : 0
    else if (sign === openBracket || sign === openBrace) {
      if (++depth > deepest) return true
    } else if (sign === closeBracket || sign === closeBrace) depth--
  }
  return false
}

const [quote, backslash, openBracket, closeBracket, openBrace, closeBrace] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d]

/** What is expected of an answer. */
export interface Wanted {
  readonly kind: AnswerKind
  /** Null or absent: the usual ones of the kind. */
  readonly statuses?: readonly number[] | null | undefined
  /** The answer of a write itself, whose body may be empty. */
  readonly isAction?: boolean
}

export function isWanted(answer: AnswerOf, { kind, statuses, isAction = false }: Wanted): boolean {
  const { status, location, json, text } = answer
  const isRedirect = location !== null
  const isOk = status >= 200 && status < 300
  const isUsual = isOk ? kind !== 'redirect' : isRedirect && (kind === 'redirect' || kind === 'any')
  if (statuses ? !statuses.includes(status) : !isUsual) return false
  const isNothing = isAction && isOk && text.trim() === ''
  switch (kind) {
    case 'redirect':
      return isRedirect
    case 'json':
      return json !== undefined || status === 204 || isNothing
    case 'page':
      return isHtml(answer.headers['content-type'] ?? '')
    case 'empty':
      return text.trim() === ''
    case 'text':
      return !isMarkup(answer)
    case 'any':
      return true
  }
}

/** Without a content type the text decides, as in browsers. */
function isMarkup({ headers, text }: Answer): boolean {
  const type = headers['content-type'] ?? ''
  return type === '' ? /^\s*<(?:!doctype html|html|head|body)\b/i.test(text) : isHtml(type)
}

/** Describes an answer of an unexpected kind, for operators. */
export function otherKind(answer: Answer, wanted: AnswerKind): string {
  return `${wanted} expected, ${answer.status} came with ${whatCame(answer)}`
}

function whatCame({ status, headers, json, text, location, elsewhere }: Answer): string {
  if (elsewhere !== null) return elsewhere.startsWith('/') ? leaving : `${leaving} to ${new URL(elsewhere).origin}`
  if (location !== null) return 'a redirect within the app'
  if (status >= 300 && status < 400) return 'a redirect to nowhere'
  const type = /^[\w.+-]+\/[\w.+-]+/.exec(headers['content-type'] ?? '')?.[0] ?? 'no type'
  if (text.trim() === '') return 'nothing'
  return isJson(type) && json === undefined ? 'JSON that does not parse' : type
}

const leaving = 'a redirect out of the app'

export function fieldsOf(answer: Answer, kind: AnswerKind): Fields {
  if ((kind !== 'json' && kind !== 'any') || answer.json === undefined) return {}
  if (kind === 'any' && (typeof answer.json !== 'object' || answer.json === null)) return {}
  if (Array.isArray(answer.json)) return { items: answer.json }
  if (!isFields(answer.json)) throw new UnknownShape('not an object', answer.json)
  return answer.json
}
