import proto from '@temporalio/proto'
import { tsToMs } from '@temporalio/common/lib/time.js'
import type { Context } from '../context.ts'
import { errorName } from '../error-labels.ts'
import { within } from './deadline.ts'
import { appQueue } from './task-queues.ts'

const { TaskQueueType } = proto.temporal.api.enums.v1
/** A poll lasts up to a minute: a worker silent for longer is gone. In ms. */
const silence = 70_000

/** Backlog of a task queue: tasks not handed to a worker yet. */
export interface QueueState {
  readonly waiting: number
  /** Worker processes that poll it. */
  readonly workers: number
}

/** The apps' queues; an app that Temporal does not report in time is left out. */
export async function queueStates(ctx: Context, slugs: readonly string[]): Promise<ReadonlyMap<string, QueueState>> {
  if (!ctx.engine.up) return new Map()
  const found = await Promise.all(slugs.map(async (slug) => [slug, await queueState(ctx, slug)] as const))
  return new Map(found.flatMap(([slug, state]) => (state === undefined ? [] : [[slug, state] as const])))
}

/** Backlog of the workflow queue; undefined: Temporal does not report it. */
export async function workflowBacklog(ctx: Asking, queue: string): Promise<number | undefined> {
  return (await described(ctx, queue, TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW))?.waiting
}

async function queueState(ctx: Context, slug: string): Promise<QueueState | undefined> {
  return described(ctx, appQueue(slug), TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY)
}

type Asking = Pick<Context, 'config' | 'temporal' | 'log'>

async function described(
  ctx: Asking,
  queue: string,
  type: proto.temporal.api.enums.v1.TaskQueueType,
): Promise<QueueState | undefined> {
  try {
    const { stats, pollers } = await within(ctx, 2_000, () =>
      ctx.temporal.workflowService.describeTaskQueue({
        namespace: ctx.config.temporalNamespace,
        taskQueue: { name: queue },
        taskQueueType: type,
        reportStats: true,
      }),
    )
    const heard = pollers.filter(({ lastAccessTime }) => tsToMs(lastAccessTime) > Date.now() - silence)
    return {
      waiting: Number(stats?.approximateBacklogCount?.toString() ?? 0),
      workers: new Set(heard.map(({ identity }) => identity)).size,
    }
  } catch (error) {
    ctx.log.warn({ queue, reason: errorName(error) }, 'the engine did not describe a queue')
    return undefined
  }
}
