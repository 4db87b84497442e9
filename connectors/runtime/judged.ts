import { rejected } from '../kit/failures.ts'
import type { Failure, FailureRule } from '../kit/failures.ts'
import { isWanted, otherKind, read } from './answer.ts'
import type { AnswerOf, Wanted } from './answer.ts'
import type { HttpResult } from './http.ts'
import { Stopped, changed, shaped } from './outcome.ts'

/** Stopped by a failure rule. `isOwn`: the endpoint's, about its own answers. */
export class StoppedByRule extends Stopped {
  readonly answer: AnswerOf
  readonly rule: FailureRule
  readonly isOwn: boolean
  constructor(
    failure: Failure,
    by: { readonly answer: AnswerOf; readonly rule: FailureRule; readonly isOwn: boolean },
  ) {
    super(failure)
    this.answer = by.answer
    this.rule = by.rule
    this.isOwn = by.isOwn
  }
}

export interface Rules {
  /** The endpoint's failure rule, which runs first. */
  readonly own: FailureRule | null
  /** The connector's failure rule for all endpoints. */
  readonly failure: FailureRule
  /** The statuses that the endpoint declares for this answer. */
  readonly statuses?: readonly number[] | null | undefined
}

/** The answer, unless it is a failure (throws `Stopped`). `root`: of the endpoint's pages. */
export function judged(result: HttpResult, url: URL, root: string, { own, failure, statuses }: Rules): AnswerOf {
  if (result.kind === 'changed') throw changed(result.rule)
  if (result.kind !== 'answer') throw new Stopped({ kind: result.kind })
  const answer = read(result.answer, url, root)
  const declared = own && shaped(undefined, () => own(answer))
  if (declared) throw new StoppedByRule(declared, { answer, rule: own, isOwn: true })
  // The connector's rules would take any status from 400 for a failure; here it is expected.
  if (answer.status >= 400 && statuses?.includes(answer.status)) return answer
  const failed = shaped(undefined, () => failure(answer))
  if (failed) throw new StoppedByRule(failed, { answer, rule: failure, isOwn: false })
  return answer
}

export function expected(answer: AnswerOf, wanted: Wanted): AnswerOf {
  if (!isWanted(answer, wanted)) throw changed(otherKind(answer, wanted.kind))
  return answer
}

/** Checks the answer of a write itself. */
export function expectedOfAction(answer: AnswerOf, wanted: Wanted): AnswerOf {
  if (isMoved(answer)) throw notDoneHere(answer)
  const { json } = expected(answer, { ...wanted, isAction: true })
  // These values say as little as an empty body.
  const saysNothing = wanted.kind === 'json' && (json === null || json === true)
  return saysNothing ? { ...answer, json: undefined } : answer
}

export function isMoved({ status }: AnswerOf): boolean {
  return status === 307 || status === 308
}

/**
 * 307 and 308 ask for the same request at another URL, which was not approved. The app has done
 * nothing then, unless the body claims success or is not the usual text of a redirect.
 */
function notDoneHere({ status, text, location, elsewhere }: AnswerOf): Stopped {
  const to = location === null ? elsewhere : `/${location}`
  if (to === null) return changed(`a ${status} to nowhere`)
  const said = text
    .replaceAll(/<(?:style|script)\b.*?<\/(?:style|script)\s*>|<[^<>]*>/gis, ' ')
    .replaceAll(/(?:https?:)?\/[^\s"'<>]*/gi, ' ')
    .trim()
  if (said !== '' && (!ofRedirects.test(said) || ofSuccess.test(said)))
    return changed(`a ${status} whose body says something else`)
  const failure = rejected('redirected', `The app did nothing: it wants this request at ${to.split(/[?#]/, 1)[0]}.`)
  return failure ? new Stopped(failure) : changed(`a ${status}`)
}

const ofRedirects = /redirect|\bmoved\b|\b30[78]\b|\bclick here\b/i
const ofSuccess =
  /\b(?:success\w*|succeeded|ok|okay|done|true|saved|created|added|updated|changed|deleted|removed|sent|accepted|completed?|thanks?|thank you|id)\b/i
