import { proxyActivities } from '@temporalio/workflow'
import type { CheckActivities } from '../activities/send-worker.ts'
import type { LookArgs } from '../core/calls/look.ts'

/** Verifies in the app whether a call happened, after all sends. Its row has the result. */
export async function look({ callId, taskQueue, pacingKey }: LookArgs): Promise<void> {
  const activities = proxyActivities<CheckActivities>({
    taskQueue,
    scheduleToCloseTimeout: '2m',
    startToCloseTimeout: '50s',
    allowEagerDispatch: false,
    summary: `did ${callId} happen?`,
    retry: { maximumAttempts: 2 },
    priority: { priorityKey: 5, fairnessKey: pacingKey },
  })
  await activities.look(callId)
}
