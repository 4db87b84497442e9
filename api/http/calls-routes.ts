import type Router from '@koa/router'
import { callRecord } from '../../core/calls/record.ts'
import { CallgateError } from '../../schemas/errors.ts'
import type { Api, Http } from '../../core/http/api.ts'
import { cancelOwnCall, listOwnCalls, waitForOwnCall } from './call-records.ts'
import { authenticate } from './authenticate.ts'
import { readCallsQuery, readWaitQuery } from './calls-query.ts'
import { describedBy, flagUnseen } from './headers.ts'
import { keyLimits } from '../../core/http/rate-limit.ts'
import { allowMethods } from './method.ts'
import { readNoQuery } from './query.ts'
import { orUnavailable } from '../../core/http/unavailable.ts'

/** GET /calls, GET and DELETE /calls/{call_id}. */
export function callsRoutes(router: Router, api: Api): void {
  router.all('/calls', whenAway, async (http) => {
    const key = await authenticate(api, http, keyLimits.records)
    allowMethods(http, 'GET', 'HEAD')
    const calls = await listOwnCalls(api, key, readCallsQuery(api, key.owner, http.querystring))
    flagUnseen(http, calls)
    http.body = calls
  })

  router.all('/calls/:id', whenAway, async (http) => {
    const key = await authenticate(api, http, keyLimits.records)
    allowMethods(http, 'GET', 'HEAD', 'DELETE')
    const id = http.params['id'] ?? ''
    const cancels = http.method === 'DELETE'
    if (cancels) readNoQuery(http.querystring)
    const row = cancels
      ? await cancelOwnCall(api, key, id)
      : await waitForOwnCall(api, key, id, readWaitQuery(http.querystring))
    describedBy(api, http, row.app)
    const record = await callRecord(api.ctx, row)
    flagUnseen(http, record)
    http.body = record
  })

  router.all('/calls/*rest', whenAway, async (http) => {
    await authenticate(api, http, keyLimits.records)
    throw new CallgateError('not_found')
  })
}

function whenAway(http: Http, next: () => Promise<unknown>): Promise<unknown> {
  return orUnavailable(http.method === 'DELETE' ? 'cancel' : 'read', next)
}
