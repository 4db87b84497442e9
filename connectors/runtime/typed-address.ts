import { parsePattern } from '../kit/origin.ts'
import type { AskedOrigin } from '../kit/origin.ts'

export type Read = { readonly origin: string } | { readonly problem: string }

export interface AddressRules {
  /** Hosts, with ports, that the operator allows over plain http. */
  readonly httpHosts: readonly string[]
  /** The connector's sign-in page, below the root. */
  readonly signInPage: string
}

const longest = 500
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** The root that a user means by what they typed or pasted. `problem`: the message to them. */
export function readAddress(asked: AskedOrigin, text: string, rules: AddressRules): Read {
  const typed = text.trim()
  if (typed === '') return { problem: 'Type the address first.' }
  const example = 'pattern' in asked ? exampleOf(asked.pattern) : 'https://example.com/'
  const none = { problem: `This is not such an address. One looks like ${example}` }
  if (typed.length > longest || /[\s\\]/.test(typed)) return none
  return 'pattern' in asked ? (oneLabel(asked.pattern, typed, rules) ?? none) : (anywhere(typed, rules) ?? none)
}

/** An example address of this pattern. */
export function exampleOf(pattern: string): string {
  return pattern.replace(/[{}]/g, '')
}

/** Only the label is the user's; the connector fixes all else. */
function oneLabel(pattern: string, typed: string, rules: AddressRules): Read | undefined {
  const { protocol, before, after, path } = parsePattern(pattern)
  const url = label.test(typed.toLowerCase()) ? null : parsed(typed, protocol)
  if (url === undefined) return undefined
  const host = url === null ? `${before}${typed.toLowerCase()}${after}` : url.host
  const name = host.slice(before.length, host.length - after.length)
  if (!label.test(name) || host !== `${before}${name}${after}`) return undefined
  return allowed(new URL(`${protocol}//${host}${path}`), rules)
}

function anywhere(typed: string, rules: AddressRules): Read | undefined {
  const bare = parsed(typed, 'https:')
  const url = bare && rules.httpHosts.includes(bare.host) && !/^\w+:\/\//.test(typed) ? parsed(typed, 'http:') : bare
  if (url === undefined) return undefined
  if (url.username !== '' || url.password !== '') return { problem: 'Leave user name and password out of the address.' }
  const port = url.port === '' ? 443 : Number(url.port)
  if (port < 1_024 && port !== 80 && port !== 443) return { problem: 'Ports are 443, 80 and those from 1024 on.' }
  const path = rootPath(url.pathname, rules.signInPage)
  if (/%2e|%2f|%5c|\/\//i.test(path)) return undefined
  return allowed(new URL(path, url.origin), rules)
}

function parsed(typed: string, scheme: string): URL | undefined {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? typed : `${scheme}//${typed}`)
  return url !== null && /^https?:$/.test(url.protocol) && url.hostname !== '' ? url : undefined
}

/** Without the page that the user was on: the sign-in page, or a file. */
function rootPath(path: string, signInPage: string): string {
  const page = `/${signInPage.split(/[?#]/, 1)[0]?.replace(/^\/|\/$/g, '') ?? ''}`
  const bare = path.replace(/\/+$/, '')
  const root = page !== '/' && bare.endsWith(page) ? bare.slice(0, -page.length) : bare.replace(/\/[^/]*\.\w+$/, '')
  return `${root}/`
}

function allowed(url: URL, { httpHosts }: AddressRules): Read {
  if (url.protocol === 'http:' && !httpHosts.includes(url.host))
    return { problem: 'The address must begin with https://: what is sent without it can be read on the way.' }
  return { origin: url.href }
}
