import { Context as Activity } from '@temporalio/activity'
import type { Context } from '../core/context.ts'
import { pacingKey } from '../core/secrets/crypto.ts'
import { noteDone } from '../core/sweep/chores.ts'
import { purge } from '../core/sweep/purge.ts'
import { tryAgainIn } from '../core/temporal/failures.ts'
import { appQueue } from '../core/temporal/task-queues.ts'

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

    /**
     * The next accounts, by id, whose sessions were working when they were last used. Those of an app that is off, or that an operator has
     * paused, are left out: each would be waited for until its time is over, and the next day's housekeeping with it.
     */
    async accountsToCheck(after: string): Promise<readonly AccountToCheck[]> {
      const { rows } = await ctx.db.query<{ id: string; app: string }>(
        `SELECT id, app FROM accounts a WHERE state = 'connected' AND id > $1 AND app <> ALL($2)
           AND NOT EXISTS (SELECT FROM app_controls c WHERE c.app = a.app AND c.paused) ORDER BY id LIMIT 50`,
        [after, [...ctx.apps.broken.keys()]],
      )
      if (rows.length === 0) await noteDone(ctx.db, 'session_checks')
      return rows.map(({ id, app }) => ({ id, taskQueue: appQueue(app), pacingKey: pacingKey(id) }))
    },
  }
}

export type HousekeepingActivities = ReturnType<typeof housekeepingActivities>
