import { InputRejected } from './failures.ts'
import { select } from './select.ts'
import type { Fields } from './wire.ts'

/** A page to read before the request is built. It changes nothing in the app. */
export interface BeforePage<Input, Context, Parts> {
  /** `GET /path/{input}`; `{page.field}` inserts an earlier result. A `POST` needs `harmless`. */
  readonly request: `${'GET' | 'POST'} /${string}`
  /** The request has no side effects in spite of its method, such as a search. */
  readonly harmless?: true
  /** Default 'json'. */
  readonly answer?: 'json' | 'page'
  /** Read only before the approval: `take` may reject the call, and its result is not used. */
  readonly ahead?: true
  /** Builds query, body and headers; default: none. `context.before` holds earlier results. */
  readonly encode?: (input: Input, context: Context) => Parts
  /** The result, stored in `before` by page name. Default: JSON fields, or a page's source. */
  readonly take?: (fields: Fields, context: Context & { readonly input: Input; readonly page: string }) => unknown
}

/** Limit of pages read before one request. */
export const mostBefore = 5

/** Earlier pages' results by the name that a request line uses: `question.slug`. */
export function placed(before: Fields): Fields {
  return Object.fromEntries(
    Object.entries(before).flatMap(([page, value]) =>
      typeof value === 'object' && value !== null
        ? Object.entries(value).map(([field, part]): [string, unknown] => [`${page}.${field}`, part])
        : [],
    ),
  )
}

/**
 * Reads the app's page about an entity before the approval, and not again at the send. The call
 * ends if the app has no such entity, or if the page matches a selector of `ruledOut`, with the
 * message given there.
 */
export function entityPage(request: `GET /${string}`, ruledOut: Readonly<Record<string, string>> = {}) {
  return {
    request,
    answer: 'page',
    ahead: true,
    take: (_fields: Fields, { page }: { readonly page: string }): null => {
      for (const [css, message] of Object.entries(ruledOut))
        if (select(page).any(css).length > 0) throw new InputRejected('NOT_READY', message)
      return null
    },
  } as const
}
