import { Context as Activity } from '@temporalio/activity'
import type { Context } from '../core/context.ts'
import { noteDone } from '../core/sweep/chores.ts'
import { purge } from '../core/sweep/purge.ts'
import { tryAgainIn } from '../core/temporal/failures.ts'

/** An account whose session is due for a check, and the queue to run it on. */
export interface AccountToCheck {
  readonly id: string
  readonly taskQueue: string
  readonly pacingKey: string
}

/** Activities of the daily housekeeping, on the "callgate" queue. */
export function housekeepingActivities(ctx: Context) {
  return {
    /**
     * Deletes inputs and outputs of old final calls. Returns the number of calls emptied. A retry
     * finds only what is left. Stops when Temporal cancels it or its process is stopping.
     */
    async purgePayloads(): Promise<number> {
      const activity = Activity.current()
      const emptied = await purge(ctx, () => {
        activity.heartbeat()
        if (activity.cancellationSignal.aborted) throw tryAgainIn(1_000, 'stopping')
      })
      await noteDone(ctx.db, 'purge')
      return emptied
    },

    /** Empty: core/accounts/session-checks.ts does it. The previous release's runs still ask. */
    accountsToCheck: (_after: string): Promise<readonly AccountToCheck[]> => Promise.resolve([]),
  }
}

export type HousekeepingActivities = ReturnType<typeof housekeepingActivities>
