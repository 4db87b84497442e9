/**
 * Base URL of a page's relative URLs; `base`: the `href` of its `<base>`.
 * Source: https://html.spec.whatwg.org/#document-base-url
 */
export function baseUrl(base: string | null | undefined, page: string): string {
  const url = URL.parse(base ?? '', page)
  return url === null || /^(?:data|javascript):$/.test(url.protocol) ? page : url.href
}

/** Target URL of a form with this `action`; null: the URL is invalid. */
export function formAction(action: string, base: string | null | undefined, page: URL): URL | null {
  const trimmed = action.replaceAll(/^[\t\n\f\r ]+|[\t\n\f\r ]+$/g, '')
  return trimmed === '' ? page : URL.parse(trimmed, baseUrl(base, page.href))
}
