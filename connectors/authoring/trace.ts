import type { Method } from '../kit/request-line.ts'

/**
 * What somebody did in an app while it was recorded. Nothing in it is secret: it is made by an allow-list, and a placeholder
 * (`SECRET.name`, the same wherever the same value stood) is in the place of whatever is not on it.
 */
export interface Trace {
  /** The app's name in addresses. */
  readonly app: string
  /** What was done, as its author calls it: the name of an endpoint, such as `add_comment`. Two runs of one thing have one name. */
  readonly name: string
  /** Root of the account's app, ending in a slash. */
  readonly origin: string
  /** ISO 8601. */
  readonly startedAt: string
  /** In the order in which they went out: pages, forms and scripts' requests to the app; no pictures, styles, scripts or fonts. */
  readonly exchanges: readonly TracedExchange[]
  /** The cookies whose value stands somewhere else in it, such as a token that scripts send as a header: what each is called, and its placeholder. */
  readonly cookies?: readonly { readonly name: string; readonly value: string }[]
}

export interface TracedExchange {
  /** Milliseconds since the start. */
  readonly at: number
  /** What made the browser ask: an address or a link, a form that was sent, or a script of the page. */
  readonly by: 'navigation' | 'form' | 'script'
  /** Address of the page that asked; null: the first one. */
  readonly page: string | null
  readonly request: TracedRequest
  /** Each answer of a redirect is an exchange of its own. */
  readonly answer: TracedAnswer
}

export interface TracedRequest {
  readonly method: Method
  readonly url: string
  /** Lower-case names; none that are the browser's own. */
  readonly headers: Readonly<Record<string, string>>
  /** As it was sent. Files of a form are left out, with their names. */
  readonly body: string | null
}

export interface TracedAnswer {
  readonly status: number
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  /** HTML, JSON or another text; null: it was none, or too long. */
  readonly text: string | null
}
