import { OptionError } from './errors.ts'

/**
 * The address of the gateway's API, ending in `/api/v1`, from any that people have of it: the host alone, the API's, or that of MCP.
 * Throws `OptionError` for what is none.
 */
export function addressOf(url: string): string {
  if (!isAddress(url))
    throw new OptionError(
      `"${withoutPassword(url)}" is no address of a gateway: give https://host, or what ends in /api/v1 or /mcp.`,
    )
  const { origin, pathname } = new URL(url.trim())
  return `${origin}${pathname.replace(endings, '')}/api/v1`
}

/** What may stand behind the host, or behind the path at which a proxy has the gateway. */
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
