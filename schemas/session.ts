/** A browser session of an app, as the person's sign-in left it. Kept sealed; never logged. */
export interface AppSession {
  readonly cookies: readonly SessionCookie[]
  /** The User-Agent the cookies were given to: some apps end a session that changes it. */
  readonly user_agent: string | null
}

export interface SessionCookie {
  readonly name: string
  readonly value: string
  readonly domain: string
  readonly path: string
}
