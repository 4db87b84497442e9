import type Router from '@koa/router'
import { findCall, listCalls } from '../activities/db/calls.ts'
import type { CallRow } from '../activities/db/calls.ts'
import type { ApiKey } from '../activities/db/keys.ts'
import { cancelCall } from '../activities/decide.ts'
import { callRecord } from '../activities/record.ts'
import { isFinal } from '../schemas/call.ts'
import { CallgateError } from '../schemas/errors.ts'
import type { Api, Http } from './api.ts'
import { callerOf } from './caller.ts'
import { readCallsQuery, readWaitQuery } from './calls-query.ts'
import { describedBy } from './headers.ts'
import { limitRecords } from './limit.ts'
import { sealCursor } from './list-cursor.ts'
import { allowMethods } from './method.ts'
import { readNoQuery } from './query.ts'
import { waitForCall } from './wait.ts'

const callIds = /^call_[0-9A-HJKMNP-TV-Z]{26}$/

/** GET /calls, GET and DELETE /calls/{call_id}. */
export function callsRoutes(router: Router, api: Api): void {
  router.all('/calls', async (http) => {
    const key = await callerOf(api, http)
    await limitRecords(api, http, key)
    allowMethods(http, 'GET', 'HEAD')
    http.body = await listPage(api, key, http.querystring)
  })

  router.all('/calls/:id', async (http) => {
    const key = await callerOf(api, http)
    await limitRecords(api, http, key)
    allowMethods(http, 'GET', 'HEAD', 'DELETE')
    const id = http.params['id'] ?? ''
    const row = http.method === 'DELETE' ? await cancelled(api, http, key, id) : await waitedFor(api, http, key, id)
    describedBy(api, http, row.app)
    http.body = await callRecord(api.ctx, row)
  })

  router.all('/calls/*rest', async (http) => {
    await limitRecords(api, http, await callerOf(api, http))
    throw new CallgateError('not_found')
  })
}

async function listPage(api: Api, key: ApiKey, querystring: string): Promise<unknown> {
  const filter = readCallsQuery(api, key.owner, querystring)
  const rows = await listCalls(api.ctx.db, { ...filter, owner: key.owner, limit: filter.limit + 1 })
  const page = rows.slice(0, filter.limit)
  const last = rows.length > page.length ? page.at(-1) : undefined
  return {
    calls: await Promise.all(page.map((row) => callRecord(api.ctx, row))),
    next_cursor: last === undefined ? null : sealCursor(api, { list: 'calls', owner: key.owner }, last.id),
  }
}

/** Throws unknown_call: the same for what never was and what is somebody else's. */
async function ownCall(api: Api, key: ApiKey, id: string): Promise<CallRow> {
  const row = callIds.test(id) ? await findCall(api.ctx.db, key.owner, id) : undefined
  if (row === undefined) throw new CallgateError('unknown_call')
  return row
}

async function cancelled(api: Api, http: Http, key: ApiKey, id: string): Promise<CallRow> {
  readNoQuery(http.querystring)
  await ownCall(api, key, id)
  await cancelCall(api.ctx, key.owner, id)
  return ownCall(api, key, id)
}

async function waitedFor(api: Api, http: Http, key: ApiKey, id: string): Promise<CallRow> {
  const waitMs = readWaitQuery(http.querystring)
  const row = await ownCall(api, key, id)
  if (waitMs === 0 || isFinal(row.status)) return row
  return waitForCall(api, id, waitMs, () => ownCall(api, key, id))
}
