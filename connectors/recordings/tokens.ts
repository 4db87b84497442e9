import { isHtml } from '../kit/content-type.ts'
import { elements } from '../kit/html.ts'
import type { Endpoint } from '../runtime/app.ts'
import type { HttpRequest, RawAnswer } from '../runtime/http.ts'
import { tokensOf } from '../runtime/rendered.ts'
import { isOfSession } from '../runtime/session-tokens.ts'
import { looksRandom } from './secrets.ts'
import type { Secrets } from './secrets.ts'

/** Names of the app's form tokens, collected from all endpoints. */
export function tokenNames(endpoints: Iterable<Endpoint>): ReadonlySet<string> {
  return new Set(
    [...endpoints].flatMap((endpoint) => [
      ...tokensOf(endpoint).flatMap(({ fills }) => ('field' in fills ? [fills.field] : [])),
      ...(endpoint.definition.form?.volatile ?? []),
    ]),
  )
}

/** A page's tokens for its forms and scripts, by name, used in this recording or not. */
export function pageTokens(
  { headers, text }: RawAnswer,
  names: ReadonlySet<string>,
): readonly (readonly [name: string, value: string])[] {
  if (!isHtml(headers['content-type'] ?? '')) return []
  return [...elements(text, 'input'), ...elements(text, 'meta')].flatMap(({ attributes }) => {
    const name = attributes.get('name') ?? ''
    const value = attributes.get('value') ?? attributes.get('content') ?? ''
    const isCalledSo = names.has(name) || /csrf|xsrf|authenticity|nonce|token/i.test(name)
    return isCalledSo && /^\S+$/.test(value) && looksRandom(value) ? [[name, value] as const] : []
  })
}

/** The request with placeholders wherever the runtime fills in a token. */
export function withoutTokens(endpoint: Endpoint, request: HttpRequest, secrets: Secrets): HttpRequest {
  const fills = [...tokensOf(endpoint).map((one) => one.fills), ...endpoint.authorize]
  const fields = fills.flatMap((fill) => ('field' in fill ? [fill.field] : []))
  const headers = { ...request.headers }
  for (const fill of fills) {
    if (!('header' in fill)) continue
    const name = Object.keys(headers).find((one) => one.toLowerCase() === fill.header.toLowerCase())
    if (name === undefined) continue
    const scheme = isOfSession(fill) && fill.scheme !== '' ? `${fill.scheme} ` : ''
    headers[name] = scheme + secrets.hide(fill.header, (headers[name] ?? '').slice(scheme.length))
  }
  const volatile = endpoint.definition.form?.volatile ?? []
  return { ...request, headers, body: withoutFields(request.body, [...fields, ...volatile], secrets) }
}

type Body = HttpRequest['body']

function withoutFields(body: Body, names: readonly string[], secrets: Secrets): Body {
  if (body === null || names.length === 0) return body
  if (typeof body !== 'string') {
    // Multipart: the text itself is replaced with the rest of the recording.
    for (const name of names) {
      const [, value] = body.toString().split(`; name="${name}"\r\n\r\n`, 2)
      if (value !== undefined) secrets.hide(name, value.split('\r\n', 1)[0] ?? '')
    }
    return body
  }
  const form = new URLSearchParams(body)
  if (![...form.keys()].some((name) => names.includes(name))) return body
  const hidden = [...form].map(([name, value]) => [name, names.includes(name) ? secrets.hide(name, value) : value])
  return new URLSearchParams(hidden).toString()
}
