/** A browser session of an app, as the person's sign-in left it. Kept sealed; never logged. */
export interface AppSession {
  readonly cookies: readonly SessionCookie[]
  /** The User-Agent the cookies were given to: some apps end a session that changes it. */
  readonly user_agent: string | null
  /** What else the browser said of itself with each request, by header: `accept-language`, and client hints such as `sec-ch-ua`. */
  readonly browser?: Readonly<Record<string, string>>
  /** Tokens that the app's pages kept in localStorage, by their keys: those that the connector names. */
  readonly tokens?: Readonly<Record<string, string>>
  /** How often its tokens were renewed. */
  readonly renewed?: number
}

export interface SessionCookie {
  readonly name: string
  readonly value: string
  readonly domain: string
  readonly path: string
}
