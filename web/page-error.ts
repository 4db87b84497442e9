/** An error shown to users as a page; its message is written for them. */
export class PageError extends Error {
  readonly status: number
  readonly title: string
  readonly headers: Readonly<Record<string, string>>
  /** What the user typed and would lose, by field. */
  readonly typed: Readonly<Record<string, string>>

  constructor(
    status: number,
    title: string,
    message: string,
    headers: Readonly<Record<string, string>> = {},
    typed: Readonly<Record<string, string>> = {},
  ) {
    super(message)
    this.name = 'PageError'
    this.status = status
    this.title = title
    this.headers = headers
    this.typed = typed
  }
}

/** The session ended while a page was open: the error page leads to sign-in and back. */
export class NotSignedIn extends PageError {
  constructor(typed?: Readonly<Record<string, string>>) {
    super(403, 'You are not signed in', 'Nothing was done. Sign in, then read the page again and repeat.', {}, typed)
  }
}
