import type Koa from 'koa'
import { watchLoad } from '../../core/admission.ts'
import type { Admission } from '../../core/admission.ts'
import type { Context } from '../../core/context.ts'
import { listenForEndings } from '../../core/calls/endings.ts'
import type { Endings } from '../../core/calls/endings.ts'
import { createLimiter } from '../../core/limiter.ts'
import type { Limiter } from '../../core/limiter.ts'
import { findKeys, renewKeyHash } from '../../core/keys/rows.ts'
import { findTokens } from '../../core/oauth/tokens.ts'
import { createKeyCache } from './key-cache.ts'
import type { KeyCache } from './key-cache.ts'
import { mcpPath } from '../../core/oauth/resource.ts'
import { createMetrics } from '../operators/metrics.ts'
import type { Metrics } from '../operators/metrics.ts'

/** One running API: what its routes and checks need. Several may live in one process. */
export interface Api {
  readonly ctx: Context
  readonly limiter: Limiter
  readonly keys: KeyCache
  /** Access tokens of OAuth, by their hashes. */
  readonly tokens: KeyCache
  readonly endings: Endings
  readonly metrics: Metrics
  /** Whether new calls are taken now. */
  readonly admission: Admission
  /** Aborted some time before: clients are to turn to another process, and are served here meanwhile. */
  readonly leaving: AbortSignal
  /** Aborted when the API shuts down: whoever waits for a call ends with what there is. */
  readonly draining: AbortSignal
}

/** One request and its response. */
export type Http = Koa.Context

export const basePath = '/api/v1'

export function createApi(ctx: Context, draining: AbortSignal = new AbortController().signal, leaving = draining): Api {
  const admission = watchLoad(ctx, draining)
  const metrics = createMetrics(ctx, admission)
  return {
    ctx,
    limiter: createLimiter(ctx.db),
    keys: createKeyCache(ctx, { find: findKeys, renew: (id, hash) => renewKeyHash(ctx, id, hash) }),
    tokens: createKeyCache(ctx, { find: findTokens }),
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

/** Where programs look for documents such as OAuth's. */
export const wellKnownPath = '/.well-known'

/** Where programs register, and exchange codes and tokens; the page where a person decides is /oauth/authorize. */
export const oauthPaths = { register: '/oauth/register', token: '/oauth/token', revoke: '/oauth/revoke' } as const

const documents: ReadonlySet<string> = new Set([openApiPath, llmsPath, serverCardPath, ...Object.values(oauthPaths)])

/** Whether programs read what is there: the JSON API, MCP, OAuth and the documents about them. The others are pages. */
export function isApiPath(path: string): boolean {
  return documents.has(path) || [basePath, mcpPath, wellKnownPath].some((root) => isBelow(path, root))
}

function isBelow(path: string, root: string): boolean {
  return path === root || path.startsWith(`${root}/`)
}
