import { Type } from 'typebox'
import type { Static } from 'typebox'
import { parseQuery } from '../../connectors/runtime/query.ts'
import { callStatuses } from '../../schemas/call.ts'
import type { CallStatus } from '../../schemas/call.ts'
import type { Api } from '../../core/http/api.ts'
import { argumentReader } from './argument-reader.ts'
import { invalidInput } from '../../core/calls/invalid-input.ts'
import { checkMetadata } from '../../core/calls/metadata.ts'
import type { Metadata } from '../../core/calls/metadata.ts'
import { refuseInexact } from '../../core/http/json.ts'
import { noCursor, openCursor } from './list-cursor.ts'
import { readQuery } from './query.ts'
import { queriedWaitMs } from '../../core/http/wait.ts'

export interface CallsFilter {
  readonly status: CallStatus | undefined
  readonly app: string | undefined
  readonly limit: number
  /** Metadata that a call must have. */
  readonly metadata: Metadata | undefined
  /** The page starts below this call id. */
  readonly before: string | undefined
}

/** Filters of a list of calls: the query of GET /calls, and the arguments of list_calls. */
export const callsQuery = Type.Object(
  {
    status: Type.Optional(Type.Enum([...callStatuses], { type: 'string' })),
    app: Type.Optional(Type.String({ minLength: 1 })),
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 25 }),
    cursor: Type.Optional(Type.String({ minLength: 1, description: 'next_cursor of the page before.' })),
  },
  { additionalProperties: false },
)

const checked = argumentReader(callsQuery)

/** The query of GET /calls. Throws invalid_input. */
export function readCallsQuery(api: Api, owner: string, querystring: string): CallsFilter {
  const params = new URLSearchParams(querystring)
  const metadata = takeMetadata(params)
  const parsed = parseQuery(callsQuery, params)
  if (!parsed.ok) throw invalidInput(parsed.details)
  refuseInexact(parsed.inexact)
  return callsFilter(api, owner, { ...checked(parsed.value), metadata })
}

/** Takes `metadata.{name}` out of a query. Throws invalid_input. */
function takeMetadata(params: URLSearchParams): Metadata | undefined {
  const names = [...new Set(params.keys())].filter((name) => name.startsWith(prefix))
  const twice = names.find((name) => params.getAll(name).length > 1)
  if (twice !== undefined) throw invalidInput([{ path: twice, message: 'is given more than once' }])
  const given = Object.fromEntries(names.map((name) => [name.slice(prefix.length), params.get(name)]))
  for (const name of names) params.delete(name)
  return checkMetadata(given, 'metadata')
}

const prefix = 'metadata.'

/** Throws invalid_input for an unknown app or an invalid cursor. */
export function callsFilter(
  { ctx }: Api,
  owner: string,
  { status, app, limit, cursor, metadata }: Static<typeof callsQuery> & { readonly metadata?: Metadata | undefined },
): CallsFilter {
  // Calls of an app that is off still exist.
  const known = app === undefined || ctx.apps.get(app) !== undefined || ctx.apps.broken.has(app)
  const before = cursor === undefined ? undefined : openCursor(ctx, { list: 'calls', owner }, cursor)
  const details = [
    ...(known ? [] : [{ path: 'app', message: `must be one of ${ctx.apps.all.map(({ slug }) => slug).join(', ')}` }]),
    ...(cursor === undefined || before !== undefined ? [] : [{ path: 'cursor', message: noCursor }]),
  ]
  if (details.length > 0) throw invalidInput(details)
  return { status, app, limit, metadata, before }
}

/** The query of GET /calls/{call_id}: how long to wait for the call's end (ms). */
export function readWaitQuery(querystring: string): number {
  const query = readQuery(querystring, ['wait'])
  const wait = query.values['wait']
  const ms = wait === undefined ? 0 : queriedWaitMs(wait)
  if (ms === undefined) query.refuse('wait', 'must be a whole number of seconds, at most 50')
  query.check()
  return ms ?? 0
}
