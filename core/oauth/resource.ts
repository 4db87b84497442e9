import type { Apps } from '../../connectors/registry.ts'
import { OAuthRefusal } from './refusal.ts'

/** The MCP endpoint; `/mcp/{app}` has the tools of one app. */
export const mcpPath = '/mcp'

/** All OAuth scopes. */
export const scopes = ['read', 'write'] as const

/** The OAuth scopes of a grant. */
export function grantScope(readOnly: boolean): string[] {
  return readOnly ? ['read'] : [...scopes]
}

/**
 * The path that tokens are requested for: `/mcp` (the default) or `/mcp/{app}` of this gateway.
 * Ignores the query. Throws invalid_target.
 */
export function resourceOf(
  resource: string | undefined,
  gateway: { readonly publicUrl: string; readonly apps: Pick<Apps, 'get'> },
): string {
  if (resource === undefined) return mcpPath
  const url = URL.parse(resource)
  const path = url?.pathname.replace(/\/$/, '')
  const app = appOf(path ?? '')
  const known = path === mcpPath || (app !== undefined && gateway.apps.get(app) !== undefined)
  if (
    url === null ||
    path === undefined ||
    url.origin !== new URL(gateway.publicUrl).origin ||
    url.hash !== '' ||
    !known
  )
    throw new OAuthRefusal('invalid_target', `There is no such resource here. Use ${gateway.publicUrl}${mcpPath}.`)
  return path
}

/** The app that a path is limited to; undefined: all apps. */
export function appOf(path: string): string | undefined {
  return /^\/mcp\/([^/]+)$/.exec(path)?.[1]
}
