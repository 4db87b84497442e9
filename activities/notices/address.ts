import { lookup } from 'node:dns/promises'
import type { LookupAddress } from 'node:dns'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

const longest = 2_000
const globalUnicast = ipaddr.IPv6.parse('2000::')

/** The address of a webhook as it is kept, or why it cannot be one, told to whoever typed it. Host names are judged at each delivery. */
export function checkUrl(
  text: string,
  networks: readonly string[],
): { readonly url: string } | { readonly problem: string } {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || text.length > longest)
    return { problem: 'This is not a web address. One looks like https://example.com/hooks/callgate.' }
  if (url.protocol === 'http:' && networks.length === 0) return { problem: 'The address must begin with https://.' }
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

/** Whether a webhook may be sent there. Plain http goes only to the networks that the operator allows (CIDRs). */
export function mayReach(address: string, protocol: string, networks: readonly string[]): boolean {
  if (isAllowed(address, networks)) return true
  return protocol === 'https:' && isPublic(address)
}

/** Every address that the host has now. Throws what the resolver throws. */
export async function addressesOf(url: URL): Promise<readonly LookupAddress[]> {
  const address = literal(url)
  if (address !== undefined) return [{ address, family: isIP(address) }]
  return lookup(url.hostname, { all: true })
}

/** URL has brought decimal, octal and hexadecimal ways to write an address into the one that is left. */
function literal(url: URL): string | undefined {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(host) === 0 ? undefined : host
}

function isPublic(address: string): boolean {
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast') return false
  // What else is out there may hide an IPv4 address, such as ::7f00:1.
  return parsed.kind() === 'ipv4' || parsed.match(globalUnicast, 3)
}

function isAllowed(address: string, networks: readonly string[]): boolean {
  const parsed = ipaddr.process(address)
  return networks.some((network) => {
    const [base, bits] = ipaddr.parseCIDR(network)
    return base.kind() === parsed.kind() && parsed.match(base, bits)
  })
}
