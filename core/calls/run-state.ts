import { WorkflowNotFoundError } from '@temporalio/client'
import type { temporal } from '@temporalio/proto'
import type { CallArgs } from '../../schemas/call.ts'
import type { Context } from '../context.ts'
import { callQueue } from '../temporal/task-queues.ts'
import { errorName } from '../error-labels.ts'
import { within } from '../temporal/deadline.ts'
import { values } from './history.ts'
import { callArgs } from './workflow-args.ts'

/** A workflow task that failed so often will not succeed: what is in the history is not what the workflow does. */
const mostFailures = 10
const endings: ReadonlySet<string> = new Set([
  ...['COMPLETED', 'FAILED', 'CANCELLED', 'TERMINATED', 'CONTINUED_AS_NEW', 'TIMED_OUT'],
])

type Described = temporal.api.workflowservice.v1.IDescribeWorkflowExecutionResponse
type ArgsRow = Parameters<typeof callArgs>[0]

/**
 * What the engine has of a call: its run, one that has ended, none, or (strange) a run under its id that Callgate did not start so, as another
 * workflow, on another queue or with other arguments, or that was made to go on no more. Away: it does not say now.
 */
export async function runState(
  ctx: Context,
  row: ArgsRow,
): Promise<'running' | 'ended' | 'missing' | 'strange' | 'away'> {
  try {
    const run = await within(ctx, 5_000, () => ctx.temporal.workflow.getHandle(row.id).describe())
    const { name } = run.status
    if (endings.has(name)) return 'ended'
    const own = name === 'RUNNING' && run.type === 'call' && run.taskQueue === callQueue && !isHampered(run.raw)
    return own && areArgsOf(row, await argsOfRun(ctx, run)) ? 'running' : 'strange'
  } catch (error) {
    return error instanceof WorkflowNotFoundError ? 'missing' : 'away'
  }
}

/** Ends a run that is not a call's own, or not any more, so that one can be started. False: not now. */
export async function endStrange(ctx: Context, callId: string): Promise<boolean> {
  ctx.log.error({ call: callId }, 'a run of this id is not as Callgate started it; it is ended')
  try {
    await within(ctx, 5_000, () => ctx.temporal.workflow.getHandle(callId).terminate('not as Callgate started it'))
    return true
  } catch (error) {
    ctx.log.warn({ call: callId, reason: errorName(error) }, 'a strange run could not be ended')
    return error instanceof WorkflowNotFoundError
  }
}

/** Callgate pauses no run and no activity of one, nor pins it to a version: an operator pauses apps and endpoints. */
function isHampered({ pendingWorkflowTask, pendingActivities, workflowExecutionInfo }: Described): boolean {
  if ((pendingWorkflowTask?.attempt ?? 0) >= mostFailures) return true
  return (
    pendingActivities?.some(({ paused }) => paused === true) === true ||
    workflowExecutionInfo?.versioningInfo?.versioningOverride != null
  )
}

/** What it was started with: the first event of its history. */
async function argsOfRun(ctx: Context, run: { readonly workflowId: string; readonly runId: string }): Promise<unknown> {
  const { history } = await within(ctx, 5_000, () =>
    ctx.temporal.workflowService.getWorkflowExecutionHistory({
      namespace: ctx.config.temporalNamespace,
      execution: { workflowId: run.workflowId, runId: run.runId },
      maximumPageSize: 1,
    }),
  )
  return values(history?.events?.[0]?.workflowExecutionStartedEventAttributes?.input)[0]
}

/** The attempt says little: the row has the one that counts. When it was decided before it began, its time to decide was over at once. */
function areArgsOf(row: ArgsRow, given: unknown): boolean {
  if (typeof given !== 'object' || given === null) return false
  const args = given as Partial<Record<keyof CallArgs, unknown>>
  const wanted = callArgs({ ...row, decided_at: null })
  return (Object.keys(wanted) as (keyof CallArgs)[]).every(
    (field) =>
      field === 'attempt' ||
      // Each round has an end of its own, which the row knows.
      (field === 'expiresAt' && row.round > 1) ||
      args[field] === wanted[field] ||
      (field === 'expiresAt' && args[field] === wanted.acceptedAt),
  )
}
