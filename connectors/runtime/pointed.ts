import { within } from '../kit/request-line.ts'
import type { Answer } from '../kit/answer.ts'
import type { RawAnswer } from './http.ts'

/** Where `Location` of an answer points. */
export interface Pointed extends Pick<Answer, 'location' | 'elsewhere'> {
  /** Of a 2xx: path and query of what it created, below the app's root; null: nothing there. */
  readonly made: string | null
}

/** Those that browsers follow: https://fetch.spec.whatwg.org/#redirect-status */
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** A redirect out of the app is never followed: only failure rules see it. */
export function pointed({ status, headers }: RawAnswer, url: URL, origin: string): Pointed {
  const nowhere = { location: null, elsewhere: null, made: null }
  const given = headers['location']
  const isRedirect = redirects.has(status)
  if (given === undefined || !(isRedirect || (status >= 200 && status < 300))) return nowhere
  const target = URL.parse(given, url.href)
  if (target === null) return nowhere
  if (isOnlyUnencrypted(target, url)) target.protocol = 'https:'
  const isOfApp = within(origin, target) || leadsBelow(origin, target)
  if (!isRedirect) return { ...nowhere, made: isOfApp ? belowRoot(origin, target) : null }
  if (isOfApp) return { ...nowhere, location: belowRoot(origin, target) }
  const path = target.pathname + target.search
  return { ...nowhere, elsewhere: target.origin === url.origin ? path : target.origin + path }
}

/** Path and query below the app's root, without a leading slash. */
export function belowRoot(origin: string, url: URL): string {
  return url.pathname.slice(new URL(origin).pathname.length) + url.search
}

/** Behind a TLS proxy an app may name its own URL with http: it must not be used in clear. */
function isOnlyUnencrypted(target: URL, from: URL): boolean {
  const isSamePort = target.port === from.port || (from.port === '' && target.port === '443')
  return from.protocol === 'https:' && target.protocol === 'http:' && target.hostname === from.hostname && isSamePort
}

/** URLs with empty segments or encoded slashes are the app's if no reading leaves its root. */
function leadsBelow(origin: string, target: URL): boolean {
  const slashed = target.pathname.replaceAll(/%2f/gi, '/').replaceAll(/\/{2,}/g, '/')
  const read = URL.parse(target.origin + slashed)
  return read !== null && within(origin, read) && read.pathname.startsWith(new URL(origin).pathname)
}
