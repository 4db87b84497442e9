import { localhostAllowedHostnames, validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server'
import type { Config } from '../../config.ts'
import type { Http } from '../../core/http/api.ts'
import { shareWith } from '../http/cors.ts'

/** Who may use /mcp: the host names it answers to, and other origins whose pages may call it. */
export interface Doors {
  readonly names: readonly string[]
  readonly origins: readonly string[]
}

/** Host names of this machine and of the public URL, and the origins that the operator allows. */
export function doorsOf({ publicUrl, mcpOrigins }: Config): Doors {
  return { names: [...localhostAllowedHostnames(), new URL(publicUrl).hostname], origins: mcpOrigins }
}

/** Why it is refused: foreign Host (DNS rebinding) or page of another origin. Undefined: fine. */
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

/** CORS for pages of origins that are not `foreign`. True: it was a preflight and is answered. */
export function shareWithPage(http: Http): boolean {
  const { origin } = http.req.headers
  return (
    origin !== undefined &&
    shareWith(http, { origin, methods: ['POST'], headers: [...headers, ...ofProtocol], exposed })
  )
}
