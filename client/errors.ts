import type { CallRecord } from './records.ts'

/** Fields of an error besides code and message, by code. Source: the gateway's GET /docs/errors. */
export interface ErrorFields {
  invalid_json: object
  invalid_input: { readonly details: readonly { readonly path: string; readonly message: string }[] }
  insufficient_credits: {
    readonly credits_left?: number
    readonly next_credits_at?: string
    readonly credits_url?: string
  }
  api_key_required: object
  api_key_invalid: object
  access_not_granted: { readonly request_access_url?: string; readonly docs_url?: string }
  SCOPE_DENIED: { readonly widen_url: string }
  unknown_app: { readonly valid_names: readonly string[] }
  unknown_endpoint: { readonly valid_names: readonly string[] }
  unknown_call: object
  unknown_account: object
  not_found: object
  method_not_allowed: object
  AUTH_REQUIRED: { readonly connect_url: string }
  AUTH_EXPIRED: { readonly connect_url: string }
  CAPTCHA_REQUIRED: { readonly connect_url: string }
  MFA_REQUIRED: { readonly connect_url: string }
  account_required: {
    readonly accounts: readonly { readonly account: string; readonly label: string; readonly origin?: string }[]
  }
  not_cancellable: object
  call_in_progress: object
  too_many_waiting: { readonly limit: number }
  too_many_running: { readonly limit: number }
  definition_changed: object
  changed_since: object
  payload_too_large: object
  unsupported_media_type: object
  app_rejected: { readonly app_code: string; readonly app_message: string }
  idempotency_key_reused: object
  rate_limited: object
  internal: object
  app_changed: object
  app_error: object
  TARGET_BLOCKED: { readonly retry_after: number }
  unavailable: object
  app_timeout: object
  /** Codes of the client itself: no answer, not Callgate's answer, or the timeout has passed. */
  no_answer: object
  unreadable_answer: object
  wait_timed_out: object
}

export type ErrorCode = keyof ErrorFields

export type ErrorBody<Code extends ErrorCode> = ErrorFields[Code] & Readonly<Record<string, unknown>>

const links = ['connect_url', 'request_access_url', 'widen_url', 'credits_url'] as const

/** A refused request or a failed call. Branch on `code`, never on `message`. */
export class CallgateError extends Error {
  readonly code: ErrorCode
  /** The HTTP status, or 0 when no answer came. */
  readonly status: number
  /** The call's id, if a call was made. */
  readonly requestId: string | undefined
  /** The whole error body. `is` narrows it: `if (error.is('invalid_input')) error.body.details`. */
  readonly body: Readonly<Record<string, unknown>>
  /** Milliseconds to wait before a retry; undefined when a retry does not help. */
  readonly retryAfterMs: number | undefined

  constructor(status: number, body: Readonly<Record<string, unknown>>, retryAfterMs?: number, cause?: unknown) {
    super(typeof body['message'] === 'string' ? body['message'] : `The gateway answered ${status}.`, { cause })
    this.name = 'CallgateError'
    this.status = status
    this.code = (typeof body['error'] === 'string' ? body['error'] : 'unreadable_answer') as ErrorCode
    this.requestId = typeof body['request_id'] === 'string' ? body['request_id'] : undefined
    this.body = body
    this.retryAfterMs = retryAfterMs
  }

  is<Code extends ErrorCode>(code: Code): this is CallgateError & { code: Code; body: ErrorBody<Code> } {
    return this.code === code
  }

  /** The page where the user fixes it: connects the account, grants access, or raises a limit. */
  get link(): string | undefined {
    return links.map((name) => this.body[name]).find((value) => typeof value === 'string')
  }
}

/** An unusable option: an invalid URL, or a text that no header can carry. Nothing was sent. */
export class OptionError extends TypeError {}

/** A call that ended without output or error: rejected, expired, cancelled or unknown. */
export class CallEndedError extends Error {
  readonly callId: string
  readonly status: 'rejected' | 'expired' | 'cancelled' | 'unknown'
  /** The approver's reason for rejecting the call. */
  readonly reason: string | undefined
  /** The whole record, if it was read. */
  readonly record: CallRecord | undefined

  constructor(callId: string, status: CallEndedError['status'], record?: CallRecord) {
    const reason = record?.decision?.reason
    super(
      status === 'unknown'
        ? `Whether ${callId} happened is not known. Look in the app before doing it again.`
        : `${callId} was ${status}; nothing was sent.${reason === undefined ? '' : ` Reason: ${reason}`}`,
    )
    this.name = 'CallEndedError'
    this.callId = callId
    this.status = status
    this.reason = reason
    this.record = record
  }
}
