import Router from '@koa/router'
import { Type } from 'typebox'
import { audit } from '../../core/audit.ts'
import { invalidInput } from '../../core/calls/invalid-input.ts'
import { auditOfOperators } from '../../core/operators/rows.ts'
import { pepperUse } from '../../core/keys/rows.ts'
import { approvalKeys } from '../../core/secrets/approval-keys.ts'
import { ownerOfToken } from '../../core/operators/credentials.ts'
import { dataKeyAges, renewDataKeys } from '../../core/secrets/data-keys.ts'
import { listSecurityLog, securityKinds } from '../../core/security-log.ts'
import { noteDone } from '../../core/sweep/chores.ts'
import { CallgateError } from '../../schemas/errors.ts'
import type { Api, Http } from '../../core/http/api.ts'
import { allowMethods } from '../http/method.ts'
import { limitBadTokens } from '../../core/http/rate-limit.ts'
import { readQuery } from '../http/query.ts'
import { appsRoutes } from './apps.ts'
import { callsRoutes } from './calls.ts'
import { connectorsRoutes } from './connectors.ts'
import { operatorsRoutes } from './operators.ts'
import { actorOf, nameOperator, postReader, readOperatorLimit } from './request.ts'
import { usersRoutes } from './users.ts'
import { watchRoutes } from './watch.ts'

const sendToken =
  'Send your operator token, or as long as nobody has one of their own the shared one: npm run -s admin -- token.'
const sharedIsSpent =
  'Operators have tokens of their own here: the shared one opens nothing any more. Send yours (CALLGATE_OPERATOR_TOKEN).'

/** Everything below /operator/, for requests with an operator's token. */
export function operatorRoutes(api: Api): Router {
  const { db } = api.ctx
  const router = new Router({ prefix: '/operator', sensitive: true })
  router.use(async (http, next) => {
    const owner = await ownerOfToken(api.ctx, sentToken(http))
    if (owner === undefined || owner === 'spent') {
      api.ctx.security.note('operator_refused', http.ip)
      await limitBadTokens(api, http)
      throw new CallgateError('api_key_invalid', { message: owner === 'spent' ? sharedIsSpent : sendToken })
    }
    if (owner.name !== null) nameOperator(http, owner.name)
    await next()
  })
  appsRoutes(router, api)
  callsRoutes(router, api)
  connectorsRoutes(router, api)
  usersRoutes(router, api)
  operatorsRoutes(router, api)
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
    const query = readQuery(http.querystring, ['limit', 'kind'])
    const limit = readOperatorLimit(query)
    const kind = securityKinds.find((one) => one === query.values.kind)
    if (kind !== query.values.kind) query.refuse('kind', `must be one of ${securityKinds.join(', ')}`)
    query.check()
    http.body = { security: await listSecurityLog(db, limit, kind) }
  })

  router.all('/keys', async (http) => {
    allowMethods(http, 'GET', 'HEAD')
    readQuery(http.querystring, []).check()
    http.body = { approval: await approvalKeys(api.ctx), pepper: await pepperUse(api.ctx) }
  })

  const readNothing = postReader({})
  router.all('/backups', async (http) => {
    await readNothing(http)
    await noteDone(db, 'backup')
    await audit(db, actorOf(http), 'backup.noted', {})
    http.body = { noted: true }
  })

  const readRenewal = postReader({ before: Type.String({ maxLength: 40 }) })
  router.all('/data-keys', async (http) => {
    if (http.method !== 'POST') {
      allowMethods(http, 'GET', 'HEAD', 'POST')
      readQuery(http.querystring, []).check()
      http.body = await dataKeyAges(db)
      return
    }
    const before = new Date((await readRenewal(http)).before)
    if (!(before.getTime() <= Date.now()))
      throw invalidInput([{ path: 'before', message: 'must be a moment that has passed, like 2026-01-31T12:00:00Z' }])
    const told = await renewDataKeys(api.ctx, before)
    if (told.renewed > 0) await audit(db, actorOf(http), 'data_keys.renewed', told)
    http.body = told
  })

  router.all('/*rest', () => {
    throw new CallgateError('not_found')
  })
  return router
}

function sentToken(http: Http): string {
  return /^bearer +(.+)$/i.exec(http.get('Authorization'))?.[1] ?? ''
}
