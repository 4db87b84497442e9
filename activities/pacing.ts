import proto from '@temporalio/proto'
import type { Context } from './context.ts'
import { appQueue } from './plan.ts'

const { TaskQueueType } = proto.temporal.api.enums.v1

/** Puts the app's rates on its queue: sends a second for the whole app and for each account. A paused app has a rate of 0. */
export async function applyPacing(ctx: Context, slug: string): Promise<void> {
  const app = ctx.apps.get(slug)
  if (app === undefined) throw new Error(`no app ${slug}`)
  const { rows } = await ctx.db.query<{ paused: boolean; app_rate: number | null; account_rate: number | null }>(
    'SELECT paused, app_rate, account_rate FROM app_controls WHERE app = $1',
    [slug],
  )
  const controls = rows[0]
  const reason = controls?.paused === true ? 'paused by an operator' : 'pacing of the connector or of an operator'
  await ctx.temporal.workflowService.updateTaskQueueConfig({
    namespace: ctx.config.temporalNamespace,
    identity: 'callgate',
    taskQueue: appQueue(slug),
    taskQueueType: TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY,
    updateQueueRateLimit: {
      rateLimit: { requestsPerSecond: controls?.paused === true ? 0 : (controls?.app_rate ?? app.pacing.perApp) },
      reason,
    },
    // 0 here would mean unlimited: an account's rate never is 0.
    updateFairnessKeyRateLimitDefault: {
      rateLimit: { requestsPerSecond: controls?.account_rate ?? app.pacing.perAccount },
      reason,
    },
  })
}
