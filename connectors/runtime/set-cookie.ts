import { isIP } from 'node:net'
import { getPublicSuffix, parseDate } from 'tough-cookie'
import type { SessionCookie } from '../../schemas/session.ts'

/** In bytes: a name with its value, and one attribute's value. */
const longestPair = 4096
const longestAttribute = 1024
/** Controls except tabs: browsers drop the whole line. From 0x80 on, bytes of other characters. */
const control = /(?![\t\u0080-\u009f])\p{Cc}/u
/** In seconds: browsers keep no cookie longer. */
const longestAge = 400 * 24 * 60 * 60

/** A Set-Cookie line sets this cookie, or ends the one of this name, domain and path. */
export interface Change {
  readonly cookie: SessionCookie
  readonly ends: boolean
}

/**
 * Parses a Set-Cookie line (one character per byte) of an answer from this URL as Chromium does:
 * RFC 6265bis, section 5.6. Undefined: browsers ignore the line.
 */
export function readSetCookie(line: string, url: URL, now: number): Change | undefined {
  if (control.test(line)) return undefined
  const [pair = '', ...rest] = line.split(';')
  const at = pair.indexOf('=')
  const name = trimmed(pair.slice(0, Math.max(at, 0)))
  const value = trimmed(pair.slice(at + 1))
  // A value with "=" but no name would be sent back as another cookie.
  if (name === '' && (value === '' || value.includes('='))) return undefined
  if (/\t/.test(name + value) || name.length + value.length > longestPair) return undefined
  const attributes = attributesOf(rest)
  const domain = domainOf(attributes.get('domain') ?? '', url.hostname)
  if (domain === undefined) return undefined
  const given = attributes.get('path') ?? ''
  const path = given.startsWith('/') ? given : (/^(.+)\//.exec(url.pathname)?.[1] ?? '/')
  const [secure, httpOnly] = [attributes.has('secure'), attributes.has('httponly')]
  const isLoose = attributes.get('samesite')?.toLowerCase() === 'none' || attributes.has('partitioned')
  if (secure ? !isTrustworthy(url) : isLoose) return undefined
  const isOfHost = secure && !domain.startsWith('.') && given === '/'
  if (!mayBeCalled(name === '' ? value : name, { named: name !== '', secure, isOfHost, httpOnly })) return undefined
  const expires = expiryOf(attributes, now)
  const flags = { ...(httpOnly && { http_only: true as const }), ...(secure && { secure: true as const }) }
  const cookie = { name, value, domain, path, ...flags, ...(expires !== undefined && { expires }) }
  return { cookie, ends: isOver(cookie, now) }
}

/** Whether a cookie has expired. */
export function isOver({ expires }: Pick<SessionCookie, 'expires'>, now: number): boolean {
  return expires !== undefined && expires * 1000 <= now
}

/** Whether the connection is secure from eavesdroppers; Secure cookies go nowhere else. */
export function isTrustworthy({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || /^(?:.*\.)?localhost\.?$|^127(?:\.\d+){3}$|^\[::1\]$/.test(hostname)
}

/** Whether a host is that domain, or below it. */
export function isBelow(host: string, domain: string): boolean {
  return host === domain || (host.endsWith(`.${domain}`) && isIP(host.replace(/^\[|\]$/g, '')) === 0)
}

function trimmed(text: string): string {
  return text.replace(/^[ \t]+|[ \t]+$/g, '')
}

/** By lower-case name; the last of several wins. */
function attributesOf(parts: readonly string[]): ReadonlyMap<string, string> {
  const pairs = parts.map((part): [string, string] => {
    const at = part.indexOf('=')
    return at < 0 ? [trimmed(part), ''] : [trimmed(part.slice(0, at)), trimmed(part.slice(at + 1))]
  })
  return new Map(
    pairs.flatMap(([name, value]) => (value.length > longestAttribute ? [] : [[name.toLowerCase(), value] as const])),
  )
}

/** With a leading dot for a domain and its subdomains; undefined: the host may not set it. */
function domainOf(given: string, host: string): string | undefined {
  if (given === '') return host
  const domain = given.replace(/^\./, '').toLowerCase()
  const own = registrable(host)
  if (own === undefined) return domain === host ? host : undefined
  return registrable(domain) === own && isBelow(host, domain) ? `.${domain}` : undefined
}

/** Undefined for IP addresses, public suffixes and single-label names. */
function registrable(host: string): string | undefined {
  if (!host.includes('.') || isIP(host) !== 0 || host.startsWith('[')) return undefined
  return getPublicSuffix(host, { allowSpecialUseDomain: true, ignoreError: true })
}

/** Enforces name prefixes (`__Host-`, …); a nameless cookie's value must not imitate one. */
function mayBeCalled(
  name: string,
  is: { readonly named: boolean; readonly secure: boolean; readonly isOfHost: boolean; readonly httpOnly: boolean },
): boolean {
  const prefix = /^__(?:Host-Http|Secure|Host|Http)-/i.exec(name)?.[0].toLowerCase()
  if (prefix === undefined) return true
  if (!is.named) return false
  if (prefix.includes('http-') && !is.httpOnly) return false
  return prefix.startsWith('__host-') ? is.isOfHost : is.secure
}

/** In seconds since 1970; undefined: a session cookie. */
function expiryOf(attributes: ReadonlyMap<string, string>, now: number): number | undefined {
  const [age = '', date = ''] = [attributes.get('max-age'), attributes.get('expires')]
  const seconds = Math.floor(now / 1000)
  if (/^[+-]?\d+$/.test(age)) return seconds + Math.min(Math.max(Number(age), 0), longestAge)
  const until = parseDate(date)?.getTime()
  return until === undefined ? undefined : Math.min(Math.floor(until / 1000), seconds + longestAge)
}
