import { WorkflowNotFoundError } from '@temporalio/client'
import type { temporal } from '@temporalio/proto'
import type { CallArgs } from '../../schemas/call.ts'
import type { Context } from '../context.ts'
import { callQueue } from '../temporal/task-queues.ts'
import { errorName } from '../error-labels.ts'
import { within } from '../temporal/deadline.ts'
import { values } from './history.ts'
import { callArgs } from './workflow-args.ts'

/** Workflow tasks that failed this often never succeed: the history does not match the workflow. */
const mostFailures = 10
const endings: ReadonlySet<string> = new Set([
  ...['COMPLETED', 'FAILED', 'CANCELLED', 'TERMINATED', 'CONTINUED_AS_NEW', 'TIMED_OUT'],
])

type Described = temporal.api.workflowservice.v1.IDescribeWorkflowExecutionResponse
type ArgsRow = Parameters<typeof callArgs>[0]

/**
 * What Temporal has of a call: its run, an ended one, none, or a `strange` one: a run under its id
 * that Callgate did not start this way (other workflow, queue or arguments) or that was hampered.
 * `away`: Temporal does not answer now.
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

/** Terminates a run that is not the call's own, so that one can start. False: not now. */
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

/** Callgate never pauses runs or activities, or pins versions; operators pause apps, endpoints. */
function isHampered({ pendingWorkflowTask, pendingActivities, workflowExecutionInfo }: Described): boolean {
  if ((pendingWorkflowTask?.attempt ?? 0) >= mostFailures) return true
  return (
    pendingActivities?.some(({ paused }) => paused === true) === true ||
    workflowExecutionInfo?.versioningInfo?.versioningOverride != null
  )
}

/** Its start arguments, from the first event of its history. */
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

/** Ignores `attempt`: the row's counts. A run started after the decision expires at once. */
function areArgsOf(row: ArgsRow, given: unknown): boolean {
  if (typeof given !== 'object' || given === null) return false
  const args = given as Partial<Record<keyof CallArgs, unknown>>
  const wanted = callArgs({ ...row, decided_at: null })
  return (Object.keys(wanted) as (keyof CallArgs)[]).every(
    (field) =>
      field === 'attempt' ||
      // Each round has its own deadline, which the row has.
      (field === 'expiresAt' && row.round > 1) ||
      args[field] === wanted[field] ||
      (field === 'expiresAt' && args[field] === wanted.acceptedAt),
  )
}
