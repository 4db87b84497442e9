import Router from '@koa/router'
import { auditOfOperators } from '../../core/operators/rows.ts'
import { approvalKeys } from '../../core/secrets/approval-keys.ts'
import { operatorToken } from '../../core/operators/operate.ts'
import { equalTexts } from '../../core/secrets/crypto.ts'
import { listSecurityLog } from '../../core/security-log.ts'
import { CallgateError } from '../../schemas/errors.ts'
import type { Api, Http } from '../http/api.ts'
import { allowMethods } from '../http/method.ts'
import { limitBadTokens } from '../http/rate-limit.ts'
import { readQuery } from '../http/query.ts'
import { appsRoutes } from './apps.ts'
import { callsRoutes } from './calls.ts'
import { connectorsRoutes } from './connectors.ts'
import { readOperatorLimit } from './request.ts'
import { usersRoutes } from './users.ts'
import { watchRoutes } from './watch.ts'

/** Everything below /operator/, for whoever sends the operator token. */
export function operatorRoutes(api: Api): Router {
  const { db, secrets } = api.ctx
  const router = new Router({ prefix: '/operator', sensitive: true })
  router.use(async (http, next) => {
    if (!equalTexts(sentToken(http), operatorToken(secrets))) {
      api.security.note('operator_refused', http.ip)
      await limitBadTokens(api, http)
      throw new CallgateError('api_key_invalid', { message: 'Send the operator token: npm run -s admin -- token.' })
    }
    await next()
  })
  appsRoutes(router, api)
  callsRoutes(router, api)
  connectorsRoutes(router, api)
  usersRoutes(router, api)
  watchRoutes(router, api)

  router.all('/log', async (http) => {
    allowMethods(http, 'GET', 'HEAD')
    const query = readQuery(http.querystring, ['limit'])
    const limit = readOperatorLimit(query)
    query.check()
    http.body = { log: await auditOfOperators(db, limit) }
  })

  router.all('/security', async (http) => {
    allowMethods(http, 'GET', 'HEAD')
    const query = readQuery(http.querystring, ['limit'])
    const limit = readOperatorLimit(query)
    query.check()
    http.body = { security: await listSecurityLog(db, limit) }
  })

  router.all('/keys', async (http) => {
    allowMethods(http, 'GET', 'HEAD')
    readQuery(http.querystring, []).check()
    http.body = { approval: await approvalKeys(api.ctx) }
  })

  router.all('/*rest', () => {
    throw new CallgateError('not_found')
  })
  return router
}

function sentToken(http: Http): string {
  return /^bearer +(.+)$/i.exec(http.get('Authorization'))?.[1] ?? ''
}
