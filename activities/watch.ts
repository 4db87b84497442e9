import { Context as Activity } from '@temporalio/activity'
import type { Context } from '../core/context.ts'
import { assertOwnRun, notOwnRun } from '../core/temporal/own-run.ts'
import { appQueue } from '../core/temporal/task-queues.ts'
import { dueLook, makeLook } from '../core/watch/look.ts'

/** The daily canary read of an app. The row of its canary says what to read, not the run. */
export async function watch(ctx: Context, look: unknown): Promise<void> {
  assertOwnRun(ctx, 'watch', look)
  const due = await dueLook(ctx.db, look)
  if (due === undefined) return
  if (Activity.current().info.taskQueue !== appQueue(due.app)) throw notOwnRun(ctx)
  await makeLook(ctx, due)
}
