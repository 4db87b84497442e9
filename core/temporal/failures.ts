import { ApplicationFailure } from '@temporalio/activity'

// Failures of activities. Temporal's history stores their messages: never quote data.

/** Another run holds or held the send lease, or it is gone: the workflow rereads the row. */
export function lostRight(): ApplicationFailure {
  return ApplicationFailure.nonRetryable('another run has the right to send', 'lost_right')
}

export function unknownCall(): ApplicationFailure {
  return ApplicationFailure.nonRetryable('no such call', 'unknown_call')
}

/** Retry in `ms`. Waiting in retries adds nothing to a run's history. */
export function tryAgainIn(ms: number, code: string): ApplicationFailure {
  return ApplicationFailure.create({ message: code, type: code, nextRetryDelay: ms })
}

/** An internal error; its cause is in the process's log. */
export function internalFailure(): ApplicationFailure {
  return ApplicationFailure.retryable('internal', 'internal')
}
