import type { Apps } from '../../connectors/registry.ts'
import { OAuthRefusal } from './refusal.ts'

/** Where MCP is served; `/mcp/{app}` has the tools of one app. */
export const mcpPath = '/mcp'

/** What a grant may do at most, as OAuth calls it. */
export const scopes = ['read', 'write'] as const

/** What a grant may do, as its tokens come with it. */
export function grantScope(readOnly: boolean): string[] {
  return readOnly ? ['read'] : [...scopes]
}

/**
 * The path that tokens are wanted for: `/mcp` or `/mcp/{app}` of this gateway. Nothing said: `/mcp`. What follows a `?` does not matter.
 * Throws invalid_target.
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

/** The app that a path is for alone; undefined: for all. */
export function appOf(path: string): string | undefined {
  return /^\/mcp\/([^/]+)$/.exec(path)?.[1]
}
