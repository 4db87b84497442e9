import type { Http } from '../../core/http/api.ts'

/** What a page of another origin may do and read here. Such routes ignore cookies. */
interface Shared {
  /** `*`: any site. */
  readonly origin: string
  readonly methods: readonly string[]
  readonly headers: readonly string[]
  readonly exposed: readonly string[]
}

/** How long browsers cache a preflight (s): the maximum that all of them support. */
const remembered = 600

/** Sets the CORS headers. True: the request was a preflight and is answered. */
export function shareWith(http: Http, { origin, methods, headers, exposed }: Shared): boolean {
  http.set('Access-Control-Allow-Origin', origin)
  if (origin !== '*') http.vary('Origin')
  if (exposed.length > 0) http.set('Access-Control-Expose-Headers', exposed.join(', '))
  if (http.method !== 'OPTIONS' || http.get('Access-Control-Request-Method') === '') return false
  http.set('Access-Control-Allow-Methods', methods.join(', '))
  http.set('Access-Control-Allow-Headers', headers.join(', '))
  http.set('Access-Control-Max-Age', String(remembered))
  http.status = 204
  return true
}
