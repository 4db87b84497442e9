import { Context as Activity } from '@temporalio/activity'
import { keep } from '../core/calls/findings.ts'
import { askedFor, findInApp, lookRun } from '../core/calls/look.ts'
import type { Context } from '../core/context.ts'
import { whileAway } from '../core/database/failures.ts'
import { retry } from '../core/retry.ts'
import { assertOwnRun, notOwnRun } from '../core/temporal/own-run.ts'
import { appQueue } from '../core/temporal/task-queues.ts'

/** How long a finding is held on to while the database is away, in ms. */
const longestDatabaseAway = 10_000

/** Looks in the app whether a call that ended unknown happened, where its owner asked for that; the row says so, not the run. */
export async function look(ctx: Context, callId: unknown): Promise<void> {
  assertOwnRun(ctx, 'look', lookRun(String(callId)))
  const row = await askedFor(ctx.db, String(callId))
  if (row === undefined) return
  if (Activity.current().info.taskQueue !== appQueue(row.app)) throw notOwnRun(ctx)
  const finding = await findInApp(ctx, row)
  await retry(() => keep(ctx, row, finding), whileAway(Date.now() + longestDatabaseAway))
}
