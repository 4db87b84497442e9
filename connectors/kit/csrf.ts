import { inputOfAction, inputOfForm } from './forms.ts'
import { metaContent } from './html.ts'
import type { SessionFill } from './session-token.ts'
import { UnknownShape, fields } from './wire.ts'

/** Where a write's CSRF token comes from and where it goes. */
export interface Csrf {
  /** Page below the app's root that holds the token, with inputs in braces: `/listings/{listing_id}/edit`. */
  readonly page: string
  readonly answer: 'page' | 'json'
  /** Where the token goes along. */
  readonly fills: TokenFill
  /** The cookie that holds it: then the page is read only while the session has no such cookie. */
  readonly cookie?: string
  /** Finds the token in that page; throws `UnknownShape` when there is none. */
  readonly find: (page: string, request: CsrfRequest) => string
}

/** A place of a request that is filled when it is sent. */
export type Fill = TokenFill | SessionFill

/** With what a page gives out: a header, or a field of its form. */
export type TokenFill = { readonly header: string } | { readonly field: string }

/** Addresses of the page that was read, and of the request that its token goes along with. */
export interface CsrfRequest {
  readonly page: URL
  readonly action: URL
}

/**
 * A form's hidden input, sent back as a field of the same name. Where the page's forms have different ones it is that of the form which
 * goes to the request's path, or of the one with these attributes (`{ id: 'reply' }`; of `class`, one of its words).
 */
export function formToken(options: {
  readonly page: string
  readonly field: string
  readonly form?: Readonly<Record<string, string>>
}): Csrf {
  const { field, form } = options
  return {
    page: options.page,
    answer: 'page',
    fills: { field },
    find: (page, request) => (form ? inputOfForm(page, field, form) : inputOfAction(page, field, request)),
  }
}

/** A page's `<meta name="…">`, sent back as a header. */
export function headerToken(options: { readonly page: string; readonly meta: string; readonly header: string }): Csrf {
  return {
    page: options.page,
    answer: 'page',
    fills: { header: options.header },
    find: (page) => metaContent(page, options.meta),
  }
}

/** A field of a JSON answer, sent back as a header. */
export function jsonToken(options: { readonly page: string; readonly field: string; readonly header: string }): Csrf {
  return {
    page: options.page,
    answer: 'json',
    fills: { header: options.header },
    find: (page) => fieldOf(page, options.field),
  }
}

/** A cookie of the session, sent back as a header; `page` is one that sets it. Taken as scripts take it: decoded. */
export function cookieToken(options: {
  readonly page: string
  readonly cookie: string
  readonly header: string
}): Csrf {
  return {
    page: options.page,
    answer: 'page',
    fills: { header: options.header },
    cookie: options.cookie,
    find: () => {
      throw new UnknownShape(`no cookie "${options.cookie}"`)
    },
  }
}

/** The same token, sent back as a form's field. */
export function asField(csrf: Csrf, field: string): Csrf {
  return { ...csrf, fills: { field } }
}

function fieldOf(answer: string, name: string): string {
  const token = fields(JSON.parse(answer))[name]
  if (typeof token !== 'string') throw new UnknownShape(`no token in the field \`${name}\``)
  return token
}
