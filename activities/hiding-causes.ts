import { ApplicationFailure } from '@temporalio/activity'
import type { Context } from '../core/context.ts'
import { logUnopened } from '../core/security-log.ts'
import { internalFailure } from '../core/temporal/failures.ts'

/** Our errors may quote statements or payloads: log them here, put only a code in the history. */
export function hidingCauses<T extends Record<string, (...args: never[]) => Promise<unknown>>>(
  ctx: Context,
  activities: T,
): T {
  const wrapped = Object.entries(activities).map(([name, run]) => [
    name,
    async (...args: never[]) => {
      try {
        return await run(...args)
      } catch (error) {
        if (error instanceof ApplicationFailure) throw error
        logUnopened(ctx, { activity: name }, error, 'an activity failed')
        throw internalFailure()
      }
    },
  ])
  return Object.fromEntries(wrapped) as T
}
