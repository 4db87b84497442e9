import { isHtml } from '../kit/content-type.ts'
import { pageTree } from '../kit/page-tree.ts'
import type { Answer } from '../kit/answer.ts'
import type { EndpointDefinition } from '../kit/define.ts'
import { InputRejected } from '../kit/failures.ts'
import type { Failure, FailureRule } from '../kit/failures.ts'
import { visibleText } from '../kit/visible-text.ts'
import { UnknownShape } from '../kit/wire.ts'
import { isWanted } from './answer.ts'
import type { AnswerOf } from './answer.ts'
import { isMoved } from './judged.ts'
import type { StoppedByRule } from './judged.ts'
import { Stopped, changed } from './outcome.ts'

/**
 * How the endpoint itself reads an answer: not as success (as an empty one), as success that an
 * empty answer would show too, or as success that only this answer shows.
 */
type Reading = 'none' | 'fits' | 'proven'

/**
 * What a rule's verdict depends on: nothing in the answer; its status, headers or redirect; words
 * anywhere in it; or a place in its body, such as a JSON field or an element.
 */
type Basis = 'nothing' | 'head' | 'words' | 'body'

/** Verdicts that the app did nothing: the call fails, or the request is sent again. */
const claims: ReadonlySet<Failure['kind']> = new Set([
  'rejected',
  'blocked',
  'auth_expired',
  'captcha',
  'mfa',
  'rate_limited',
])

/**
 * Judges a rule's verdict on a write's own answer. Only proof that the app did nothing counts,
 * since the title of a new post may contain "captcha", too. Otherwise the outcome is unknown.
 */
export function believed(
  stopped: StoppedByRule,
  { wasSignedIn, readingOf }: { readonly wasSignedIn: boolean; readonly readingOf: () => Reading },
): Stopped {
  const { outcome, answer, rule, isOwn } = stopped
  const { status } = answer
  const { kind } = outcome
  if (!claims.has(kind as Failure['kind']) || (status >= 400 && status < 500)) return stopped
  const saysSame = (of: Answer): boolean => verdictOf(rule, of) === kind
  const basis = basisOf(answer, saysSame)
  if (status >= 500) {
    const namesStatus = !saysSame({ ...answer, status: 200 })
    return basis === 'head' || namesStatus ? stopped : new Stopped({ kind: 'app_error', status })
  }
  if (basis === 'nothing') return changed(`${kind}, by what the answer does not say`)
  const reading = readingOf()
  const isProof = isOwn
    ? basis !== 'words' || reading === 'none'
    : basis !== 'words' && isSure(kind, { reading, wasSignedIn, isElement: basis === 'body' && isPage(answer) })
  if (isProof) return stopped
  return changed(basis === 'words' ? `${kind}, by words alone` : `${kind}, although it reads as done`)
}

interface Circumstances {
  readonly reading: Reading
  /** A page was read with the session right before. */
  readonly wasSignedIn: boolean
  /** The verdict depends on an element of a page. */
  readonly isElement: boolean
}

/**
 * For the connector's rules. Pages show forms and banners after success, too; the action itself may
 * have ended a valid session; and apps report limits along with a success.
 */
function isSure(kind: string, { reading, wasSignedIn, isElement }: Circumstances): boolean {
  if (reading === 'none') return !(isElement && kind === 'auth_expired' && wasSignedIn)
  return reading === 'fits' && !isElement && kind !== 'rate_limited'
}

function isPage({ headers, json }: Answer): boolean {
  return json === undefined && isHtml(headers['content-type'] ?? '')
}

/** Found by running the rule on answers with parts removed. */
function basisOf(answer: Answer, saysSame: (of: Answer) => boolean): Basis {
  const { status, headers, text } = answer
  const empty = { ...answer, text: '', json: undefined }
  const type = headers['content-type']
  const bare = { status: status < 300 ? 299 : 399, headers: type === undefined ? {} : { 'content-type': type } }
  if (status < 400 && saysSame({ ...empty, ...bare, location: null, elsewhere: null })) return 'nothing'
  if (saysSame(empty)) return 'head'
  return saysSame({ ...empty, text: `- ${wordsOf(text, type ?? '')} -` }) ? 'words' : 'body'
}

function wordsOf(text: string, type: string): string {
  if (!isHtml(type)) return text
  try {
    return visibleText(pageTree(text).root)
  } catch (error) {
    // Nested too deeply: the source contains the same words.
    if (error instanceof UnknownShape) return text
    throw error
  }
}

/** A rule that throws has no verdict. */
function verdictOf(rule: FailureRule, answer: Answer): Failure['kind'] | undefined {
  try {
    return rule(answer)?.kind
  } catch {
    return undefined
  }
}

/** Reads a write's own answer without rules. `make` makes the output, and throws if it cannot. */
export function readingOf(
  answer: AnswerOf,
  { answer: kind, statuses, after, verify }: EndpointDefinition,
  make: (answer: AnswerOf) => unknown,
): Reading {
  if (isMoved(answer) || !isWanted(answer, { kind, statuses, isAction: true })) return 'none'
  if (after) return 'fits'
  const isRead = (one: AnswerOf): boolean => {
    try {
      make(one)
      return true
    } catch (error) {
      if (error instanceof Stopped || error instanceof InputRejected) return false
      throw error
    }
  }
  // For `any` answers only `verify` may know what they mean.
  if (!isRead(answer)) return kind === 'any' && verify?.proof ? 'fits' : 'none'
  return isRead({ ...answer, headers: {}, text: '', json: undefined, location: null, made: null }) ? 'fits' : 'proven'
}
