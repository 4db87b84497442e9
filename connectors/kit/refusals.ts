import { pathAndQuery, says } from './address-parts.ts'
import { isHtml } from './content-type.ts'
import { openedPage } from './document.ts'
import { shownElementsOf } from './elements-of.ts'
import { rejected } from './failures.ts'
import type { Failure, FailureRule } from './failures.ts'
import { pageItself } from './page-number.ts'
import { isFields } from './wire.ts'
import type { Fields } from './wire.ts'

/**
 * Thrown by `decode` when the answer shows that the app did nothing, such as a redirect to an
 * existing reply. Not for a result that is just not visible: that proves nothing.
 */
export class AppRefused extends Error {
  override readonly name = 'AppRefused'
  /** The app's own code, or a word for it. */
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** A refusal with the code `not_found`: the app has no such entity. */
export function notFound(message = 'The app has no such thing.'): Failure {
  return { kind: 'rejected', appCode: 'not_found', appMessage: message }
}

/** Treats these statuses as `not_found`. */
export function notFoundOn(...statuses: readonly number[]): FailureRule {
  return ({ status }) => (statuses.includes(status) ? notFound() : undefined)
}

/**
 * A page, of any status below 500, that shows such elements, such as a form with its errors. Their
 * text is the message. `hiddenBy`: the stylesheet hides elements that match it and their content
 * (`.d-none`). `says`: the message must match it.
 */
export function refusedPage(
  css: string,
  code = 'refused',
  { hiddenBy, says: wanted }: { readonly hiddenBy?: string; readonly says?: RegExp } = {},
): FailureRule {
  return ({ status, headers, text }) => {
    if (status >= 500 || !isHtml(headers['content-type'] ?? '')) return undefined
    const page = openedPage(text)
    const said = shownElementsOf(page, pageItself, css, hiddenBy)
      .map((element) => page.ask('text', element))
      .filter((one) => one !== '')
      .join('\n')
    return said === '' || (wanted && said.search(wanted) < 0) ? undefined : rejected(code, said)
  }
}

/**
 * JSON, of any status below 500, that refuses. `find` returns code and message; undefined, or no
 * code, means no refusal.
 */
export function refusedJson(
  find: (body: Fields, status: number) => { readonly code: unknown; readonly message: unknown } | undefined,
): FailureRule {
  return ({ status, json }) => {
    const said = status < 500 && isFields(json) ? find(json, status) : undefined
    return said && rejected(said.code, said.message)
  }
}

/**
 * A text, of any status below 500 and any type but HTML and JSON, that matches; it becomes the
 * message. The pattern should cover the whole text: `/^You cannot .+/`.
 */
export function refusedText(pattern: RegExp, code = 'refused'): FailureRule {
  return ({ status, headers, text, json }) => {
    if (status >= 500 || json !== undefined || isHtml(headers['content-type'] ?? '')) return undefined
    const said = text.trim()
    return pattern.test(said) ? rejected(code, said) : undefined
  }
}

/**
 * A redirect to this path relative to the app's root that always means nothing was done.
 * `q/7?error=closed` requires these parameters, among others. A pattern is matched against the path
 * alone; `sign` lists required parameters: `{ error: 'closed' }`, `true` for any non-empty value.
 */
export function refusedRedirect(
  path: string | RegExp,
  code: string,
  message: string,
  sign: Readonly<Record<string, string | true>> = {},
): FailureRule {
  const [wanted, parameters = []] = typeof path === 'string' ? pathAndQuery(path) : [path]
  const said = [...parameters, ...Object.entries(sign)]
  return ({ location }) => {
    if (location === null) return undefined
    const [target, query] = pathAndQuery(location)
    const isThere = typeof wanted === 'string' ? target === wanted : target.search(wanted) >= 0
    return isThere && says(query, said) ? rejected(code, message) : undefined
  }
}
