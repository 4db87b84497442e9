import { checkJson } from '../../core/http/json.ts'
import type { Endpoint, ParsedInput } from '../../connectors/registry.ts'
import type { Context } from '../../core/context.ts'
import { derivedKey } from '../../core/secrets/crypto.ts'
import { CallgateError } from '../../schemas/errors.ts'

/** The input as validated by the endpoint, or the validation errors. */
export function parsedInput(ctx: Pick<Context, 'secrets'>, endpoint: Endpoint, value: unknown): ParsedInput {
  try {
    checkJson(value)
  } catch (error) {
    if (!(error instanceof CallgateError)) throw error
    return { ok: false, details: [{ path: '', message: error.message }] }
  }
  return endpoint.parseInput(value, { cursorKey: derivedKey(ctx.secrets, 'cursor') })
}
