import { proxyActivities } from '@temporalio/workflow'
import type { CheckActivities } from '../activities/send-worker.ts'
import type { LookArgs } from '../core/calls/look.ts'

/** One look in an app whether a call happened, after what is to be sent there. Its row in Postgres says what was found. */
export async function look({ callId, taskQueue, pacingKey }: LookArgs): Promise<void> {
  const activities = proxyActivities<CheckActivities>({
    taskQueue,
    scheduleToCloseTimeout: '2m',
    startToCloseTimeout: '50s',
    allowEagerDispatch: false,
    retry: { maximumAttempts: 2 },
    priority: { priorityKey: 5, fairnessKey: pacingKey },
  })
  await activities.look(callId)
}
