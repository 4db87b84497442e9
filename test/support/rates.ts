import proto from '@temporalio/proto'
import type { Context } from '../../core/context.ts'

const { TaskQueueType } = proto.temporal.api.enums.v1
const usualQueue = 'app.property-advertising'

/** Sends a second, as the engine has them for the app's queue; undefined = unlimited. */
export async function queueRates(
  { temporal }: Pick<Context, 'temporal'>,
  taskQueue = usualQueue,
): Promise<{ perApp: number | undefined; perAccount: number | undefined }> {
  const { config } = await temporal.workflowService.describeTaskQueue({
    namespace: temporal.options.namespace,
    taskQueue: { name: taskQueue },
    taskQueueType: TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY,
    reportConfig: true,
  })
  const { queueRateLimit: app, fairnessKeysRateLimitDefault: account } = config ?? {}
  return {
    perApp: app?.rateLimit?.requestsPerSecond ?? undefined,
    perAccount: account?.rateLimit?.requestsPerSecond ?? undefined,
  }
}

/** Takes the rates away, as somebody with the engine's own tools could; or puts others in their place. */
export async function forgetRates(
  { temporal }: Pick<Context, 'temporal'>,
  queueRate?: number,
  taskQueue = usualQueue,
): Promise<void> {
  await temporal.workflowService.updateTaskQueueConfig({
    namespace: temporal.options.namespace,
    identity: 'a test',
    taskQueue,
    taskQueueType: TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY,
    updateQueueRateLimit: {
      reason: 'taken away',
      ...(queueRate !== undefined && { rateLimit: { requestsPerSecond: queueRate } }),
    },
    updateFairnessKeyRateLimitDefault: { reason: 'taken away' },
  })
}
