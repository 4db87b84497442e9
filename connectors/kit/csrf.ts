import { inputOfAction, inputOfForm } from './forms.ts'
import { metaContent } from './html.ts'
import { UnknownShape, fields } from './wire.ts'
import type { Fields } from './wire.ts'

/** Where a write's CSRF token comes from and where it goes. */
export interface Csrf {
  /** Page below the app's root that holds the token, with inputs in braces: `/listings/{listing_id}/edit`. */
  readonly page: string
  readonly answer: 'page' | 'json'
  /** Finds what to send along in that page; throws `UnknownShape` when there is nothing. */
  readonly find: (page: string, request: CsrfRequest) => CsrfProof
  /** A JSON page below the app's root that is read as well, for `before` of `encode`. Default: the page with the token. */
  readonly before?: string
}

export interface CsrfProof {
  readonly headers?: Readonly<Record<string, string>>
  readonly form?: Fields
}

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
    find: (page, request) => ({
      form: { [field]: form ? inputOfForm(page, field, form) : inputOfAction(page, field, request) },
    }),
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
    find: (page) => ({ headers: { [options.header]: fieldOf(page, options.field) } }),
  }
}

function fieldOf(answer: string, name: string): string {
  const token = fields(JSON.parse(answer))[name]
  if (typeof token !== 'string') throw new UnknownShape(`no token in the field \`${name}\``)
  return token
}
