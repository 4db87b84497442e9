import ipaddr from 'ipaddr.js'

/**
 * The rate limit key of a client: its IPv4 address, or the /64 of its IPv6 address, within which
 * one household or server can change addresses at will. An IPv4-mapped IPv6 address counts as IPv4.
 */
export function networkOf(ip: string): string {
  const bare = ip.replace(/%.*$/, '')
  if (!ipaddr.isValid(bare)) return ip.slice(0, 64)
  const own = ipaddr.process(bare)
  if (own.kind() === 'ipv4') return own.toString()
  const network = (own as ipaddr.IPv6).parts.slice(0, 4).map((part) => part.toString(16))
  return `${network.join(':')}::/64`
}
