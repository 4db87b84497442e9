import type { OutgoingHttpHeaders, Server } from 'node:http'
import type Koa from 'koa'
import { Pool } from 'undici'
import type { Context } from '../../core/context.ts'
import { audit } from '../../core/audit.ts'
import { isMeant } from '../../core/admin-port/host.ts'
import { publicError } from '../http/errors.ts'
import { newApp, requestLimits, serverOf } from '../http/serve.ts'
import { isOwn } from '../../core/http/csrf.ts'
import { operatorOf } from '../../core/http/operator-session.ts'
import { isPage, withColumns } from './columns.ts'
import { forward } from './forward.ts'
import { onlyReads } from './reads.ts'

/** Security headers of an answer; `framedBy`: which pages may show it in a frame. */
const headersOf = (framedBy: 'none' | 'self'): OutgoingHttpHeaders => ({
  ...(framedBy === 'none' && { 'content-security-policy': "frame-ancestors 'none'" }),
  'x-frame-options': framedBy === 'none' ? 'DENY' : 'SAMEORIGIN',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
})
/** The UI frames its own texts, such as a run's details, which have their own policy. */
const ownFrame = '/render'

/** gRPC codes, as in Temporal's own answers. */
const denied = 7
const unavailable = 14

/**
 * Guards the embedded Temporal UI, which has no authentication: answers only to known host names
 * (DNS rebinding), and is read-only for a browser that is not signed in as an operator.
 */
export function createTemporalUi(ctx: Context, upstream: string): { readonly server: Server; close(): Promise<void> } {
  const pool = new Pool(upstream, {
    connections: 64,
    connectTimeout: 5_000,
    headersTimeout: 90_000,
    bodyTimeout: 90_000,
  })
  const app = newApp(ctx)
  app.use(async (koa) => {
    try {
      await serve(ctx, pool, koa)
    } catch (error) {
      replyFailure(ctx, koa, error)
    }
  })
  // The UI uses plain requests only, also to poll.
  const server = serverOf(app, { ...requestLimits, shouldUpgradeCallback: () => false })
  server.maxConnections = 256
  // Closes connections without any traffic.
  server.setTimeout(150_000)
  return {
    server,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      // Long polls of open pages would take a minute; those pages poll again by themselves.
      server.closeAllConnections()
      await pool.destroy()
      await closed
    },
  }
}

async function serve(ctx: Context, pool: Pool, koa: Koa.Context): Promise<void> {
  const { adminUrl, temporalUiUrl } = ctx.config
  if (!isMeant(koa.req, adminUrl, temporalUiUrl) || !koa.url.startsWith('/')) {
    ctx.security.note('host_refused', koa.ip)
    return say(koa, 421, denied, 'The Temporal UI is not known by this name: set TEMPORAL_UI_URL.')
  }
  const looks = koa.method === 'GET' || koa.method === 'HEAD'
  if (!looks && !isOwn(koa, temporalUiUrl))
    return say(koa, 403, denied, 'Another page sent this. Only the Temporal UI itself may.')
  if (!onlyReads(koa.method, koa.url)) {
    const operator = await operatorOf(ctx, koa)
    if (operator === undefined)
      return say(
        koa,
        403,
        denied,
        `The Temporal UI is read-only. To change something, sign in as an operator at ${signInUrl(ctx, koa)} in this browser, then try again.`,
      )
    await audit(ctx.db, operator.actor, 'temporal-ui.request', { method: koa.method, path: koa.path.slice(0, 500) })
  }
  try {
    await forward(pool, koa, {
      headers: headersOf(koa.path === ownFrame ? 'self' : 'none'),
      rewrite: isPage(koa.method, koa.url) ? (html) => withColumns(html, ctx.config.temporalNamespace) : undefined,
    })
  } catch (error) {
    if (!koa.res.destroyed) replyUnanswered(koa, error)
  }
}

/** Cookies are per host, not per port: the operator must sign in under the host name of the UI. */
function signInUrl({ config }: Context, { hostname }: Koa.Context): string {
  const known = hostname === '' || hostname === new URL(config.adminUrl).hostname
  return `${known ? config.adminUrl : `http://${hostname}:${config.adminPort}`}/login`
}

/** The UI gave no answer, or the request was too large or incomplete. Rethrows other errors. */
function replyUnanswered(koa: Koa.Context, error: unknown): void {
  if (!(error instanceof Error)) throw error
  const code = 'code' in error ? error.code : undefined
  const type = 'type' in error ? error.type : undefined
  if (type === 'entity.too.large') return say(koa, 413, 8, 'The engine takes 4 MiB at most.')
  if (type === 'request.aborted' || type === 'request.size.invalid')
    return say(koa, 400, 3, 'The request did not arrive in full. Nothing was done.')
  if (error.name === 'TimeoutError') return say(koa, 504, 4, 'The Temporal UI did not answer in time.')
  if (typeof code !== 'string' || !/^(ECONN|EPIPE|UND_ERR_)/.test(code)) throw error
  koa.set('Retry-After', '2')
  say(koa, 503, unavailable, 'The Temporal UI does not answer now: the engine is starting, or away.')
}

function replyFailure(ctx: Context, koa: Koa.Context, thrown: unknown): void {
  const error = publicError(thrown)
  if (error.code === 'internal') ctx.log.error({ err: thrown }, 'internal error on the port of the Temporal UI')
  koa.set(error.headers)
  say(koa, error.status, error.status === 503 ? unavailable : 13, error.message)
}

/** In the form of Temporal's errors, which the UI shows; as a line of text on other paths. */
function say(koa: Koa.Context, status: number, code: number, message: string): void {
  koa.set({ 'Cache-Control': 'no-store', ...(headersOf('none') as Record<string, string>) })
  koa.status = status
  koa.body = koa.path.startsWith('/api/') ? { code, message, details: [] } : `${message}\n`
}
