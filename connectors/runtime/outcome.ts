import { InputRejected } from '../kit/failures.ts'
import type { Failure } from '../kit/failures.ts'
import { faultPath } from './fault-path.ts'
import { UnknownShape } from '../kit/wire.ts'

/** The outcome of one exchange with an app. */
export type Outcome =
  | { readonly kind: 'ok'; readonly output: Record<string, unknown> }
  | Failure
  /** No connection: refused, or no such host. No byte was sent. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'timeout' }
  /** Closed or reset without a full answer. */
  | { readonly kind: 'lost' }
  /** `fence` returned false: nothing was sent. */
  | { readonly kind: 'fenced' }

/** An answer that the endpoint does not expect. */
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

/** In characters. */
export const longestRule = 300

/**
 * Runs connector code over an answer. An error in it means `changed`, also before anything is sent:
 * a page that it reads may have changed. `InputRejected` and `Stopped` pass through.
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

/** Messages of other errors may quote the page. */
function whatTripped(error: unknown): string {
  if (error instanceof UnknownShape) return error.message
  return error instanceof Error ? error.name : 'not understood'
}
