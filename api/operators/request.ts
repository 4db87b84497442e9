import type { IncomingMessage } from 'node:http'
import getRawBody from 'raw-body'
import type { Static, TObject } from 'typebox'
import type { CallFilter } from '../../core/operators/rows.ts'
import { callStatuses } from '../../schemas/call.ts'
import { CallgateError } from '../../schemas/errors.ts'
import { argumentReader } from '../http/argument-reader.ts'
import { invalidInput } from '../http/call-request.ts'
import { parseObject } from '../http/json.ts'

/** `true` or `false`; false when it is not there. */
function flagOf(query: URLSearchParams, name: string): boolean {
  const value = query.get(name) ?? 'false'
  if (value !== 'true' && value !== 'false') throw invalidInput([{ path: name, message: 'must be true or false' }])
  return value === 'true'
}

/** How many are wanted: 50 by default, 500 at most. */
export function limitOf(query: URLSearchParams): number {
  const limit = Number(query.get('limit') ?? 50)
  if (!Number.isInteger(limit) || limit < 1 || limit > 500)
    throw invalidInput([{ path: 'limit', message: 'must be a whole number from 1 to 500' }])
  return limit
}

/** Which calls are wanted; throws what is wrong with it. */
export function callFilterOf(query: URLSearchParams): CallFilter {
  const names = ['call_id', 'owner', 'app', 'status', 'waiting_for', 'stuck', 'unresolved', 'before', 'limit']
  const unknown = [...query.keys()].filter((name) => !names.includes(name))
  if (unknown.length > 0)
    throw invalidInput(unknown.map((path) => ({ path, message: `is none of ${names.join(', ')}` })))
  const status = query.get('status') ?? undefined
  if (status !== undefined && !callStatuses.some((known) => known === status))
    throw invalidInput([{ path: 'status', message: `must be one of ${callStatuses.join(', ')}` }])
  return {
    call_id: query.get('call_id') ?? undefined,
    owner: query.get('owner') ?? undefined,
    app: query.get('app') ?? undefined,
    status,
    waiting_for: query.get('waiting_for') ?? undefined,
    stuck: flagOf(query, 'stuck'),
    unresolved: flagOf(query, 'unresolved'),
    before: query.get('before') ?? undefined,
    limit: limitOf(query),
  }
}

/** Reads a JSON body of that shape; throws what is wrong with it. */
export function bodyReader<T extends TObject>(schema: T): (request: IncomingMessage) => Promise<Static<T>> {
  const checked = argumentReader(schema)
  return async (request) => checked(parseObject(await readBytes(request)))
}

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  try {
    return await getRawBody(request, { limit: 16_384 })
  } catch (error) {
    throw new CallgateError('payload_too_large', { cause: error })
  }
}
