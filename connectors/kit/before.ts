import type { Fields } from './wire.ts'

/** A page that is read before the request can be made: it changes nothing in the app. */
export interface BeforePage<Input, Context, Parts> {
  /** `GET /path/{input}`; `{page.field}` takes what an earlier page gave. A `POST` only where `harmless` says so. */
  readonly request: `${'GET' | 'POST'} /${string}`
  /** The app does nothing but answer, whatever the method says, such as for a search. */
  readonly harmless?: true
  /** Default 'json'. */
  readonly answer?: 'json' | 'page'
  /** What goes along with it; default: nothing. `context.before` has what earlier pages gave. */
  readonly encode?: (input: Input, context: Context) => Parts
  /** What it gives: data that stands under its name in `before`. Default: of JSON its fields, of a page its source. */
  readonly take?: (fields: Fields, context: Context & { readonly input: Input; readonly page: string }) => unknown
}

/** So many pages may be read before one request. */
export const mostBefore = 5

/** What earlier pages gave, by the words that a line takes it by: `question.slug`. */
export function placed(before: Fields): Fields {
  return Object.fromEntries(
    Object.entries(before).flatMap(([page, value]) =>
      typeof value === 'object' && value !== null
        ? Object.entries(value).map(([field, part]): [string, unknown] => [`${page}.${field}`, part])
        : [],
    ),
  )
}
