/** An HTTP answer of an app, read to its end. */
export interface Answer {
  readonly status: number
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** The parsed body when its type is JSON, else undefined. */
  readonly json: unknown
  /** Where a redirect points: path and query below the app's root, without a leading slash. Null when it is none, or leaves the app. */
  readonly location: string | null
  /** Where a redirect points that leaves the app: path and query on the app's own host, else a whole address. It is never followed. */
  readonly elsewhere: string | null
}
