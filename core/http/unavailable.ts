import { isConnectionError } from '../database/failures.ts'
import { CallgateError } from '../../schemas/errors.ts'
import type { Message } from '../../schemas/errors.ts'

/** Only before acceptance, never for an accepted call. `message`: if no call could be accepted. */
export function unavailable(cause?: unknown, message?: Message): CallgateError {
  return new CallgateError('unavailable', {
    headers: { 'Retry-After': '5' },
    cause,
    ...(message !== undefined && { message }),
  })
}

const messages = {
  read: ({ retryAfter }) =>
    `Calls cannot be read right now; what was accepted goes on. Read again after ${retryAfter}.`,
  cancel: ({ retryAfter }) =>
    `Whether the call is cancelled cannot be told right now. Read it again after ${retryAfter}.`,
  message: ({ retryAfter }) =>
    `Callgate cannot take messages right now. This one did nothing, and what was accepted before goes on. Send it again after ${retryAfter}.`,
} as const satisfies Record<string, Message>

/** For routes that accept no calls: the error must not suggest that an accepted call was lost. */
export async function orUnavailable<T>(what: keyof typeof messages, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw isConnectionError(error) ? unavailable(error, messages[what]) : error
  }
}
