import { proxyActivities } from '@temporalio/workflow'
import type { CheckActivities } from '../activities/send-worker.ts'
import type { WatchArgs } from '../core/watch/start.ts'

/** The look of a day whether an app still answers as before, after whatever else is to be asked there. Its row in Postgres says what was found. */
export async function watch({ look, taskQueue, pacingKey }: WatchArgs): Promise<void> {
  const activities = proxyActivities<CheckActivities>({
    taskQueue,
    scheduleToCloseTimeout: '6h',
    startToCloseTimeout: '50s',
    allowEagerDispatch: false,
    retry: { maximumAttempts: 2 },
    priority: { priorityKey: 5, fairnessKey: pacingKey },
  })
  await activities.watch(look)
}
