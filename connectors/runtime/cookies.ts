import type { AppSession, SessionCookie } from '../../schemas/session.ts'
import { isBelow, isOver, isTrustworthy, readSetCookie } from './set-cookie.ts'

/** Chromium's limit for one site. */
const maxCookies = 180

/** The cookies of one account during an exchange: sends and stores them as a browser does. */
export class CookieJar {
  #cookies: readonly SessionCookie[]
  readonly #session: AppSession

  constructor(session: AppSession) {
    this.#session = session
    this.#cookies = session.cookies
  }

  /** The session with the app's changes; null if there are none. */
  changes(): AppSession | null {
    return this.#cookies === this.#session.cookies ? null : { ...this.#session, cookies: this.#cookies }
  }

  /** The Cookie header, one character per byte; '' if none matches. Longer paths come first. */
  header(url: URL, without?: string): string {
    return this.#fitting(url)
      .filter(({ name }) => name !== without)
      .map(({ name, value }) => bytesOf(name === '' ? value : `${name}=${value}`))
      .join('; ')
  }

  /** Whether a cookie of this name that matches the URL is HttpOnly. */
  isHttpOnly(name: string, url: URL): boolean {
    return this.#fitting(url).some((one) => textOf(one.name) === name && one.http_only === true)
  }

  /** Value of the cookie of this name for the URL, as scripts read it; undefined if none. */
  value(name: string, url: URL): string | undefined {
    const found = this.#fitting(url).find((one) => textOf(one.name) === name)
    const value = found && textOf(found.value)
    try {
      return value && decodeURIComponent(value)
    } catch (error) {
      if (error instanceof URIError) return value
      throw error
    }
  }

  /** Applies an answer's Set-Cookie headers, as browsers do; beyond the limit it adds none. */
  take(setCookies: readonly string[], url: URL, now = Date.now()): void {
    for (const line of setCookies) {
      const change = readSetCookie(line, url, now)
      if (change === undefined || this.#isGuarded(change.cookie, url)) continue
      const { cookie, ends } = change
      if (!ends) this.#cookies = put(this.#cookies, cookie, now)
      else if (this.#cookies.some((one) => same(one, cookie)))
        this.#cookies = this.#cookies.filter((one) => !same(one, cookie))
    }
  }

  #fitting(url: URL, now = Date.now()): readonly SessionCookie[] {
    const { hostname, pathname } = url
    return this.#cookies
      .filter(({ domain }) => (domain.startsWith('.') ? isBelow(hostname, bare(domain)) : bare(domain) === hostname))
      .filter(({ path, secure }) => isAt(pathname, path) && (secure !== true || isTrustworthy(url)))
      .filter((cookie) => !isOver(cookie, now))
      .toSorted((one, other) => other.path.length - one.path.length)
  }

  /** A cookie set over an insecure connection must not replace a Secure one. */
  #isGuarded(cookie: SessionCookie, url: URL): boolean {
    if (cookie.secure === true || isTrustworthy(url)) return false
    const [own, { name, path }] = [bare(cookie.domain), cookie]
    return this.#cookies.some((one) => {
      const domain = bare(one.domain)
      return (
        one.secure === true &&
        one.name === name &&
        isAt(path, one.path) &&
        (isBelow(own, domain) || isBelow(domain, own))
      )
    })
  }
}

/** One character per byte, as in headers here. Browsers hold cookies as text: UTF-8. */
export function asBytes(text: string): string {
  return Buffer.from(text).toString('latin1')
}

/** The text of a cookie that scripts see. */
export function textOf(kept: string): string {
  return isBytes(kept) ? Buffer.from(kept, 'latin1').toString() : kept
}

/** Older releases stored a browser's text as it was, which no header can carry. */
function bytesOf(kept: string): string {
  return isBytes(kept) ? kept : asBytes(kept)
}

function isBytes(text: string): boolean {
  return !/[^\u0000-\u00ff]/.test(text)
}

function isAt(pathname: string, path: string): boolean {
  return pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`)
}

/**
 * The current cookies plus one exchange's changes from `before` to `after`. What it set wins, as
 * the later answer does; what it deleted stays if another exchange has set it again.
 */
export function takenOver(
  now: readonly SessionCookie[],
  before: readonly SessionCookie[],
  after: readonly SessionCookie[],
): readonly SessionCookie[] {
  const set = after.filter((cookie) => !holds(before, cookie))
  const deleted = before.filter((cookie) => !after.some((one) => same(one, cookie)))
  const left = now.filter((cookie) => !holds(deleted, cookie))
  return set.reduce<readonly SessionCookie[]>((cookies, cookie) => put(cookies, cookie, Date.now()), left)
}

/** The same array if it holds the cookie already, or is full. A change drops expired cookies. */
function put(cookies: readonly SessionCookie[], cookie: SessionCookie, now: number): readonly SessionCookie[] {
  if (cookies.some((one) => isKept(one, cookie, now))) return cookies
  const lasting = cookies.filter((one) => !isOver(one, now))
  const others = lasting.filter((one) => !same(one, cookie))
  return others.length === lasting.length && others.length >= maxCookies ? cookies : [...others, cookie]
}

function holds(cookies: readonly SessionCookie[], cookie: SessionCookie): boolean {
  return cookies.some((one) => equal(one, cookie) && one.expires === cookie.expires)
}

/** An expiry up to a minute later counts as unchanged: many apps move it with each answer. */
function isKept(one: SessionCookie, cookie: SessionCookie, now: number): boolean {
  if (!equal(one, cookie) || one.expires === cookie.expires) return equal(one, cookie)
  if (one.expires === undefined || cookie.expires === undefined) return false
  const later = cookie.expires - one.expires
  return later > 0 && later < Math.min(60, (cookie.expires - now / 1000) / 10)
}

function equal(one: SessionCookie, other: SessionCookie): boolean {
  return (
    same(one, other) && one.value === other.value && one.http_only === other.http_only && one.secure === other.secure
  )
}

function same(one: SessionCookie, other: SessionCookie): boolean {
  return one.name === other.name && one.path === other.path && one.domain.toLowerCase() === other.domain.toLowerCase()
}

/** With a leading dot, subdomains are included: another cookie than the host's, as in Chromium. */
function bare(domain: string): string {
  return domain.replace(/^\./, '').toLowerCase()
}
