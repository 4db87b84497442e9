import { ApplicationFailure } from '@temporalio/activity'

// Failures of activities. Their texts stand in the engine's history: they quote nothing.

/** Another run of this call has, or had, the right to send, or it has none any more: the workflow looks at the row and decides. */
export function lostRight(): ApplicationFailure {
  return ApplicationFailure.nonRetryable('another run has the right to send', 'lost_right')
}

export function unknownCall(): ApplicationFailure {
  return ApplicationFailure.nonRetryable('no such call', 'unknown_call')
}

/** To be tried again in `ms`. Waiting in retries leaves nothing in a run's history, however long it takes. */
export function tryAgainIn(ms: number, code: string): ApplicationFailure {
  return ApplicationFailure.create({ message: code, type: code, nextRetryDelay: ms })
}

/** A fault of ours, whose cause is in the log of its process. */
export function internalFailure(): ApplicationFailure {
  return ApplicationFailure.retryable('internal', 'internal')
}
