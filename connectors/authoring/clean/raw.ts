import type { Trace, TracedExchange } from '../trace.ts'

/** The raw traffic between a browser and an app: never stored. */
export interface RawTrace extends Omit<Trace, 'exchanges' | 'cookies'> {
  readonly exchanges: readonly RawExchange[]
  /** Names and values, from the browser's jar and from every `Set-Cookie`. */
  readonly cookies: readonly Named[]
  /** What the app's pages store in localStorage and sessionStorage. */
  readonly stored: readonly Named[]
  /** The app's name for the account, which belongs to the author. */
  readonly label: string
}

export type RawExchange = TracedExchange

export type Named = readonly [name: string, value: string]
