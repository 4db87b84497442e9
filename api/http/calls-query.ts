import { Type } from 'typebox'
import type { Static } from 'typebox'
import { parseQuery } from '../../connectors/runtime/query.ts'
import { callStatuses } from '../../schemas/call.ts'
import type { CallStatus } from '../../schemas/call.ts'
import type { Api } from './api.ts'
import { argumentReader } from './argument-reader.ts'
import { invalidInput } from '../../core/calls/invalid-input.ts'
import { noCursor, openCursor } from './list-cursor.ts'
import { readQuery } from './query.ts'
import { queriedWaitMs } from './wait.ts'

export interface CallsFilter {
  readonly status: CallStatus | undefined
  readonly app: string | undefined
  readonly limit: number
  /** The call id that the page begins below. */
  readonly before: string | undefined
}

/** What a list of calls can be asked for: the query of GET /calls, and the arguments of list_calls. */
export const callsQuery = Type.Object(
  {
    status: Type.Optional(Type.Enum([...callStatuses])),
    app: Type.Optional(Type.String()),
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 25 }),
    cursor: Type.Optional(Type.String({ description: 'next_cursor of the page before.' })),
  },
  { additionalProperties: false },
)

const checked = argumentReader(callsQuery)

/** The query of GET /calls. Throws invalid_input. */
export function readCallsQuery(api: Api, owner: string, querystring: string): CallsFilter {
  const parsed = parseQuery(callsQuery, new URLSearchParams(querystring))
  if (!parsed.ok) throw invalidInput(parsed.details)
  return callsFilter(api, owner, checked(parsed.value))
}

/** Throws invalid_input where an app or a cursor is none. */
export function callsFilter(
  { ctx }: Api,
  owner: string,
  { status, app, limit, cursor }: Static<typeof callsQuery>,
): CallsFilter {
  // Calls of an app that is off are still there.
  const known = app === undefined || ctx.apps.get(app) !== undefined || ctx.apps.broken.has(app)
  const before = cursor === undefined ? undefined : openCursor(ctx, { list: 'calls', owner }, cursor)
  const details = [
    ...(known ? [] : [{ path: 'app', message: `must be one of ${ctx.apps.all.map(({ slug }) => slug).join(', ')}` }]),
    ...(cursor === undefined || before !== undefined ? [] : [{ path: 'cursor', message: noCursor }]),
  ]
  if (details.length > 0) throw invalidInput(details)
  return { status, app, limit, before }
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
