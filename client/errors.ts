/** What the gateway refused or what a call failed with. Never branch on `message`: `code` says what it is. */
export class CallgateError extends Error {
  readonly code: string
  /** The HTTP status, or 0 when no answer came. */
  readonly status: number
  /** The call's id, where a call was made. */
  readonly requestId: string | undefined
  /** The whole error body: `details`, `connect_url`, `request_access_url`, `app_code` and so on. */
  readonly body: Readonly<Record<string, unknown>>
  /** Milliseconds to wait before another try; undefined when waiting does not help. */
  readonly retryAfterMs: number | undefined

  constructor(status: number, body: Readonly<Record<string, unknown>>, retryAfterMs?: number, cause?: unknown) {
    super(typeof body['message'] === 'string' ? body['message'] : `The gateway answered ${status}.`, { cause })
    this.name = 'CallgateError'
    this.status = status
    this.code = typeof body['error'] === 'string' ? body['error'] : 'unreadable_answer'
    this.requestId = typeof body['request_id'] === 'string' ? body['request_id'] : undefined
    this.body = body
    this.retryAfterMs = retryAfterMs
  }

  /** Where the person puts it right: connects the account, or gives the key access. */
  get link(): string | undefined {
    const link = this.body['connect_url'] ?? this.body['request_access_url']
    return typeof link === 'string' ? link : undefined
  }
}

/** An option that cannot be used: an address that is none, or a text that no header can carry. Nothing was sent. */
export class OptionError extends TypeError {}

/** A call that ended without an output and without an error: rejected, expired, cancelled, or unknown. */
export class CallEndedError extends Error {
  readonly callId: string
  readonly status: 'rejected' | 'expired' | 'cancelled' | 'unknown'

  constructor(callId: string, status: CallEndedError['status']) {
    super(
      status === 'unknown'
        ? `Whether ${callId} happened is not known. Look in the app before doing it again.`
        : `${callId} was ${status}; nothing was sent.`,
    )
    this.name = 'CallEndedError'
    this.callId = callId
    this.status = status
  }
}
