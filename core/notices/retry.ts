import { ApplicationFailure } from '@temporalio/activity'

/** Lets the engine try again in `ms`. */
export function nextTry(ms: number): ApplicationFailure {
  return ApplicationFailure.create({ message: 'not_delivered', type: 'not_delivered', nextRetryDelay: ms })
}
