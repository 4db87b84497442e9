import { WorkflowNotFoundError } from '@temporalio/client'
import { isFinal } from '../../schemas/call.ts'
import type { CallStatus } from '../../schemas/call.ts'
import type { Context, StuckEnd } from '../context.ts'
import { errorName } from '../error-labels.ts'
import { within } from '../temporal/deadline.ts'

/** Maximum per round. */
const most = 100
/** Marks failing tasks rather than late ones. Source: `TemporalReportedProblems`, server 1.30. */
const fails = 'category=WorkflowTaskFailed'
const query = `WorkflowType = 'call' AND ExecutionStatus = 'Running' AND TemporalReportedProblems IS NOT NULL`

/**
 * Ends runs whose tasks failed five times or more in a row, which Temporal would retry forever:
 * those of final calls, as nothing is left to do, and those whose history no longer matches the
 * workflow, which are then restarted from the row. Late tasks only mean load.
 */
export async function endStuckRuns(ctx: Context): Promise<void> {
  const { executions } = await within(ctx, 5_000, () =>
    ctx.temporal.workflowService.listWorkflowExecutions({
      namespace: ctx.config.temporalNamespace,
      query,
      pageSize: most,
    }),
  )
  const stuck = new Map(
    (executions ?? []).flatMap(({ execution, searchAttributes }) => {
      const problems = searchAttributes?.indexedFields?.['TemporalReportedProblems']?.data
      const id = execution?.workflowId
      return id ? [[id, Buffer.from(problems ?? '').toString()] as const] : []
    }),
  )
  if (stuck.size === 0) return
  const { rows } = await ctx.db.query<{ id: string; status: CallStatus }>(
    'SELECT id, status FROM calls WHERE id = ANY ($1)',
    [[...stuck.keys()]],
  )
  for (const { id, status } of rows) {
    const end = await endOne(ctx, id, { final: isFinal(status), broken: stuck.get(id)?.includes(fails) === true })
    ctx.engine.stuck[end]++
    ctx.log.warn({ call: id, status, end }, "a run's tasks fail again and again")
  }
}

async function endOne(
  ctx: Context,
  callId: string,
  { final, broken }: { readonly final: boolean; readonly broken: boolean },
): Promise<StuckEnd> {
  if (!final && !broken) return 'left'
  const why = final ? 'its call has ended' : 'its tasks fail'
  try {
    await within(ctx, 5_000, () => ctx.temporal.workflow.getHandle(callId).terminate(why))
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) {
      ctx.log.warn({ call: callId, reason: errorName(error) }, 'a stuck run could not be ended now')
      return 'left'
    }
  }
  if (final) return 'ended'
  // Based on the row: the call may have ended since.
  await ctx.db.query(
    `UPDATE calls SET check_at = clock_timestamp() WHERE id = $1 AND status IN ('awaiting_confirmation', 'running')`,
    [callId],
  )
  return 'restarted'
}
