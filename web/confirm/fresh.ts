import { renderAgain, wantFresh } from '../../core/approvals/prepare-rows.ts'
import { isOutdated } from '../../core/approvals/render.ts'
import { findCall } from '../../core/calls/rows.ts'
import type { CallRow } from '../../core/calls/rows.ts'
import type { Context } from '../../core/context.ts'
import { sleep } from '../../core/sleep.ts'
import { nudgeCall } from '../../core/temporal/call-runs.ts'
import { openedCall } from '../parts/opened-call.ts'

/** How long a page load waits, in ms: for the preview, and for the rendered request. */
const longest = { told: 2_000, request: 5_000 }
const pace = 100

/**
 * The call once its preview and request are ready: preview reread when older than a minute, request
 * rendered again after a connector update. Returned as it is when that takes too long.
 */
export async function freshened(ctx: Context, row: CallRow): Promise<CallRow> {
  if (row.status !== 'awaiting_confirmation' || row.expires_at === null || row.expires_at <= new Date()) return row
  const began = performance.now()
  let now = row
  if (isOutdated(ctx, openedCall(ctx, row).row)) {
    await renderAgain(ctx.db, row)
    await nudgeCall(ctx, row.id)
    now = { ...row, request: null, prepare_at: new Date(), prepare_tries: 0 }
  } else if (await wantFresh(ctx.db, row.id)) {
    if (!(await nudgeCall(ctx, row.id))) return row
    now = { ...row, prepare_at: new Date() }
  }
  while (performance.now() - began < patienceWith(now)) {
    await sleep(pace)
    now = (await findCall(ctx.db, row.owner, row.id)) ?? now
  }
  return now
}

/** 0 when nothing is in progress: the last attempt just failed, or the call waits for the user. */
function patienceWith({ status, request, prepare_at, prepare_tries }: CallRow): number {
  if (status !== 'awaiting_confirmation' || prepare_at === null || prepare_tries > 0) return 0
  return request === null ? longest.request : longest.told
}
