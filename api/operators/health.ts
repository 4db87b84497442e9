import Router from '@koa/router'
import { engineIsUp } from '../../core/temporal/health.ts'
import type { Api } from '../http/api.ts'
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
    const checks = { database: await databaseAnswers(api), engine: engineIsUp(api.ctx), draining: api.leaving.aborted }
    // Without the engine it still reads, shows, takes decisions, and refuses new calls with 503: there is no other process that could do more.
    http.status = checks.database && !checks.draining ? 200 : 503
    http.body = checks
  })
  return router
}

async function databaseAnswers(api: Api): Promise<boolean> {
  const asked = api.ctx.db.query('SELECT 1').then(
    () => true,
    () => false,
  )
  const late = new Promise<false>((resolve) => setTimeout(() => resolve(false), 1_000).unref())
  return Promise.race([asked, late])
}
