import type Koa from 'koa'
import { watchLoad } from '../admission.ts'
import type { Admission } from '../admission.ts'
import type { Context } from '../context.ts'
import { listenForEndings } from '../calls/endings.ts'
import type { Endings } from '../calls/endings.ts'
import { createLimiter } from '../limiter.ts'
import type { Limiter } from '../limiter.ts'
import { findKeys, renewKeyHash } from '../keys/rows.ts'
import { createNetworkLog } from '../oauth/networks.ts'
import { findTokens } from '../oauth/tokens.ts'
import { createKeyCache } from '../keys/key-cache.ts'
import type { KeyCache } from '../keys/key-cache.ts'
import { mcpPath } from '../oauth/resource.ts'
import { createMetrics } from '../operators/metrics.ts'
import type { Metrics } from '../operators/metrics.ts'

/** One running API: what its routes and checks need. Several may live in one process. */
export interface Api {
  readonly ctx: Context
  readonly limiter: Limiter
  readonly keys: KeyCache
  /** Cache of OAuth access tokens, by hash. */
  readonly tokens: KeyCache
  /** Records the networks that a grant is used from. */
  readonly noteNetwork: (grant: string, ip: string) => void
  readonly endings: Endings
  readonly metrics: Metrics
  /** Whether new calls are accepted now. */
  readonly admission: Admission
  /** Aborted before `draining`: clients should move to another process; still served here. */
  readonly leaving: AbortSignal
  /** Aborted when the API shuts down: waiting requests return the current state. */
  readonly draining: AbortSignal
}

/** One request and its response. */
export type Http = Koa.Context

/** Request id of the current response. */
export function requestId(http: Http): string {
  return http.response.get('X-Request-Id')
}

export const basePath = '/api/v1'

export function createApi(ctx: Context, draining: AbortSignal = new AbortController().signal, leaving = draining): Api {
  const admission = watchLoad(ctx, draining)
  const metrics = createMetrics(ctx, admission)
  return {
    ctx,
    limiter: createLimiter(ctx.db),
    keys: createKeyCache(ctx, { find: findKeys, renew: (id, hash) => renewKeyHash(ctx, id, hash) }),
    tokens: createKeyCache(ctx, { find: findTokens }),
    noteNetwork: createNetworkLog(ctx),
    endings: listenForEndings(ctx.config.databaseUrl, ctx.log, draining),
    metrics,
    admission,
    leaving,
    draining,
  }
}

/** Documents about the API, at the root. */
export const openApiPath = '/openapi.json'
export const llmsPath = '/llms.txt'
export const serverCardPath = '/server.json'

/** A page; below it, the packages of the clients. */
export const clientsPath = '/clients'

/** Where clients look up metadata documents, such as OAuth's. */
export const wellKnownPath = '/.well-known'

/** Where clients register, and exchange codes and tokens; the consent page is /oauth/authorize. */
export const oauthPaths = { register: '/oauth/register', token: '/oauth/token', revoke: '/oauth/revoke' } as const

const documents: ReadonlySet<string> = new Set([openApiPath, llmsPath, serverCardPath, ...Object.values(oauthPaths)])

/** Whether the path is for clients (JSON API, MCP, OAuth, documents, packages), not a page. */
export function isApiPath(path: string): boolean {
  if (documents.has(path) || path.startsWith(`${clientsPath}/`)) return true
  return [basePath, mcpPath, wellKnownPath].some((root) => isBelow(path, root))
}

function isBelow(path: string, root: string): boolean {
  return path === root || path.startsWith(`${root}/`)
}
