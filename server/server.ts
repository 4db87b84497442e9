import type { Server } from 'node:http'
import type Koa from 'koa'
import type { Context } from '../core/context.ts'
import { createAdminApp } from './admin.ts'
import { createApi, isApiPath } from '../core/http/api.ts'
import type { Api } from '../core/http/api.ts'
import { documentRoutes } from '../api/http/document-routes.ts'
import { errorFunnel } from '../api/http/errors.ts'
import { standardHeaders } from '../api/http/headers.ts'
import { keepBrowsersOut } from '../api/operators/browser-peers.ts'
import type { AdminDoor } from '../core/admin-port/door.ts'
import { openAdminDoor } from '../core/admin-port/door.ts'
import { listen } from '../core/listen.ts'
import { openFrontDoor } from '../api/http/front-door.ts'
import type { FrontDoor } from '../api/http/front-door.ts'
import { isLive } from '../web/connect/admit.ts'
import { mcpRoutes } from '../api/mcp/routes.ts'
import { oauthRoutes } from '../api/oauth/routes.ts'
import { observe } from '../api/operators/observe.ts'
import { cardOf, liveConnect, pages, showErrorPage } from '../web/index.ts'
import { apiRoutes } from '../api/http/routes.ts'
import { createTemporalUi } from '../api/temporal-ui/server.ts'
import { newApp } from '../api/http/serve.ts'
import { dropStalledClients } from '../api/http/stalled-clients.ts'

export interface RunningApi {
  readonly url: string
  readonly adminUrl: string
  /** Reports not ready, but keeps serving. */
  leave(): void
  /** Ends long polls early, lets running requests finish, then closes. */
  close(): Promise<void>
}

/** How long running requests may take to finish once the API closes (ms). */
const patience = 10_000

export function createApp(ctx: Context, api: Api = createApi(ctx)): Koa {
  const { trustProxy } = ctx.config
  const app = newApp(ctx, { proxy: trustProxy > 0, maxIpsCount: trustProxy })
  app.use(standardHeaders(api))
  app.use(observe(api))
  app.use(errorFunnel(api, isApiPath, showErrorPage))
  app.use(documentRoutes(api).routes())
  app.use(apiRoutes(api).routes())
  app.use(mcpRoutes(api, cardOf).routes())
  app.use(oauthRoutes(api).routes())
  app.use(pages(api))
  return app
}

/** Listens for clients, operators, and before the embedded Temporal UI; port 0 = any free one. */
export async function startApi(
  ctx: Context,
  options: {
    readonly host: string
    readonly port: number
    readonly adminPort: number
    /** The port for clients, if already open. */
    readonly front?: FrontDoor
    /** The admin port, if already open. */
    readonly door?: AdminDoor
    /** A client that reads none of its pending data for this long (ms) is dropped; default 10 s. */
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
  const { browserService } = ctx.config
  const operators = ui ? [door.server, ui.server] : [door.server]
  const keepingOut = browserService && keepBrowsersOut(browserService, operators)
  return {
    url,
    adminUrl: door.url,
    leave: () => leaving.abort(),
    async close() {
      leaving.abort()
      drain.abort()
      live.close()
      if (keepingOut) (await keepingOut)()
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
