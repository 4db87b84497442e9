import { localhostAllowedHostnames, validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server'
import type { Config } from '../../config.ts'
import type { Http } from '../http/api.ts'
import { shareWith } from '../http/cors.ts'

/** Who may talk to /mcp: by which names it is reached, and from pages of which other sites. */
export interface Doors {
  readonly names: readonly string[]
  readonly origins: readonly string[]
}

/** The names that this gateway goes by, the machine's own and the one that people use, and the sites that its operator allows. */
export function doorsOf({ publicUrl, mcpOrigins }: Config): Doors {
  return { names: [...localhostAllowedHostnames(), new URL(publicUrl).hostname], origins: mcpOrigins }
}

/** Why the request is not for us: a page that had its name point here, or one of another site. Undefined: it is. */
export function foreign(http: Http, { names, origins }: Doors): string | undefined {
  const host = validateHostHeader(http.req.headers.host, [...names])
  if (!host.ok) return host.message
  const { origin } = http.req.headers
  if (origin !== undefined && origins.includes(origin)) return undefined
  const local = validateOriginHeader(origin, [...names])
  return local.ok ? undefined : local.message
}

const headers = ['Authorization', 'X-API-Key', 'Content-Type', 'Accept', 'Last-Event-ID', 'Mcp-Session-Id']
const ofProtocol = ['MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name']
const exposed = ['Mcp-Session-Id', 'WWW-Authenticate', 'Retry-After', 'X-Request-Id']

/** For clients that are pages: of sites that are not `foreign`. True: the browser asked only whether it may. */
export function shareWithPage(http: Http): boolean {
  const { origin } = http.req.headers
  return (
    origin !== undefined &&
    shareWith(http, { origin, methods: ['POST'], headers: [...headers, ...ofProtocol], exposed })
  )
}
