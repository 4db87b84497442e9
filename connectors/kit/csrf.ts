import type { SessionFill } from './session-token.ts'

/** Source and target of a CSRF token. Data only: the host finds it, the approver sees where. */
export interface Csrf {
  /** Page with the token, below the app's root: `/listings/{listing_id}/edit`, inputs in braces. */
  readonly page: string
  readonly answer: 'page' | 'json'
  /** Where the token is sent. */
  readonly fills: TokenFill
  /** Where the token is on that page. */
  readonly from: TokenSource
}

/** Where a page, or the session's cookies, holds a token. */
export type TokenSource =
  /**
   * A hidden input: of the form with these attributes, else of the form that posts to the request's
   * path, else of the page.
   */
  | { readonly input: string; readonly form?: Readonly<Record<string, string>> }
  /** The content of a `<meta name="…">`. */
  | { readonly meta: string }
  /** A JSON field, dotted if nested: `meta.token`. */
  | { readonly json: string }
  /** A cookie that does not sign in, decoded as scripts do. If it is missing, `page` is read. */
  | { readonly cookie: string }
  /** An attribute, or the text, of the only element that matches. */
  | { readonly css: string; readonly attribute?: string }

/** A part of a request that is filled in at send time. */
export type Fill = TokenFill | SessionFill

/** The header or form field that receives a page's token. */
export type TokenFill = { readonly header: string } | { readonly field: string }

/** URLs of the page that was read and of the request that uses its token. */
export interface CsrfRequest {
  readonly page: URL
  readonly action: URL
}

/**
 * A form's hidden input, sent back as a field of the same name. If the page's forms differ in its
 * value, the form that posts to the request's path counts, or the one with the attributes in
 * `form`: `{ id: 'reply' }`; for `class`, one of its names.
 */
export function formToken(options: {
  readonly page: string
  readonly field: string
  readonly form?: Readonly<Record<string, string>>
}): Csrf {
  const { page, field, form } = options
  return { page, answer: 'page', fills: { field }, from: { input: field, ...(form && { form }) } }
}

/** A page's `<meta name="…">`, sent back as a header. */
export function headerToken(options: { readonly page: string; readonly meta: string; readonly header: string }): Csrf {
  const { page, meta, header } = options
  return { page, answer: 'page', fills: { header }, from: { meta } }
}

/** A field of a JSON answer, dotted if nested (`meta.token`), sent back as a header. */
export function jsonToken(options: { readonly page: string; readonly field: string; readonly header: string }): Csrf {
  const { page, field, header } = options
  return { page, answer: 'json', fills: { header }, from: { json: field } }
}

/** A cookie that scripts can read, sent back as a header. `page` sets it; it must not sign in. */
export function cookieToken(options: {
  readonly page: string
  readonly cookie: string
  readonly header: string
}): Csrf {
  const { page, cookie, header } = options
  return { page, answer: 'page', fills: { header }, from: { cookie } }
}

/** The same token, sent as a form field. */
export function asField(csrf: Csrf, field: string): Csrf {
  return { ...csrf, fills: { field } }
}
