import type { Fields } from '../kit/wire.ts'
import type { HttpRequest, RawAnswer } from '../runtime/http.ts'
import type { Outcome } from '../runtime/outcome.ts'
import type { AppSession } from '../../schemas/session.ts'

/** One run of an endpoint against its app, without secrets; it can be replayed without the app. */
export interface Recording {
  /** What it shows: one of `kinds`, or another word. */
  readonly kind: string
  /** Root URL of the account's app. */
  readonly origin: string
  /** The connector's `now`. */
  readonly now: Date
  readonly session: Pick<AppSession, 'cookies' | 'tokens'>
  /** The caller's input. */
  readonly input: Fields
  /** In sending order. */
  readonly steps: readonly Step[]
  readonly expected: Expected
}

/** A request and the app's answer. */
export interface Step {
  readonly request: HttpRequest
  readonly answer: RawAnswer
}

export type Expected = Outcome

/** The kinds that an endpoint should record, where they are possible. */
export const kinds = ['success', 'signed_out', 'refused', 'not_found'] as const
export type Kind = (typeof kinds)[number]

/** Seals cursors in recordings; worthless anywhere else. */
export const cursorKey = Buffer.alloc(32, 'recordings')

/** Why an outcome does not fit this kind; undefined: it fits. */
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
