import { hiddenInput, metaContent } from './html.ts'
import { fields, text } from './wire.ts'
import type { Fields } from './wire.ts'

/** Where a write's CSRF token comes from and where it goes. */
export interface Csrf {
  /** Page below the app's root that holds the token, with inputs in braces: `/listings/{listing_id}/edit`. */
  readonly page: string
  readonly answer: 'page' | 'json'
  /** Finds what to send along in that page; throws `UnknownShape` when there is nothing. */
  readonly find: (page: string) => CsrfProof
  /** A JSON page below the app's root that is read as well, for `before` of `encode`. Default: the page with the token. */
  readonly before?: string
}

export interface CsrfProof {
  readonly headers?: Readonly<Record<string, string>>
  readonly form?: Fields
}

/** A form's hidden input, sent back as a field of the same name. */
export function formToken(options: { readonly page: string; readonly field: string }): Csrf {
  return {
    page: options.page,
    answer: 'page',
    find: (page) => ({ form: { [options.field]: hiddenInput(page, options.field) } }),
  }
}

/** A page's `<meta name="…">`, sent back as a header. */
export function headerToken(options: { readonly page: string; readonly meta: string; readonly header: string }): Csrf {
  return {
    page: options.page,
    answer: 'page',
    find: (page) => ({ headers: { [options.header]: metaContent(page, options.meta) } }),
  }
}

/** A field of a JSON answer, sent back as a header. */
export function jsonToken(options: { readonly page: string; readonly field: string; readonly header: string }): Csrf {
  return {
    page: options.page,
    answer: 'json',
    find: (page) => ({ headers: { [options.header]: text(fields(JSON.parse(page))[options.field]) } }),
  }
}
