/** An app's complete HTTP response. */
export interface Answer {
  readonly status: number
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** The parsed body if its type is JSON, else undefined. */
  readonly json: unknown
  /**
   * Redirect target: path and query relative to the app's root, without a leading slash. Null if
   * there is no redirect or it leaves the app.
   */
  readonly location: string | null
  /**
   * Target of a redirect that leaves the app: path and query if it stays on the app's host, else a
   * full URL. Never followed.
   */
  readonly elsewhere: string | null
}
