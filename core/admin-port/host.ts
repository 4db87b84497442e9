import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

/**
 * Whether a port for operators is meant: by address, by a name without a dot (of this machine or its network), or by one of the names
 * that operators use. Any other name may be one that its owner had point here, so that a page of theirs reads what is told to no stranger.
 */
export function isMeant({ headers }: IncomingMessage, ...urls: readonly string[]): boolean {
  // Browsers always say it.
  if (headers.host === undefined) return true
  const name = URL.parse(`http://${headers.host}`)?.hostname ?? '.'
  return (
    isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0 ||
    !name.includes('.') ||
    name.endsWith('.localhost') ||
    urls.some((url) => name === new URL(url).hostname)
  )
}
