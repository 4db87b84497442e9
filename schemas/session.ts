/** A browser session of an app, as the user's sign-in left it. Stored sealed; never logged. */
export interface AppSession {
  readonly cookies: readonly SessionCookie[]
  /** The User-Agent that received the cookies: some apps end a session that changes it. */
  readonly user_agent: string | null
  /** Other headers that the browser sends: `accept-language`, client hints such as `sec-ch-ua`. */
  readonly browser?: Readonly<Record<string, string>>
  /** Tokens from localStorage, by key: those that the connector names. */
  readonly tokens?: Readonly<Record<string, string>>
  /** How often its tokens were renewed. */
  readonly renewed?: number
}

export interface SessionCookie {
  /** As bytes, one character each. Older releases stored the browser's text. */
  readonly name: string
  readonly value: string
  readonly domain: string
  readonly path: string
  /** Not readable by scripts of a page. Absent in sessions stored before this field existed. */
  readonly http_only?: true
  /** Sent over encrypted connections only. Absent in sessions stored before this field existed. */
  readonly secure?: true
  /** Expiry, in seconds since 1970; absent: none, or stored before this field existed. */
  readonly expires?: number
}
