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

/** On every page: nothing from elsewhere, no inline code, no framing. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  // Not no-referrer: with that, browsers send `Origin: null` along with our own forms.
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

/** Where who was refused looks again: what they looked at, or the page that their form came from. */
export function pageToRetry(koa: Koa.Context): string {
  return koa.method === 'POST' ? pageBefore(koa) : koa.path + koa.search
}

/** The page of an error. `requestId` is quoted when there is one. */
export function replyErrorPage(koa: Koa.Context, error: ErrorProps): void {
  replyPage(koa, error.status, ErrorPage(error))
}

/** What a page says: a form may have been taken when the database went away, so that nobody knows whether it was. */
export function wordsForPeople({ code, message }: CallgateError): string {
  return code === 'unavailable'
    ? 'Callgate cannot reach its database. If you just pressed a button, it may or may not have been recorded: look at the page again before you press it once more.'
    : message
}

/** A piece of a page that is open. */
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
