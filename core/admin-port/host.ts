import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

/**
 * DNS rebinding protection for operators' ports: accepts a Host that is an IP address, a name
 * without a dot (this machine or its network), or a configured name. Any other name could be an
 * attacker's that resolves to this address, so that their page reads operators' data.
 */
export function isMeant({ headers }: IncomingMessage, ...urls: readonly string[]): boolean {
  // Browsers always send a Host header.
  if (headers.host === undefined) return true
  const name = URL.parse(`http://${headers.host}`)?.hostname ?? '.'
  return (
    isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0 ||
    !name.includes('.') ||
    name.endsWith('.localhost') ||
    urls.some((url) => name === new URL(url).hostname)
  )
}
