import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client'
import type { Context } from '../context.ts'
import { errorName } from '../error-labels.ts'
import { pacingKey } from '../secrets/crypto.ts'
import { within } from '../temporal/deadline.ts'
import { appQueue, callQueue } from '../temporal/task-queues.ts'

/** Arguments of a canary read's workflow. */
export interface WatchArgs {
  /** Also the workflow id: the canary and the day. */
  readonly look: string
  readonly taskQueue: string
  readonly pacingKey: string
}

/** Canary reads started per round. */
const batch = 50

/** Workflow id of a canary's read on a day: `watch_….2026-11-23`. There is only one run of it. */
export function lookOf(watch: string, day: string): string {
  return `${watch}.${day}`
}

/** Starts due canary reads. Safe to repeat: Temporal runs each day's only once. */
export async function startWatches(ctx: Context): Promise<void> {
  const { rows } = await ctx.db.query<{ id: string; app: string; endpoint: string; account: string; day: string }>({
    name: 'due-watches',
    text: `SELECT w.id, w.app, w.endpoint, w.account, (clock_timestamp() AT TIME ZONE 'UTC')::date::text AS day
      FROM watches w JOIN accounts a ON a.id = w.account
      WHERE w.next_at <= clock_timestamp() AND w.ended_at IS NULL AND a.state <> 'disconnected' AND w.app = ANY ($2)
      ORDER BY w.next_at LIMIT $1`,
    values: [batch, ctx.apps.all.map(({ slug }) => slug)],
  })
  for (const { id, app, endpoint, account, day } of rows) {
    const args: WatchArgs = { look: lookOf(id, day), taskQueue: appQueue(app), pacingKey: pacingKey(account) }
    try {
      await within(ctx, 5_000, () =>
        ctx.temporal.workflow.start('watch', {
          workflowId: args.look,
          taskQueue: callQueue,
          args: [args],
          workflowIdReusePolicy: 'REJECT_DUPLICATE',
          staticSummary: `does ${app}.${endpoint} still answer as before for ${account}`,
        }),
      )
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) {
        ctx.log.warn({ watch: id, reason: errorName(error) }, 'the engine did not take a daily look')
        return
      }
    }
    // A day later, with an hour of jitter.
    await ctx.db.query(
      `UPDATE watches SET next_at = clock_timestamp() + interval '23 hours' + random() * interval '2 hours' WHERE id = $1 AND ended_at IS NULL`,
      [id],
    )
  }
}
