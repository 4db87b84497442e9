import type { AppSession, SessionCookie } from '../../schemas/session.ts'

const maxCookies = 60
const nameForm = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,256}$/
const valueForm = /^[\u0021-\u003a\u003c-\u007e]*$/

/** The cookies of one account while it talks to its app: sends those that fit an address, takes what the app sets. */
export class CookieJar {
  #cookies: readonly SessionCookie[]
  #changed = false
  readonly #session: AppSession

  constructor(session: AppSession) {
    this.#session = session
    this.#cookies = session.cookies
  }

  /** The session with the app's changes; null when there are none. */
  changes(): AppSession | null {
    return this.#changed ? { ...this.#session, cookies: this.#cookies } : null
  }

  /** Value of the Cookie header; '' when no cookie fits. Longer paths first, as browsers do. */
  header(url: URL): string {
    return this.#cookies
      .filter((cookie) => domainFits(cookie.domain, url.hostname) && pathFits(cookie.path, url.pathname))
      .sort((a, b) => b.path.length - a.path.length)
      .map((cookie) => `${cookie.name}=${cookie.value}`)
      .join('; ')
  }

  take(setCookies: readonly string[], url: URL): void {
    for (const line of setCookies) this.#takeOne(line, url)
  }

  #takeOne(line: string, url: URL): void {
    if (line.length > 4096) return
    const [pair = '', ...rest] = line.split(';')
    const split = pair.indexOf('=')
    const name = pair.slice(0, Math.max(split, 0)).trim()
    const value = pair.slice(split + 1).trim()
    if (!nameForm.test(name) || !valueForm.test(value)) return

    const attributes = new Map(rest.map(attribute))
    const given = attributes.get('domain')?.replace(/^\./, '').toLowerCase() ?? ''
    // A domain that the host does not belong to, or that has no dot in it, is refused: such a cookie would reach other sites.
    if (given !== '' && given !== url.hostname && !(given.includes('.') && url.hostname.endsWith(`.${given}`))) return
    const domain = given === '' || !given.includes('.') ? url.hostname : `.${given}`
    const path = attributes.get('path')?.startsWith('/') ? (attributes.get('path') ?? '/') : folderOf(url.pathname)

    const cookie = { name, value, domain, path }
    const before = this.#cookies.find((one) => same(one, cookie))
    const ends = expired(attributes)
    if (ends ? before === undefined : before?.value === value) return
    const cookies = ends ? without(this.#cookies, cookie) : put(this.#cookies, cookie)
    this.#changed ||= cookies !== this.#cookies
    this.#cookies = cookies
  }
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
  const set = after.filter((cookie) => !before.some((one) => same(one, cookie) && one.value === cookie.value))
  const deleted = before.filter((cookie) => !after.some((one) => same(one, cookie)))
  const left = now.filter((cookie) => !deleted.some((one) => same(one, cookie) && one.value === cookie.value))
  return set.reduce(put, left)
}

/** The list itself when it is full. */
function put(cookies: readonly SessionCookie[], cookie: SessionCookie): readonly SessionCookie[] {
  const others = without(cookies, cookie)
  return others.length === cookies.length && others.length >= maxCookies ? cookies : [...others, cookie]
}

function without(cookies: readonly SessionCookie[], cookie: SessionCookie): readonly SessionCookie[] {
  return cookies.filter((one) => !same(one, cookie))
}

function same(one: SessionCookie, other: SessionCookie): boolean {
  return one.name === other.name && bare(one.domain) === bare(other.domain) && one.path === other.path
}

function attribute(text: string): [string, string] {
  const split = text.indexOf('=')
  if (split < 0) return [text.trim().toLowerCase(), '']
  return [text.slice(0, split).trim().toLowerCase(), text.slice(split + 1).trim()]
}

function expired(attributes: ReadonlyMap<string, string>): boolean {
  const maxAge = attributes.get('max-age')
  if (maxAge !== undefined && /^-?\d+$/.test(maxAge)) return Number(maxAge) <= 0
  const expires = Date.parse(attributes.get('expires') ?? '')
  return Number.isFinite(expires) && expires <= Date.now()
}

function bare(domain: string): string {
  return domain.replace(/^\./, '').toLowerCase()
}

/** A leading dot means the host's subdomains too, as in browsers' own storage. */
function domainFits(domain: string, host: string): boolean {
  return bare(domain) === host || (domain.startsWith('.') && host.endsWith(`.${bare(domain)}`))
}

function pathFits(path: string, requested: string): boolean {
  return requested === path || requested.startsWith(path.endsWith('/') ? path : `${path}/`)
}

function folderOf(pathname: string): string {
  return pathname.slice(0, Math.max(pathname.lastIndexOf('/'), 1))
}
