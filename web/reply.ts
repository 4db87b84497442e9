import type Koa from 'koa'
import { h } from 'preact'
import type { JSX } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { ErrorPage } from './parts/error-page.tsx'
import type { ErrorProps } from './parts/error-page.tsx'
import type { Viewer } from './parts/layout.tsx'
import { Here } from './parts/menu.tsx'

/** On every page: nothing from elsewhere, no inline code, no framing. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  // Not no-referrer: with that, browsers send `Origin: null` along with our own forms.
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-store',
}

/** A refusal that people see as a page. The message is written for them. */
export class PageError extends Error {
  readonly status: number
  readonly title: string
  readonly headers: Readonly<Record<string, string>>
  /** What a person typed and would lose, by field. */
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

/** The session ended while a page of it was open: the error page leads to the sign-in and back to that page. */
export class NotSignedIn extends PageError {
  constructor(typed?: Readonly<Record<string, string>>) {
    super(403, 'You are not signed in', 'Nothing was done. Sign in, then read the page again and repeat.', {}, typed)
  }
}

export function replyPage(koa: Koa.Context, status: number, page: JSX.Element): void {
  koa.status = status
  koa.type = 'text/html; charset=utf-8'
  koa.body = `<!doctype html>\n${renderToString(h(Here.Provider, { value: koa.path + koa.search }, page))}\n`
}

/** The page of an error. `requestId` is quoted when there is one. */
export function replyErrorPage(koa: Koa.Context, error: ErrorProps): void {
  replyPage(koa, error.status, ErrorPage(error))
}

/** A piece of a page that is open. */
export function replyPart(koa: Koa.Context, part: JSX.Element | null): void {
  koa.status = 200
  koa.type = 'text/html; charset=utf-8'
  koa.body = part === null ? '' : renderToString(part)
}

export function replyError(koa: Koa.Context, error: PageError, viewer: Viewer | undefined): void {
  koa.set(error.headers)
  const { status, title, message, typed } = error
  const signInFor = error instanceof NotSignedIn ? pageBefore(koa) : undefined
  const requestId = koa.response.get('X-Request-Id')
  replyErrorPage(koa, { viewer, status, title, message, typed, signInFor, requestId })
}

/** The page of ours that the browser sent its form from. */
function pageBefore(koa: Koa.Context): string {
  const page = URL.parse(koa.get('Referer'))
  return page?.host === koa.get('Host') ? page.pathname + page.search : '/'
}

/** 303: the browser goes on with a GET. `path` is one of our own. */
export function seeOther(koa: Koa.Context, path: string): void {
  koa.status = 303
  koa.set('Location', path)
  koa.type = 'text/plain; charset=utf-8'
  koa.body = `See ${path}\n`
}
