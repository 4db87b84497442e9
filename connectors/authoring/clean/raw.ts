import type { Trace, TracedExchange } from '../trace.ts'

/** What a browser said with an app, as it was: never kept. */
export interface RawTrace extends Omit<Trace, 'exchanges' | 'cookies'> {
  readonly exchanges: readonly RawExchange[]
  /** Names and values, of the browser's jar and of all `Set-Cookie`. */
  readonly cookies: readonly Named[]
  /** What the app's pages keep in localStorage and sessionStorage. */
  readonly stored: readonly Named[]
  /** What the app calls the account: it is the author's own. */
  readonly label: string
}

export type RawExchange = TracedExchange

export type Named = readonly [name: string, value: string]
