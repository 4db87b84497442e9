import { localhostAllowedHostnames, validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server'
import type { Http } from '../http/api.ts'

/** Why the request is not for us: a page that had its name point here, or one of another site. Undefined: it is. */
export function foreign(http: Http, allowed: readonly string[]): string | undefined {
  const names = [...allowed]
  const host = validateHostHeader(http.req.headers.host, names)
  if (!host.ok) return host.message
  const origin = validateOriginHeader(http.req.headers.origin, names)
  return origin.ok ? undefined : origin.message
}

/** The names that this gateway goes by: the machine's own, and the one that people use. */
export function ownHosts(publicUrl: string): readonly string[] {
  return [...localhostAllowedHostnames(), new URL(publicUrl).hostname]
}
