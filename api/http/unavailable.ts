import { isConnectionError } from '../../core/database/failures.ts'
import { CallgateError } from '../../schemas/errors.ts'
import type { Message } from '../../schemas/errors.ts'

/** Before acceptance only: a call that was accepted never answers `unavailable`. `message`: where nothing could be accepted at all. */
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

/** Where nothing is accepted: what is said while the database is away must not sound as if a call that was accepted had not been. */
export async function orUnavailable<T>(what: keyof typeof messages, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw isConnectionError(error) ? unavailable(error, messages[what]) : error
  }
}
