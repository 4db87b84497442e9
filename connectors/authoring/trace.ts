import type { Method } from '../kit/request-line.ts'

/**
 * A recording of what a user did in an app. It contains no secrets: only allow-listed data is kept,
 * and placeholders (`SECRET.name`, the same for equal values) replace all else.
 */
export interface Trace {
  /** The app's name in URLs. */
  readonly app: string
  /** The author's name for the action: `add_comment`. Runs of one action share it. */
  readonly name: string
  /** Root of the account's app, ending in a slash. */
  readonly origin: string
  /** ISO 8601. */
  readonly startedAt: string
  /** In order: pages, forms and scripts' requests; no images, styles, scripts or fonts. */
  readonly exchanges: readonly TracedExchange[]
  /** Cookies whose value also occurs elsewhere, such as in a header, with placeholders. */
  readonly cookies?: readonly { readonly name: string; readonly value: string }[]
}

export interface TracedExchange {
  /** Milliseconds since the start. */
  readonly at: number
  /** What made the request: an address or link, a submitted form, or a script. */
  readonly by: 'navigation' | 'form' | 'script'
  /** URL of the requesting page; null: the first request. */
  readonly page: string | null
  readonly request: TracedRequest
  /** Each answer of a redirect is an exchange of its own. */
  readonly answer: TracedAnswer
}

export interface TracedRequest {
  readonly method: Method
  readonly url: string
  /** Lower-case names; without the browser's own headers. */
  readonly headers: Readonly<Record<string, string>>
  /** As sent, without the files of a form and their names. */
  readonly body: string | null
}

export interface TracedAnswer {
  readonly status: number
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  /** HTML, JSON or another text; null: not text, or too long. */
  readonly text: string | null
}
