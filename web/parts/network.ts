import { isIPv6 } from 'node:net'

/**
 * Whom attempts are counted for: an IPv4 address, or the /64 of an IPv6 address, which is what one household or server is given and can change
 * addresses within at will. An IPv4 address that is written as an IPv6 one counts as itself.
 */
export function networkOf(ip: string): string {
  const bare = ip.replace(/%.*$/, '')
  if (!isIPv6(bare)) return ip
  // A URL's host is written in one way: hexadecimal, the longest run of zeros left out.
  const [before = '', after] = new URL(`http://[${bare}]`).hostname.slice(1, -1).split('::')
  const head = groupsOf(before)
  const tail = groupsOf(after ?? '')
  const groups = [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail]
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff)
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 0xff])
      .join('.')
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`
}

const groupsOf = (text: string): readonly number[] =>
  text === '' ? [] : text.split(':').map((group) => parseInt(group, 16))
