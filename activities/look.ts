import { Context as Activity } from '@temporalio/activity'
import { keep } from '../core/calls/findings.ts'
import { askedFor, findInApp, lookRun } from '../core/calls/look.ts'
import type { Context } from '../core/context.ts'
import { whileAway } from '../core/database/failures.ts'
import { retry } from '../core/retry.ts'
import { assertOwnRun, notOwnRun } from '../core/temporal/own-run.ts'
import { appQueue } from '../core/temporal/task-queues.ts'

/** How long recording a finding is retried while Postgres is down (ms). */
const longestDatabaseAway = 10_000

/** Verifies in the app whether an `unknown` call happened, if its row has such a request. */
export async function look(ctx: Context, callId: unknown): Promise<void> {
  assertOwnRun(ctx, 'look', lookRun(String(callId)))
  const row = await askedFor(ctx.db, String(callId))
  if (row === undefined) return
  if (Activity.current().info.taskQueue !== appQueue(row.app)) throw notOwnRun(ctx)
  const finding = await findInApp(ctx, row)
  await retry(() => keep(ctx, row, finding), whileAway(Date.now() + longestDatabaseAway))
}
