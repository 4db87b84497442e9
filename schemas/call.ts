/** The states of a call. Source: contract, "A call". */
export type CallStatus =
  | 'awaiting_confirmation'
  | 'running'
  | 'executed'
  | 'failed'
  | 'unknown'
  | 'rejected'
  | 'expired'
  | 'cancelled'

export const callStatuses: readonly CallStatus[] = [
  'awaiting_confirmation',
  'running',
  'executed',
  'failed',
  'unknown',
  'rejected',
  'expired',
  'cancelled',
]

export type FinalStatus = Exclude<CallStatus, 'awaiting_confirmation' | 'running'>

export function isFinal(status: CallStatus): status is FinalStatus {
  return status !== 'awaiting_confirmation' && status !== 'running'
}

/** What a running call waits for, if it waits. */
export type WaitingFor = 'pacing' | 'blocked' | 'reconnect' | 'engine' | 'operator'

export type Access = 'read' | 'write'

export type Decision = 'approved' | 'rejected' | 'expired' | 'cancelled'

/**
 * What the workflow of a call knows: frozen at the start, no inputs, no outputs, no secrets, so that operators may read every run.
 * Times are milliseconds since the epoch.
 */
export interface CallArgs {
  readonly callId: string
  readonly owner: string
  readonly app: string
  readonly endpoint: string
  readonly account: string
  readonly access: Access
  /** Waits for the person first. */
  readonly confirm: boolean
  readonly acceptedAt: number
  /** The end of the time to decide; null without confirmation. */
  readonly expiresAt: number | null
  /** Task queue of the app: `app.<slug>`. */
  readonly taskQueue: string
  /** Fairness key of the account: 32 hex characters of SHA-256(account id). */
  readonly pacingKey: string
  /** The number of the first attempt; above 0 when the engine lost an earlier run of the call. */
  readonly attempt: number
  /** W3C trace context, where the call is traced. */
  readonly traceparent?: string
}

/** What one try at sending came to. All but `final` leave the call running; `attempt` is then the number of the next try. */
export type SendOutcome =
  /** `seal` proves to Callgate itself that the call may have been sent. */
  | { readonly kind: 'final'; readonly status: FinalStatus; readonly seal?: string }
  /** The app refused and did nothing, or its endpoint is paused for this account. `retryAt` in ms since the epoch. */
  | { readonly kind: 'blocked'; readonly retryAt: number; readonly attempt: number }
  /** The app answered 429 and did nothing. */
  | { readonly kind: 'rate_limited'; readonly retryAt: number; readonly attempt: number }
  /** An approved call needs the person to sign in to the app again. */
  | { readonly kind: 'reconnect'; readonly code: ReconnectCode; readonly attempt: number }
  /** Nothing was sent: what it is about has changed since the approval, and the person decides once more. */
  | { readonly kind: 'asked_again'; readonly attempt: number }
  /** Certainly nothing was sent, but the try was lost with its process. */
  | { readonly kind: 'again'; readonly attempt: number }

export type ReconnectCode = 'AUTH_EXPIRED' | 'CAPTCHA_REQUIRED' | 'MFA_REQUIRED'

/** What the worker process gets to send. */
export interface SendJob {
  readonly callId: string
  readonly attempt: number
  /** That of the call. */
  readonly traceparent?: string
}

/**
 * A try at sending that died, or is said to have. `lastWord`: of its last heartbeat or its failure; what it proves, `recover` judges.
 */
export interface DeadJob extends SendJob {
  readonly lastWord?: unknown
}

/** Answer of the workflow's `view` query. */
export interface CallView {
  readonly phase: 'deciding' | 'sending' | 'blocked' | 'reconnect'
  /** When the next attempt begins, if a wait has an end; ms since the epoch. */
  readonly retryAt: number | null
}
