import dns from 'node:dns'
import type { LookupAddress } from 'node:dns'
import { lookup, Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { codeOf } from '../error-labels.ts'

const longest = 2_000
const globalUnicast = ipaddr.IPv6.parse('2000::')

/**
 * The normalized URL of a webhook, or the problem for the user. Deliveries check the host again.
 */
export function checkUrl(
  text: string,
  networks: readonly string[],
): { readonly url: string } | { readonly problem: string } {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || text.length > longest)
    return { problem: 'This is not a web address. One looks like https://example.com/hooks/callgate.' }
  if (url.protocol === 'http:' && networks.length === 0)
    return {
      problem:
        'The address must begin with https://. To reach a program on this machine, run `callgate listen`, or have the operator allow its network with WEBHOOK_ALLOW.',
    }
  if (url.username !== '' || url.password !== '')
    return { problem: 'Leave user name and password out: each delivery is signed instead.' }
  const port = url.port === '' ? 443 : Number(url.port)
  if (port < 1_024 && port !== 80 && port !== 443) return { problem: 'Ports are 443, 80 and those from 1024 on.' }
  const address = literal(url)
  if (address !== undefined && !mayReach(address, url.protocol, networks))
    return { problem: 'Nothing on the internet has this address: webhooks go to public addresses only.' }
  url.hash = ''
  return { url: url.href }
}

/** Whether a webhook may be sent there. Plain http only to networks (CIDRs) the operator allows. */
export function mayReach(address: string, protocol: string, networks: readonly string[]): boolean {
  if (isAllowed(address, networks)) return true
  return protocol === 'https:' && isPublic(address)
}

/** Every current address of the host. Throws the resolver's errors; stops when `signal` aborts. */
export async function addressesOf(url: URL, signal: AbortSignal): Promise<readonly LookupAddress[]> {
  const address = literal(url)
  if (address !== undefined) return [{ address, family: isIP(address) }]
  // Names without a dot belong to this machine or its network.
  return url.hostname.includes('.') ? asked(url.hostname, signal) : lookup(url.hostname, { all: true })
}

/** Whether the host itself names a private network, where public DNS cannot redirect it. */
export function isOwnNetwork(url: URL): boolean {
  const address = literal(url)
  if (address !== undefined) return !isPublic(address)
  const name = url.hostname.replace(/\.$/, '')
  return !name.includes('.') || /\.(?:localhost|local|internal|home\.arpa)$/.test(name)
}

/** The same for a name that only this machine or its network can resolve. */
export async function ownAddressesOf(url: URL, signal: AbortSignal): Promise<readonly LookupAddress[]> {
  return literal(url) === undefined ? lookup(url.hostname, { all: true }) : addressesOf(url, signal)
}

/** Queries DNS directly: `lookup` would block one of two threads while a name server is silent. */
async function asked(host: string, signal: AbortSignal): Promise<readonly LookupAddress[]> {
  const resolver = new Resolver({ timeout: 3_000, tries: 3 })
  resolver.setServers(dns.getServers())
  const stop = (): void => resolver.cancel()
  signal.addEventListener('abort', stop)
  try {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (found.length > 0) return found.map((address) => ({ address, family: isIP(address) }))
    const late = answers.some((answer) => answer.status === 'rejected' && codeOf(answer.reason) === 'ETIMEOUT')
    throw Object.assign(new Error('no address'), { code: late ? 'ETIMEDOUT' : 'ENOTFOUND' })
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** The IP address in a URL. URL has normalized decimal, octal and hexadecimal notations. */
function literal(url: URL): string | undefined {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(host) === 0 ? undefined : host
}

function isPublic(address: string): boolean {
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast') return false
  // IPv6 outside of global unicast may embed an IPv4 address, such as ::7f00:1.
  return parsed.kind() === 'ipv4' || parsed.match(globalUnicast, 3)
}

function isAllowed(address: string, networks: readonly string[]): boolean {
  const parsed = ipaddr.process(address)
  return networks.some((network) => {
    const [base, bits] = ipaddr.parseCIDR(network)
    return base.kind() === parsed.kind() && parsed.match(base, bits)
  })
}
