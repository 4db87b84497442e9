import { OptionError } from './errors.ts'

/**
 * The base URL of the gateway's API, ending in `/api/v1`, from any of its URLs:
 * the host alone, the API's or the MCP endpoint's. Throws `OptionError` for any other text.
 */
export function addressOf(url: string): string {
  if (!isAddress(url))
    throw new OptionError(
      `"${withoutPassword(url)}" is no address of a gateway: give https://host, or what ends in /api/v1 or /mcp.`,
    )
  const { origin, pathname } = new URL(url.trim())
  return `${origin}${pathname.replace(endings, '')}/api/v1`
}

/** Allowed suffixes, after the host or after the path at which a proxy serves the gateway. */
const endings = /(?:\/api\/v1|\/mcp(?:\/[\w-]+)?)?\/*$/

export function isAddress(url: string): boolean {
  if (!URL.canParse(url.trim())) return false
  const { protocol, username, password, pathname } = new URL(url.trim())
  const path = pathname.replace(/\/+$/, '')
  const known = path === '' || (endings.exec(path)?.[0] ?? '') !== ''
  return /^https?:$/.test(protocol) && username === '' && password === '' && known
}

function withoutPassword(url: string): string {
  return url.replace(/\/\/[^/]*@/, '//')
}
