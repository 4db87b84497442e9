import { ApplicationFailure, Context as Activity } from '@temporalio/activity'
import type { SendJob } from '../../schemas/call.ts'
import type { Context } from '../context.ts'

/**
 * Whoever reaches the engine can have each activity run, by any workflow, on any queue, with any arguments. So each asks first whether it
 * was asked by the workflow of its subject (a call and its run have one id, a notice and its run too); all else it takes from rows.
 * Throws, for good, when it was not.
 */
export function assertOwnRun(ctx: Pick<Context, 'log'>, workflow: string, id: unknown): asserts id is string {
  const { workflowExecution, workflowType } = Activity.current().info
  if (typeof id !== 'string' || workflowExecution?.workflowId !== id || workflowType !== workflow) throw notOwnRun(ctx)
}

/** The same of one try of a call, which comes with its number. */
export function assertOwnTry(ctx: Pick<Context, 'log'>, job: unknown): asserts job is SendJob {
  const { callId, attempt } = (typeof job === 'object' && job !== null ? job : {}) as Partial<SendJob>
  assertOwnRun(ctx, 'call', callId)
  if (!Number.isSafeInteger(attempt)) throw notOwnRun(ctx)
}

/** The failure of an activity that somebody else asked for. */
export function notOwnRun(ctx: Pick<Context, 'log'>): ApplicationFailure {
  const { workflowExecution, workflowType, activityType, taskQueue } = Activity.current().info
  const by = { run: workflowExecution?.workflowId, workflow: workflowType, queue: taskQueue }
  ctx.log.warn({ activity: activityType, ...by }, 'an activity was not asked for by its own run; refused')
  return ApplicationFailure.nonRetryable('not asked for by its own run', 'stranger')
}
