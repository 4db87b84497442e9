import type { Server } from 'node:http'
import type Koa from 'koa'
import type { Context } from '../core/context.ts'
import { createAdminApp } from './operators/admin.ts'
import { createApi, isApiPath } from './http/api.ts'
import type { Api } from './http/api.ts'
import { documentRoutes } from './http/document-routes.ts'
import { errorFunnel } from './http/errors.ts'
import { standardHeaders } from './http/headers.ts'
import type { AdminDoor } from '../core/admin-port/door.ts'
import { openAdminDoor } from '../core/admin-port/door.ts'
import { listen } from '../core/listen.ts'
import { openFrontDoor } from './http/front-door.ts'
import type { FrontDoor } from './http/front-door.ts'
import { isLive } from '../web/connect/admit.ts'
import { mcpRoutes } from './mcp/routes.ts'
import { oauthRoutes } from './oauth/routes.ts'
import { observe } from './operators/observe.ts'
import { liveConnect, pages, showErrorPage } from '../web/index.ts'
import { apiRoutes } from './http/routes.ts'
import { createTemporalUi } from './temporal-ui/server.ts'
import { newApp } from './http/serve.ts'
import { dropStalledClients } from './http/stalled-clients.ts'

export interface RunningApi {
  readonly url: string
  readonly adminUrl: string
  /** Says that it is not ready, and goes on serving. */
  leave(): void
  /** Ends waits early, lets running requests finish, then closes. */
  close(): Promise<void>
}

/** Milliseconds that running requests have to finish once the API closes. */
const patience = 10_000

export function createApp(ctx: Context, api: Api = createApi(ctx)): Koa {
  const { trustProxy } = ctx.config
  const app = newApp(ctx, { proxy: trustProxy > 0, maxIpsCount: trustProxy })
  app.use(standardHeaders(api))
  app.use(observe(api))
  app.use(errorFunnel(api, isApiPath, showErrorPage))
  app.use(documentRoutes(api).routes())
  app.use(apiRoutes(api).routes())
  app.use(mcpRoutes(api).routes())
  app.use(oauthRoutes(api).routes())
  app.use(pages(api))
  return app
}

/** Listens for clients, and for operators on the admin port; 0 = any free port. And before the embedded engine's UI, on this machine only. */
export async function startApi(
  ctx: Context,
  options: {
    readonly host: string
    readonly port: number
    readonly adminPort: number
    /** The port for clients, when it listens already. */
    readonly front?: FrontDoor
    /** The admin port, when it listens already. */
    readonly door?: AdminDoor
    /** A client that takes nothing of what waits for it for so long is dropped, in ms; usually 10 s. */
    readonly unreadFor?: number
  },
): Promise<RunningApi> {
  const [drain, leaving] = [new AbortController(), new AbortController()]
  const api = createApi(ctx, drain.signal, leaving.signal)
  const app = createApp(ctx, api)
  const handle = app.callback()
  const front = options.front ?? (await openFrontDoor({ ...options, publicUrl: ctx.config.publicUrl }))
  const { server, url } = front
  const live = liveConnect(ctx, app, server)
  api.metrics.tellSignIns(() => live.counts())
  const door = options.door ?? (await openAdminDoor(options))
  dropStalledClients(door.server, options.unreadFor)
  const answer = createAdminApp(api).callback()
  door.open((request, response) => void answer(request, response))
  front.open((request, response) => void handle(request, response), isLive)
  const { temporalUi } = ctx.config
  const ui = temporalUi && createTemporalUi(ctx, temporalUi.upstream)
  if (ui) await listen(ui.server, temporalUi.host, temporalUi.port)
  return {
    url,
    adminUrl: door.url,
    leave: () => leaving.abort(),
    async close() {
      leaving.abort()
      drain.abort()
      live.close()
      await ui?.close()
      await closed(server)
      await closed(door.server)
      await ctx.security.flush()
    },
  }
}

async function closed(server: Server): Promise<void> {
  const impatient = setTimeout(() => server.closeAllConnections(), patience)
  await new Promise<void>((resolve) => {
    server.close(() => resolve())
  })
  clearTimeout(impatient)
}
