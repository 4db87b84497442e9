import Router from '@koa/router'
import { readiness } from '../../core/admin-port/ready.ts'
import type { Api } from '../../core/http/api.ts'
import { allowMethods } from '../http/method.ts'

export const healthPaths: readonly string[] = ['/metrics', '/healthz', '/readyz']

/** Whether the process is alive and ready, and what it measures. No token needed. */
export function healthRoutes(api: Api): Router {
  const router = new Router({ sensitive: true })
  router.all('/metrics', async (http) => {
    allowMethods(http, 'GET', 'HEAD')
    const { registry } = api.metrics
    http.set('Content-Type', registry.contentType)
    http.body = await registry.metrics()
  })

  router.all('/healthz', (http) => {
    allowMethods(http, 'GET', 'HEAD')
    http.body = { status: 'alive' }
  })

  router.all('/readyz', async (http) => {
    allowMethods(http, 'GET', 'HEAD')
    const { status, checks } = await readiness(api.ctx, api.leaving)
    http.status = status
    http.body = checks
  })
  return router
}
