import type Koa from 'koa'
import type { Api, Http } from '../core/http/api.ts'
import { errorFunnel } from '../api/http/errors.ts'
import { newApp } from '../api/http/serve.ts'
import { operatorPages, showOperatorError } from '../web/index.ts'
import { isMeant } from '../core/admin-port/host.ts'
import { newUlid } from '../core/ulid.ts'
import { healthPaths, healthRoutes } from '../api/operators/health.ts'
import { operatorRoutes } from '../api/operators/routes.ts'

/** The admin port: metrics, health, the operators' JSON API below /operator/, and their pages. */
export function createAdminApp(api: Api): Koa {
  const { ctx } = api
  const app = newApp(ctx)
  app.use(async (http, next) => {
    if (!isMeant(http.req, ctx.config.adminUrl)) {
      ctx.security.note('host_refused', http.ip)
      return misdirected(http)
    }
    http.set('X-Request-Id', `req_${newUlid()}`)
    if (isForPrograms(http.path)) http.set('Cache-Control', 'no-store')
    await next()
  })
  app.use(errorFunnel(api, isForPrograms, showOperatorError))
  app.use(healthRoutes(api).routes())
  app.use(operatorRoutes(api).routes())
  app.use(operatorPages(api))
  return app
}

function isForPrograms(path: string): boolean {
  return path.startsWith('/operator/') || healthPaths.includes(path)
}

function misdirected(http: Http): void {
  http.status = 421
  http.set('Cache-Control', 'no-store')
  http.body = 'The admin port is not known by this name: set CALLGATE_ADMIN_URL.\n'
}
