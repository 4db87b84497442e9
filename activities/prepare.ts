import { Context as Activity } from '@temporalio/activity'
import { prepareCall } from '../core/approvals/prepare.ts'
import type { Context } from '../core/context.ts'
import { assertOwnRun, notOwnRun } from '../core/temporal/own-run.ts'
import { appQueue } from '../core/temporal/task-queues.ts'
import { appOfCall } from '../core/calls/sending-rows.ts'
import { hidingCauses } from './hiding-causes.ts'

/** Runs on the app's queue: only workers talk to apps, and each step counts as a paced send. */
export function prepareActivities(ctx: Context) {
  return hidingCauses(ctx, {
    /** One step of preparing an approval request. The row says whether another is due. */
    async prepare(callId: string): Promise<void> {
      assertOwnRun(ctx, 'call', callId)
      const activity = Activity.current()
      const beat = setInterval(() => activity.heartbeat(), 1_000)
      try {
        const app = await appOfCall(ctx.db, callId)
        if (app === undefined || activity.info.taskQueue !== appQueue(app)) throw notOwnRun(ctx)
        await prepareCall(ctx, callId)
      } finally {
        clearInterval(beat)
      }
    },
  })
}

export type PrepareActivities = ReturnType<typeof prepareActivities>
