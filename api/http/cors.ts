import type { Http } from './api.ts'

/** What a page of another site may do here, and what it may read of an answer. No cookie is ever looked at where this is said. */
interface Shared {
  /** `*`: any site. */
  readonly origin: string
  readonly methods: readonly string[]
  readonly headers: readonly string[]
  readonly exposed: readonly string[]
}

/** How long a browser remembers the answer, in seconds: what every one of them keeps at most. */
const remembered = 600

/** Lets a browser hand the answer to the page that asked. True: the browser asked only whether it may, and has its answer. */
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
