import type Router from '@koa/router'
import { Type } from 'typebox'
import { callOfAll, cancelForOwner, resolveForOwner } from '../../core/operators/operate.ts'
import { findCallsOfAll } from '../../core/operators/rows.ts'
import type { CallFilter } from '../../core/operators/rows.ts'
import { callStatuses } from '../../schemas/call.ts'
import { CallgateError } from '../../schemas/errors.ts'
import type { Api } from '../../core/http/api.ts'
import { allowMethods } from '../http/method.ts'
import { readNoQuery, readQuery } from '../http/query.ts'
import type { Query } from '../http/query.ts'
import { refund } from '../../core/operators/refund.ts'
import { actorOf, nameIn, postReader, readOperatorLimit } from './request.ts'

/** Calls of all users, without their content. */
export function callsRoutes(router: Router, api: Api): void {
  const { ctx } = api
  const readResolution = postReader({ happened: Type.Boolean() })
  const readReason = postReader({ reason: Type.String({ minLength: 3, maxLength: 500 }) })

  router.all('/calls', async (http) => {
    allowMethods(http, 'GET', 'HEAD')
    http.body = { calls: await findCallsOfAll(ctx.db, readFilter(http.querystring)) }
  })

  router.all('/calls/:call', async (http) => {
    allowMethods(http, 'GET', 'HEAD')
    readNoQuery(http.querystring)
    http.body = await callOfAll(ctx, nameIn(http, 'call'))
  })

  router.all('/calls/:call/resolve', async (http) => {
    const call = nameIn(http, 'call')
    const { happened } = await readResolution(http)
    if (!(await resolveForOwner(ctx, call, happened, actorOf(http))))
      throw new CallgateError('invalid_input', { message: 'This call did not end unknown, or was recorded before.' })
    http.body = await callOfAll(ctx, call)
  })

  router.all('/calls/:call/cancel', async (http) => {
    const call = nameIn(http, 'call')
    const { reason } = await readReason(http)
    await cancelForOwner(ctx, call, reason, actorOf(http))
    http.body = await callOfAll(ctx, call)
  })

  router.all('/calls/:call/refund', async (http) => {
    const call = nameIn(http, 'call')
    const { reason } = await readReason(http)
    http.body = { call_id: call, refunded: await refund(api, call, reason, actorOf(http)) }
  })
}

const filters = ['call_id', 'owner', 'app', 'status', 'waiting_for', 'stuck', 'unresolved', 'before', 'limit']

/** The filter of calls. Throws invalid_input that names every wrong field. */
function readFilter(querystring: string): CallFilter {
  const query = readQuery(querystring, filters)
  const { call_id, owner, app, status, waiting_for, before } = query.values
  if (status !== undefined && !callStatuses.some((known) => known === status))
    query.refuse('status', `must be one of ${callStatuses.join(', ')}`)
  const [stuck, unresolved] = [readFlag(query, 'stuck'), readFlag(query, 'unresolved')]
  const limit = readOperatorLimit(query)
  query.check()
  return { call_id, owner, app, status, waiting_for, stuck, unresolved, before, limit }
}

/** `true` or `false`; false if absent. */
function readFlag(query: Query, name: string): boolean {
  const value = query.values[name] ?? 'false'
  if (value !== 'true' && value !== 'false') query.refuse(name, 'must be true or false')
  return value === 'true'
}
