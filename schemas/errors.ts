/** Names of the parts of a request and an answer: each transport has its own. */
export interface Terms {
  /** What picks one of several accounts. */
  readonly account: string
  /** What makes a repeated request the same call. */
  readonly idempotencyKey: string
  /** What says how long to wait. */
  readonly retryAfter: string
  /** Whether a message repeats what a field lists, for readers who see the message alone. */
  readonly repeats: boolean
}

export const httpTerms: Terms = {
  account: 'the header X-Callgate-Account',
  idempotencyKey: 'Idempotency-Key',
  retryAfter: 'Retry-After',
  repeats: true,
}

/** A text, or one that is built in the reader's terms. */
export type Message = string | ((terms: Terms) => string)

function inTerms(message: Message, terms: Terms): string {
  return typeof message === 'string' ? message : message(terms)
}

/**
 * Every error code an agent can meet, its HTTP status and what to do about it. Source: Document 1
 * "Errors" and the contract. Thrown anywhere as `CallgateError`, rendered once (as JSON under
 * /api/v1, as a page elsewhere).
 */
const table = {
  invalid_json: [
    400,
    'Send one JSON object, nested at most 32 deep, without the keys __proto__, constructor or prototype.',
  ],
  invalid_input: [400, 'Fix the fields named in details.'],
  insufficient_credits: [
    402,
    'Wait for the next monthly credits, or ask the person to change the plan at credits_url.',
  ],
  api_key_required: [403, 'Send the header Authorization: Bearer <API key>, or X-API-Key.'],
  api_key_invalid: [403, 'The key is malformed, unknown, revoked or expired. Ask its owner for a valid one.'],
  access_not_granted: [403, 'Ask the owner of the key to open request_access_url.'],
  SCOPE_DENIED: [403, 'The owner can widen what is allowed for this app in the dashboard.'],
  unknown_app: [404, 'Use one of the names in valid_names.'],
  unknown_endpoint: [404, 'Use one of the names in valid_names.'],
  unknown_call: [404, 'There is no such call of yours. Check the call id.'],
  unknown_account: [
    404,
    ({ account }) => `There is no such connected account of yours. Leave ${account} out, or check it.`,
  ],
  not_found: [404, 'There is no such address. See the documentation for the routes.'],
  method_not_allowed: [405, 'Use a method named in the Allow header.'],
  AUTH_REQUIRED: [409, 'Give connect_url to the person: they sign in to the app there.'],
  AUTH_EXPIRED: [409, 'Give connect_url to the person: they sign in to the app again there.'],
  CAPTCHA_REQUIRED: [409, 'Give connect_url to the person: the app asks for a check that only they can pass.'],
  MFA_REQUIRED: [409, 'Give connect_url to the person: the app asks for a second factor that only they have.'],
  account_required: [409, ({ account }) => `Pick one of accounts with ${account}.`],
  not_cancellable: [409, 'The call has been sent or is final; read it to see how it ended.'],
  call_in_progress: [
    409,
    ({ idempotencyKey }) =>
      `The first call with this ${idempotencyKey} is still being accepted. Repeat the same request shortly.`,
  ],
  too_many_waiting: [409, 'Let waiting calls be decided, or cancel some, before sending more.'],
  too_many_running: [409, 'Wait for running calls to finish before sending more.'],
  definition_changed: [
    409,
    'The endpoint is gone, or may not do this any more, so nothing was sent. Look at its schema again.',
  ],
  changed_since: [
    409,
    'What it is about kept changing in the app after each approval, so nothing was sent. Look at it, then call again.',
  ],
  payload_too_large: [413, 'Send at most 1 MiB.'],
  unsupported_media_type: [415, 'Send the body as Content-Type: application/json.'],
  app_rejected: [422, 'The app refused this; app_code and app_message say why. Change the input accordingly.'],
  idempotency_key_reused: [
    422,
    ({ idempotencyKey }) => `This ${idempotencyKey} belongs to another request. Use a new key for a new request.`,
  ],
  rate_limited: [429, ({ retryAfter }) => `Wait as many seconds as ${retryAfter} says.`],
  internal: [500, 'A fault of ours. Quote request_id when you report it.'],
  app_changed: [502, 'The app answered in a shape that Callgate does not know. Nothing was changed.'],
  app_error: [502, 'The app failed. Nothing was changed; try again later.'],
  TARGET_BLOCKED: [503, 'The app blocks access for now. Try again after retry_after seconds; nothing was charged.'],
  unavailable: [
    503,
    ({ retryAfter }) =>
      `Callgate cannot accept calls right now. Nothing was accepted or charged; try again after ${retryAfter}.`,
  ],
  app_timeout: [504, 'The app did not answer in time. Nothing was changed; try again later.'],
} as const satisfies Record<string, readonly [status: number, remedy: Message]>

export type ErrorCode = keyof typeof table

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(table, code)
}

/** The HTTP status and the remedy (a sentence for an agent that speaks HTTP) of a code. */
export function errorInfo(code: ErrorCode): { readonly status: number; readonly remedy: string } {
  const [status, remedy] = table[code]
  return { status, remedy: inTerms(remedy, httpTerms) }
}

/** Further JSON fields of the error body: `details`, `connect_url`, `valid_names`, `app_code`, … */
export type ErrorFields = Readonly<Record<string, unknown>>

/**
 * A failure with a public code. `message` is for an agent that speaks HTTP; `fields` join the
 * body; `headers` join the response.
 */
export class CallgateError extends Error {
  readonly code: ErrorCode
  readonly fields: ErrorFields
  readonly headers: Readonly<Record<string, string>>
  readonly #message: Message

  constructor(
    code: ErrorCode,
    options: {
      message?: Message
      fields?: ErrorFields
      headers?: Readonly<Record<string, string>>
      cause?: unknown
    } = {},
  ) {
    const message = options.message ?? table[code][1]
    super(inTerms(message, httpTerms), { cause: options.cause })
    this.name = 'CallgateError'
    this.code = code
    this.fields = options.fields ?? {}
    this.headers = options.headers ?? {}
    this.#message = message
  }

  messageIn(terms: Terms): string {
    return inTerms(this.#message, terms)
  }

  get status(): number {
    return errorInfo(this.code).status
  }
}

/** The error as stored with a call and served as `error`, without `request_id`, to every reader. */
export interface StoredError {
  readonly error: ErrorCode
  readonly message: string
  readonly http_status: number
  readonly [field: string]: unknown
}

export function storedError(code: ErrorCode, message?: string, fields: ErrorFields = {}): StoredError {
  const info = errorInfo(code)
  return { ...fields, error: code, message: message ?? info.remedy, http_status: info.status }
}
