import { proxyActivities } from '@temporalio/workflow'
import type { CheckActivities } from '../activities/send-worker.ts'
import type { WatchArgs } from '../core/watch/start.ts'

/** The daily canary read of an app, after everything else queued there. Its row has the result. */
export async function watch({ look, taskQueue, pacingKey }: WatchArgs): Promise<void> {
  const activities = proxyActivities<CheckActivities>({
    taskQueue,
    scheduleToCloseTimeout: '6h',
    startToCloseTimeout: '50s',
    allowEagerDispatch: false,
    summary: `canary read ${look}`,
    retry: { maximumAttempts: 2 },
    priority: { priorityKey: 5, fairnessKey: pacingKey },
  })
  await activities.watch(look)
}
