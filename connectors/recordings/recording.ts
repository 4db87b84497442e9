import type { Fields } from '../kit/wire.ts'
import type { HttpRequest, RawAnswer } from '../runtime/http.ts'
import type { Outcome } from '../runtime/outcome.ts'
import type { AppSession } from '../../schemas/session.ts'

/** One run of an endpoint against its app, without secrets: all that is needed to run it again without the app. */
export interface Recording {
  /** What it shows: one of `kinds`, or another word. */
  readonly kind: string
  /** Root of the account's app. */
  readonly origin: string
  /** The moment that it was for the connector. */
  readonly now: Date
  readonly session: Pick<AppSession, 'cookies' | 'tokens'>
  /** As a caller gives it. */
  readonly input: Fields
  /** In the order in which they went out. */
  readonly steps: readonly Step[]
  readonly expected: Expected
}

/** What was asked, and what the app answered. */
export interface Step {
  readonly request: HttpRequest
  readonly answer: RawAnswer
}

export type Expected = Outcome

/** What an endpoint's recordings are to show, each where it can come to it. */
export const kinds = ['success', 'signed_out', 'refused', 'not_found'] as const
export type Kind = (typeof kinds)[number]

/** Cursors in recordings are sealed with it, and are of use to nobody. */
export const cursorKey = Buffer.alloc(32, 'recordings')

/** Why an outcome is not what this kind of recording shows; undefined: it is. */
export function kindProblem(kind: string, outcome: Outcome): string | undefined {
  switch (kind) {
    case 'success':
      return outcome.kind === 'ok' ? undefined : 'a success is expected to end with an output'
    case 'signed_out':
      return outcome.kind === 'auth_expired' ? undefined : 'signed_out is expected to end as auth_expired'
    case 'refused':
      return outcome.kind === 'rejected' ? undefined : 'refused is expected to end as rejected'
    case 'not_found':
      return outcome.kind === 'rejected' && outcome.appCode === 'not_found'
        ? undefined
        : 'not_found is expected to end as rejected, with the appCode not_found'
    default:
      return undefined
  }
}
