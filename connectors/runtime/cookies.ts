import { Cookie, CookieJar as Jar } from 'tough-cookie'
import type { AppSession, SessionCookie } from '../../schemas/session.ts'

const maxCookies = 60
const longestLine = 4096
/** A token, as RFC 9110 has it. */
const nameForm = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
/** Anything else would make each request fail whose header it is in. */
const valueForm = /^[\u0020-\u007e]*$/

/** The cookies of one account while it talks to its app: sends those that fit an address, takes what the app sets. */
export class CookieJar {
  #cookies: readonly SessionCookie[]
  readonly #session: AppSession

  constructor(session: AppSession) {
    this.#session = session
    this.#cookies = session.cookies
  }

  /** The session with the app's changes; null when there are none. */
  changes(): AppSession | null {
    return this.#cookies === this.#session.cookies ? null : { ...this.#session, cookies: this.#cookies }
  }

  /** Value of the Cookie header; '' when no cookie fits. Longer paths first, as browsers do. */
  header(url: URL): string {
    return jarOf(this.#cookies).getCookieStringSync(url.href)
  }

  /** What the cookie of this name that fits an address says, as scripts read it; undefined where there is none. */
  value(name: string, url: URL): string | undefined {
    const value = jarOf(this.#cookies)
      .getCookiesSync(url.href)
      .find(({ key }) => key === name)?.value
    try {
      return value && decodeURIComponent(value)
    } catch (error) {
      if (error instanceof URIError) return value
      throw error
    }
  }

  /** Takes what an answer of this address sets and ends, as browsers do; beyond so many cookies nothing new. */
  take(setCookies: readonly string[], url: URL): void {
    for (const line of setCookies) {
      const cookie = line.length > longestLine ? undefined : Cookie.parse(line)
      if (cookie === undefined || !nameForm.test(cookie.key) || !valueForm.test(cookie.value)) continue
      const jar = jarOf(this.#cookies)
      jar.setCookieSync(cookie, url.href, { ignoreError: true })
      const after = cookiesOf(jar)
      const full = after.length > this.#cookies.length && after.length > maxCookies
      if (!full && differ(this.#cookies, after)) this.#cookies = after
    }
  }
}

/** As they were kept: what may be set is asked only of what an app sets. */
function jarOf(cookies: readonly SessionCookie[]): Jar {
  return Jar.deserializeSync({
    version: 'tough-cookie',
    storeType: 'MemoryCookieStore',
    rejectPublicSuffixes: true,
    cookies: cookies.map(({ name, value, domain, path }) => {
      return { key: name, value, domain: bare(domain), path, hostOnly: !domain.startsWith('.') }
    }),
  })
}

function cookiesOf(jar: Jar): readonly SessionCookie[] {
  const kept = jar.serializeSync()?.cookies ?? []
  return kept.flatMap((one) => {
    const cookie = Cookie.fromJSON(one)
    if (cookie === undefined || cookie.TTL() <= 0) return []
    const { key: name, value, domain, path, hostOnly } = cookie
    return [{ name, value, domain: `${hostOnly === true ? '' : '.'}${domain ?? ''}`, path: path ?? '/' }]
  })
}

/**
 * The cookies that there are now, with what one exchange did to them since: it set out with `before` and ended with `after`. What it set
 * counts, as the later answer does in a browser; what it deleted stays if another exchange has set it anew.
 */
export function takenOver(
  now: readonly SessionCookie[],
  before: readonly SessionCookie[],
  after: readonly SessionCookie[],
): readonly SessionCookie[] {
  const set = after.filter((cookie) => !holds(before, cookie))
  const deleted = before.filter((cookie) => !after.some((one) => same(one, cookie)))
  const left = now.filter((cookie) => !holds(deleted, cookie))
  return set.reduce(put, left)
}

/** The list itself when it is full. */
function put(cookies: readonly SessionCookie[], cookie: SessionCookie): readonly SessionCookie[] {
  const others = cookies.filter((one) => !same(one, cookie))
  return others.length === cookies.length && others.length >= maxCookies ? cookies : [...others, cookie]
}

function differ(some: readonly SessionCookie[], others: readonly SessionCookie[]): boolean {
  return some.length !== others.length || some.some((cookie) => !holds(others, cookie))
}

function holds(cookies: readonly SessionCookie[], cookie: SessionCookie): boolean {
  return cookies.some((one) => same(one, cookie) && one.value === cookie.value)
}

function same(one: SessionCookie, other: SessionCookie): boolean {
  return one.name === other.name && bare(one.domain) === bare(other.domain) && one.path === other.path
}

/** A leading dot means the host's subdomains too, as in browsers' own storage. */
function bare(domain: string): string {
  return domain.replace(/^\./, '').toLowerCase()
}
