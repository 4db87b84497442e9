import type { IncomingMessage } from 'node:http'
import getRawBody from 'raw-body'
import type { TObject } from 'typebox'
import { Compile } from 'typebox/compile'
import { CallgateError } from '../schemas/errors.ts'
import { invalidInput } from './call-request.ts'
import { parseObject } from './json.ts'

/** `true` or `false`; false when it is not there. */
export function flagOf(query: URLSearchParams, name: string): boolean {
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

/** A JSON body of that shape; throws what is wrong with it. */
export async function readBody(request: IncomingMessage, schema: TObject): Promise<Readonly<Record<string, unknown>>> {
  const value = parseObject(
    await getRawBody(request, { limit: 16_384 }).catch((error: unknown) => {
      throw new CallgateError('payload_too_large', { cause: error })
    }),
  )
  const validator = Compile(schema)
  if (!validator.Check(value))
    throw invalidInput(
      validator.Errors(value).map(({ instancePath, message }) => ({ path: instancePath.slice(1), message })),
    )
  return value
}
