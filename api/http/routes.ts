import Router from '@koa/router'
import { CallgateError } from '../../schemas/errors.ts'
import { basePath } from '../../core/http/api.ts'
import type { Api } from '../../core/http/api.ts'
import { callsRoutes } from './calls-routes.ts'
import { connectionsRoutes } from './connections-routes.ts'
import { discoveryRoutes } from './discovery-routes.ts'
import { limitDiscovery } from '../../core/http/rate-limit.ts'
import { runRoutes } from './run-routes.ts'
import { usageRoutes } from './usage-routes.ts'

/** Everything under /api/v1. The first match answers, so fixed words come before parameters. */
export function apiRoutes(api: Api): Router {
  const router = new Router({ prefix: basePath, sensitive: true })
  callsRoutes(router, api)
  connectionsRoutes(router, api)
  usageRoutes(router, api)
  discoveryRoutes(router, api)
  runRoutes(router, api)
  for (const path of ['/', '/*rest'])
    router.all(path, async (http) => {
      await limitDiscovery(api, http)
      throw new CallgateError('not_found')
    })
  return router
}
