import ipaddr from 'ipaddr.js'

/**
 * Whom attempts are counted for: an IPv4 address, or the /64 of an IPv6 address, which is what one household or server is given and can change
 * addresses within at will. An IPv4 address that is written as an IPv6 one counts as itself.
 */
export function networkOf(ip: string): string {
  const bare = ip.replace(/%.*$/, '')
  if (!ipaddr.isValid(bare)) return ip.slice(0, 64)
  const own = ipaddr.process(bare)
  if (own.kind() === 'ipv4') return own.toString()
  const network = (own as ipaddr.IPv6).parts.slice(0, 4).map((part) => part.toString(16))
  return `${network.join(':')}::/64`
}
