import type { AnswerKind } from '../kit/define.ts'
import type { FailureRule } from '../kit/failures.ts'
import { kindOf, otherKind, read } from './answer.ts'
import type { AnswerOf } from './answer.ts'
import type { HttpResult } from './http.ts'
import { Stopped, changed, shaped } from './outcome.ts'

/** By what the endpoint says of its own answers. */
export class StoppedByEndpoint extends Stopped {}

interface Rules {
  /** What the endpoint says of its failures, which is asked first. */
  readonly own: FailureRule | null
  /** What the connector says of all of them. */
  readonly failure: FailureRule
}

/** What came back, where it is an answer and no failure; else throws `Stopped` with what it is. `root`: below it are the endpoint's pages. */
export function judged(result: HttpResult, url: URL, root: string, { own, failure }: Rules): AnswerOf {
  if (result.kind === 'changed') throw changed(result.rule)
  if (result.kind !== 'answer') throw new Stopped({ kind: result.kind })
  const answer = read(result.answer, url, root)
  const declared = own && shaped(undefined, () => own(answer))
  if (declared) throw new StoppedByEndpoint(declared)
  const failed = shaped(undefined, () => failure(answer))
  if (failed) throw new Stopped(failed)
  return answer
}

export function expected(answer: AnswerOf, kind: AnswerKind): AnswerOf {
  if (kindOf(answer) !== kind) throw changed(otherKind(answer, kind))
  return answer
}
