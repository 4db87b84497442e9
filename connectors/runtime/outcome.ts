import { InputRejected } from '../kit/failures.ts'
import type { Failure } from '../kit/failures.ts'
import { faultPath } from './fault-path.ts'
import { UnknownShape } from '../kit/wire.ts'

/** What came of talking to an app once. */
export type Outcome =
  | { readonly kind: 'ok'; readonly output: Record<string, unknown> }
  | Failure
  /** No connection: refused, or no such host. No byte was sent. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'timeout' }
  /** Closed or reset without a full answer. */
  | { readonly kind: 'lost' }
  /** `fence` said no: nothing was sent. */
  | { readonly kind: 'fenced' }

/** An answer that is not what the endpoint waits for. */
export class Stopped extends Error {
  readonly outcome: Exclude<Outcome, { kind: 'ok' }>
  constructor(outcome: Exclude<Outcome, { kind: 'ok' }>, cause?: unknown) {
    super(outcome.kind, { cause })
    this.outcome = outcome
  }
}

export function changed(rule: string, cause?: unknown): Stopped {
  return new Stopped({ kind: 'changed', rule: rule.slice(0, longestRule) }, cause)
}

/** Of what is said about an answer that was not understood, in characters. */
export const longestRule = 300

/**
 * Runs a connector's own words over an answer. Whatever they trip over is an answer that is not understood, also before anything is sent:
 * a page that they look things up in may have changed. What they refuse to put in the app's words stays refused.
 */
export function shaped<A, T>(answer: A, make: (answer: A) => T): T {
  try {
    return make(answer)
  } catch (error) {
    if (error instanceof InputRejected || error instanceof Stopped) throw error
    const known = error instanceof UnknownShape ? error.where : undefined
    const where = known ?? faultPath(answer, (again) => make(again as A))
    throw changed([whatTripped(error), where].filter(Boolean).join(' '), error)
  }
}

/** The words of other errors than ours may quote the page. */
function whatTripped(error: unknown): string {
  if (error instanceof UnknownShape) return error.message
  return error instanceof Error ? error.name : 'not understood'
}
