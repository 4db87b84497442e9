import proto from '@temporalio/proto'
import { tsToMs } from '@temporalio/common/lib/time.js'
import type { Context } from '../context.ts'
import { errorName } from '../error-labels.ts'
import { within } from './deadline.ts'
import { appQueue } from './task-queues.ts'

const { TaskQueueType } = proto.temporal.api.enums.v1
/** A worker's poll lasts up to a minute: one that was not heard of for longer is gone. In ms. */
const silence = 70_000

/** The sends of an app that its workers have not been handed yet. */
export interface QueueState {
  readonly waiting: number
  /** Worker processes that ask for them. */
  readonly workers: number
}

/** The queues of these apps, as the engine has them; an app of which it says nothing in time is left out. */
export async function queueStates(ctx: Context, slugs: readonly string[]): Promise<ReadonlyMap<string, QueueState>> {
  if (!ctx.engine.up) return new Map()
  const found = await Promise.all(slugs.map(async (slug) => [slug, await queueState(ctx, slug)] as const))
  return new Map(found.flatMap(([slug, state]) => (state === undefined ? [] : [[slug, state] as const])))
}

async function queueState(ctx: Context, slug: string): Promise<QueueState | undefined> {
  try {
    const { stats, pollers } = await within(ctx, 2_000, () =>
      ctx.temporal.workflowService.describeTaskQueue({
        namespace: ctx.config.temporalNamespace,
        taskQueue: { name: appQueue(slug) },
        taskQueueType: TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY,
        reportStats: true,
      }),
    )
    const heard = pollers.filter(({ lastAccessTime }) => tsToMs(lastAccessTime) > Date.now() - silence)
    return {
      waiting: Number(stats?.approximateBacklogCount?.toString() ?? 0),
      workers: new Set(heard.map(({ identity }) => identity)).size,
    }
  } catch (error) {
    ctx.log.warn({ app: slug, reason: errorName(error) }, 'the engine did not describe a queue')
    return undefined
  }
}
