/** A URL's host without the brackets around IPv6 addresses. */
export function bare(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}
