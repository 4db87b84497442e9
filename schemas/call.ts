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
 * What a call's workflow knows: fixed at the start, without inputs, outputs or secrets, so that
 * operators may read every run. Times in ms since the epoch.
 */
export interface CallArgs {
  readonly callId: string
  readonly owner: string
  readonly app: string
  readonly endpoint: string
  readonly account: string
  readonly access: Access
  /** Needs approval first. */
  readonly confirm: boolean
  readonly acceptedAt: number
  /** Deadline of the decision; null without confirmation. */
  readonly expiresAt: number | null
  /** Task queue of the app: `app.<slug>`. */
  readonly taskQueue: string
  /** Fairness key of the account: 32 hex characters of SHA-256(account id). */
  readonly pacingKey: string
  /** Number of the first attempt; above 0 when Temporal lost an earlier run of the call. */
  readonly attempt: number
  /** W3C trace context, if the call is traced. */
  readonly traceparent?: string
  /** The run ends by setting its outcome as search attributes; runs of older releases do not. */
  readonly showsOutcome?: true
}

/** How a call ended. `code`: its error code, if it failed. */
export interface CallEnd {
  readonly status: FinalStatus
  readonly code?: string
}

/** Outcome of one attempt. All but `final` leave the call running; `attempt` numbers the next. */
export type SendOutcome =
  /** `seal` proves to Callgate itself that the call may have been sent. */
  | ({ readonly kind: 'final'; readonly seal?: string } & CallEnd)
  /** The app refused and did nothing, or this account is blocked. `retryAt`: ms since the epoch. */
  | { readonly kind: 'blocked'; readonly retryAt: number; readonly attempt: number }
  /** The app answered 429 and did nothing. */
  | { readonly kind: 'rate_limited'; readonly retryAt: number; readonly attempt: number }
  /** An approved call needs the user to sign in to the app again. */
  | { readonly kind: 'reconnect'; readonly code: ReconnectCode; readonly attempt: number }
  /** Nothing was sent: an entity has changed since the approval, and the approver decides again. */
  | { readonly kind: 'asked_again'; readonly attempt: number }
  /** Certainly nothing was sent, but the attempt was lost with its process. */
  | { readonly kind: 'again'; readonly attempt: number }

export type ReconnectCode = 'AUTH_EXPIRED' | 'CAPTCHA_REQUIRED' | 'MFA_REQUIRED'

/** Input of the send activity. */
export interface SendJob {
  readonly callId: string
  readonly attempt: number
  /** The call's trace context. */
  readonly traceparent?: string
}

/**
 * An attempt that died, or was reported dead. `lastWord`: details of its last heartbeat or failure;
 * `recover` judges what they prove.
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
