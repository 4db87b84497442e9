import { checkJson } from '../../api/http/json.ts'
import type { Endpoint, ParsedInput } from '../../connectors/registry.ts'
import type { Context } from '../../core/context.ts'
import { derivedKey } from '../../core/secrets/crypto.ts'
import { CallgateError } from '../../schemas/errors.ts'

/** An input as the endpoint takes it, or in its own words what it does not take. */
export function parsedInput(ctx: Pick<Context, 'secrets'>, endpoint: Endpoint, value: unknown): ParsedInput {
  try {
    checkJson(value)
  } catch (error) {
    if (!(error instanceof CallgateError)) throw error
    return { ok: false, details: [{ path: '', message: error.message }] }
  }
  return endpoint.parseInput(value, { cursorKey: derivedKey(ctx.secrets, 'cursor') })
}
