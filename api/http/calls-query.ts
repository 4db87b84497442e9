import { callStatuses } from '../../schemas/call.ts'
import type { CallStatus } from '../../schemas/call.ts'
import type { Api } from './api.ts'
import { readCursor } from './list-cursor.ts'
import { readLimit, readQuery } from './query.ts'
import { queriedWaitMs } from './wait.ts'

export interface CallsFilter {
  readonly status: CallStatus | undefined
  readonly app: string | undefined
  readonly limit: number
  /** The call id that the page begins below. */
  readonly before: string | undefined
}

/** The query of GET /calls. Throws invalid_input that names every field in the wrong. */
export function readCallsQuery(api: Api, owner: string, querystring: string): CallsFilter {
  const query = readQuery(querystring, ['status', 'app', 'limit', 'cursor'])
  const { status, app } = query.values
  const known = callStatuses.find((name) => name === status)
  if (status !== undefined && known === undefined) query.refuse('status', `must be one of ${callStatuses.join(', ')}`)
  // Calls of an app that is off are still there.
  if (app !== undefined && api.ctx.apps.get(app) === undefined && !api.ctx.apps.broken.has(app))
    query.refuse('app', `must be one of ${api.ctx.apps.all.map(({ slug }) => slug).join(', ')}`)
  const limit = readLimit(query)
  const before = readCursor(api, { list: 'calls', owner }, query)
  query.check()
  return { status: known, app, limit, before }
}

/** The query of GET /calls/{call_id}: how long to wait for the call's end, in milliseconds. */
export function readWaitQuery(querystring: string): number {
  const query = readQuery(querystring, ['wait'])
  const wait = query.values['wait']
  const ms = wait === undefined ? 0 : queriedWaitMs(wait)
  if (ms === undefined) query.refuse('wait', 'must be a whole number of seconds, at most 50')
  query.check()
  return ms ?? 0
}
