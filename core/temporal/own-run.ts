import { ApplicationFailure, Context as Activity } from '@temporalio/activity'
import type { SendJob } from '../../schemas/call.ts'
import type { Context } from '../context.ts'

/**
 * Anyone with access to Temporal can run any activity from any workflow, with any arguments. So
 * each activity first asserts that the workflow of its subject called it (a call or a notification
 * and its run share an id), and reads everything else from rows. Throws a non-retryable failure.
 */
export function assertOwnRun(ctx: Pick<Context, 'log'>, workflow: string, id: unknown): asserts id is string {
  const { workflowExecution, workflowType } = Activity.current().info
  if (typeof id !== 'string' || workflowExecution?.workflowId !== id || workflowType !== workflow) throw notOwnRun(ctx)
}

/** The same for one attempt of a call, whose number must be an integer. */
export function assertOwnTry(ctx: Pick<Context, 'log'>, job: unknown): asserts job is SendJob {
  const { callId, attempt } = (typeof job === 'object' && job !== null ? job : {}) as Partial<SendJob>
  assertOwnRun(ctx, 'call', callId)
  if (!Number.isSafeInteger(attempt)) throw notOwnRun(ctx)
}

/** Logs and returns the failure of an activity that another run called. */
export function notOwnRun(ctx: Pick<Context, 'log'>): ApplicationFailure {
  const { workflowExecution, workflowType, activityType, taskQueue } = Activity.current().info
  const by = { run: workflowExecution?.workflowId, workflow: workflowType, queue: taskQueue }
  ctx.log.warn({ activity: activityType, ...by }, 'an activity was not asked for by its own run; refused')
  return ApplicationFailure.nonRetryable('not asked for by its own run', 'stranger')
}
