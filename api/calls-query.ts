import { derivedKey, open, seal } from '../activities/crypto.ts'
import type { Detail } from '../connectors/registry.ts'
import { callStatuses } from '../schemas/call.ts'
import type { CallStatus } from '../schemas/call.ts'
import type { Api } from './api.ts'
import { invalidInput } from './call-request.ts'
import { queriedWaitMs } from './wait.ts'

export interface CallsFilter {
  readonly status: CallStatus | undefined
  readonly app: string | undefined
  readonly limit: number
  /** The call id that the page begins below. */
  readonly before: string | undefined
}

const usualLimit = 25

/** The query of GET /calls. Throws invalid_input that names every field in the wrong. */
export function readCallsQuery(api: Api, owner: string, querystring: string): CallsFilter {
  const query = readQuery(querystring, ['status', 'app', 'limit', 'cursor'])
  const { status, app, limit, cursor } = query.values
  const known = callStatuses.find((name) => name === status)
  const before = cursor === undefined ? undefined : openCursor(api, owner, cursor)
  if (status !== undefined && known === undefined) query.refuse('status', `must be one of ${callStatuses.join(', ')}`)
  if (app !== undefined && api.ctx.apps.get(app) === undefined)
    query.refuse('app', `must be one of ${api.ctx.apps.all.map(({ slug }) => slug).join(', ')}`)
  if (limit !== undefined && !/^([1-9]\d?|100)$/.test(limit))
    query.refuse('limit', 'must be a whole number from 1 to 100')
  if (before === null) query.refuse('cursor', 'is not a next_cursor of an earlier answer')
  query.check()
  return { status: known, app, limit: Number(limit ?? usualLimit), before: before ?? undefined }
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

/** Nothing in the query is allowed. */
export function readNoQuery(querystring: string): void {
  readQuery(querystring, []).check()
}

/** Opaque, and good for its owner only. */
export function sealCursor(api: Api, owner: string, callId: string): string {
  return seal(derivedKey(api.ctx.secrets, 'calls-cursor'), owner, callId).toString('base64url')
}

function openCursor(api: Api, owner: string, cursor: string): string | null {
  try {
    return open(derivedKey(api.ctx.secrets, 'calls-cursor'), owner, Buffer.from(cursor, 'base64url')).toString()
  } catch {
    return null
  }
}

function readQuery(querystring: string, names: readonly string[]) {
  const params = new URLSearchParams(querystring)
  const details: Detail[] = []
  const values: Partial<Record<string, string>> = {}
  for (const name of new Set(params.keys())) {
    const [value, second] = params.getAll(name)
    if (!names.includes(name))
      details.push({ path: name, message: names.length === 0 ? 'is not known' : `is not one of ${names.join(', ')}` })
    else if (second !== undefined) details.push({ path: name, message: 'is given more than once' })
    else if (value !== undefined) values[name] = value
  }
  return {
    values,
    refuse: (path: string, message: string): void => void details.push({ path, message }),
    check(): void {
      if (details.length > 0) throw invalidInput(details)
    },
  }
}
