import type Koa from 'koa'
import { h } from 'preact'
import type { JSX } from 'preact'
import { renderToString } from 'preact-render-to-string'
import type { CallgateError } from '../schemas/errors.ts'
import { ErrorPage } from './parts/error-page.tsx'
import type { ErrorProps } from './parts/error-page.tsx'
import { NotSignedIn } from './page-error.ts'
import type { PageError } from './page-error.ts'
import type { Viewer } from './parts/layout.tsx'
import { Here } from './parts/menu.tsx'
import { ThemeHere, themeOf } from './parts/theme.tsx'

/** On every page: no foreign content, no inline code, no framing. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  // Not no-referrer: with it, browsers send `Origin: null` with our own forms.
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-store',
}

export function replyPage(koa: Koa.Context, status: number, page: JSX.Element): void {
  koa.status = status
  koa.type = 'text/html; charset=utf-8'
  const themed = h(ThemeHere.Provider, { value: themeOf(koa) }, page)
  koa.body = `<!doctype html>\n${renderToString(h(Here.Provider, { value: koa.path + koa.search }, themed))}\n`
}

/** Address to retry after a refusal: the requested page, or the page that posted the form. */
export function pageToRetry(koa: Koa.Context): string {
  return koa.method === 'POST' ? pageBefore(koa) : koa.path + koa.search
}

/** Replies with an error page; quotes `requestId` if there is one. */
export function replyErrorPage(koa: Koa.Context, error: ErrorProps): void {
  replyPage(koa, error.status, ErrorPage(error))
}

/** Error text for users. When the database fails, a form may or may not have been recorded. */
export function wordsForPeople({ code, message }: CallgateError): string {
  return code === 'unavailable'
    ? 'Callgate cannot reach its database. If you just pressed a button, it may or may not have been recorded: look at the page again before you press it once more.'
    : message
}

/** Replies with a fragment of an open page. */
export function replyPart(koa: Koa.Context, part: JSX.Element | null): void {
  koa.status = 200
  koa.type = 'text/html; charset=utf-8'
  koa.body = part === null ? '' : renderToString(part)
}

export function replyError(koa: Koa.Context, error: PageError, viewer: Viewer | undefined): void {
  const { status, title, message, typed } = error
  const signInFor = error instanceof NotSignedIn ? pageBefore(koa) : undefined
  const requestId = koa.response.get('X-Request-Id')
  replyErrorPage(koa, { viewer, status, title, message, typed, signInFor, requestId })
}

/** Our page that posted the form, from the Referer; the home page if there is none. */
function pageBefore(koa: Koa.Context): string {
  const page = URL.parse(koa.get('Referer'))
  return page?.host === koa.get('Host') ? page.pathname + page.search : '/'
}

/** 303: the browser follows with a GET. `path` is an own path. */
export function seeOther(koa: Koa.Context, path: string): void {
  koa.status = 303
  koa.set('Location', path)
  koa.type = 'text/plain; charset=utf-8'
  koa.body = `See ${path}\n`
}
