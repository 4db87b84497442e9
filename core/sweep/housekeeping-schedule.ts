import { ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client'
import type { Context } from '../context.ts'
import { callQueue } from '../temporal/task-queues.ts'

/** Creates the daily housekeeping schedule, unless another process already did. */
export async function scheduleHousekeeping(ctx: Context): Promise<void> {
  try {
    await ctx.temporal.schedule.create({
      scheduleId: 'callgate-housekeeping',
      spec: { calendars: [{ hour: 3, minute: 17 }], jitter: '10m' },
      policies: { overlap: ScheduleOverlapPolicy.SKIP },
      action: {
        type: 'startWorkflow',
        workflowType: 'housekeeping',
        taskQueue: callQueue,
        args: [],
        staticSummary: 'what Callgate does once a day',
      },
    })
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error
  }
}
