import { getPublicSuffix } from 'tough-cookie'
import type { AnswerKind } from '../kit/define.ts'
import type { AppSession } from '../../schemas/session.ts'

type Headers = Readonly<Record<string, string>>

/** The Accept header of a browser that opens a page, or of its scripts that request data. */
export function accepted(kind: AnswerKind): string {
  return kind === 'page' || kind === 'redirect' ? pages : 'application/json, text/plain, */*'
}

const pages =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7'

/**
 * Further headers of the session's browser: for a navigation (page or form), else for a script.
 * Source: https://www.w3.org/TR/fetch-metadata/ and https://wicg.github.io/ua-client-hints/
 */
export function browserHeaders(url: URL, headers: Headers, { user_agent, browser = {} }: AppSession): Headers {
  const opens = headers['accept']?.startsWith('text/html') === true && headers['x-requested-with'] === undefined
  const { 'accept-language': language, ...hints } = browser
  return {
    'accept-encoding': 'gzip, deflate, br',
    ...(user_agent !== null && { 'user-agent': user_agent }),
    ...(language !== undefined && { 'accept-language': language }),
    ...(opens && { 'upgrade-insecure-requests': '1' }),
    // Chromium sends neither over connections that could be read in transit.
    ...(isTrustworthy(url) && { ...hints, ...metadata(url, headers, opens) }),
  }
}

function metadata(url: URL, headers: Headers, opens: boolean): Headers {
  const from = headers['origin'] ?? headers['referer']
  const site = from === undefined ? (opens ? 'none' : 'same-origin') : siteOf(url, new URL(from))
  return opens
    ? { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate', 'sec-fetch-site': site, 'sec-fetch-user': '?1' }
    : { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors', 'sec-fetch-site': site }
}

function siteOf(url: URL, from: URL): string {
  if (url.origin === from.origin) return 'same-origin'
  const own = registrable(url)
  return own !== undefined && own === registrable(from) ? 'same-site' : 'cross-site'
}

function isTrustworthy({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname)
}

/** Undefined for IP addresses; names outside the public DNS count as sites of their own. */
function registrable({ hostname }: URL): string | undefined {
  return getPublicSuffix(hostname, { allowSpecialUseDomain: true, ignoreError: true })
}
