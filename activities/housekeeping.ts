import { Context as Activity } from '@temporalio/activity'
import type { Context } from '../core/context.ts'
import { noteDone } from '../core/sweep/chores.ts'
import { purge } from '../core/sweep/purge.ts'
import { tryAgainIn } from '../core/temporal/failures.ts'

/** An account whose session is to be looked at, and where. */
export interface AccountToCheck {
  readonly id: string
  readonly taskQueue: string
  readonly pacingKey: string
}

/** Activities of the daily housekeeping, on the "callgate" queue. */
export function housekeepingActivities(ctx: Context) {
  return {
    /**
     * Deletes what old final calls said and answered. Returns how many calls were emptied. A try that dies or takes too long is followed by
     * one that finds only what is left; this one ends when the engine waits for it no more, or its process is to stop.
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

    /** None: sessions are looked at by app, core/accounts/session-checks.ts. Runs of the release before still ask. */
    accountsToCheck: (_after: string): Promise<readonly AccountToCheck[]> => Promise.resolve([]),
  }
}

export type HousekeepingActivities = ReturnType<typeof housekeepingActivities>
