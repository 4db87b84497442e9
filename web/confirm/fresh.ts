import { wantFresh } from '../../core/approvals/prepare-rows.ts'
import { findCall } from '../../core/calls/rows.ts'
import type { CallRow } from '../../core/calls/rows.ts'
import type { Context } from '../../core/context.ts'
import { sleep } from '../../core/sleep.ts'
import { nudgeCall } from '../../core/temporal/call-runs.ts'

/** A person waits so long for their page, in ms: for what the app tells, and for what they cannot approve without. */
const longest = { told: 2_000, request: 5_000 }
const pace = 100

/** The call, once what its page shows of the app is there, and was looked up anew where it is older than a minute; or as it is, where that takes too long. */
export async function freshened(ctx: Context, row: CallRow): Promise<CallRow> {
  if (row.status !== 'awaiting_confirmation' || row.expires_at === null || row.expires_at <= new Date()) return row
  const began = performance.now()
  let now = row
  if (await wantFresh(ctx.db, row.id)) {
    if (!(await nudgeCall(ctx, row.id))) return row
    now = { ...row, prepare_at: new Date() }
  }
  while (performance.now() - began < patienceWith(now)) {
    await sleep(pace)
    now = (await findCall(ctx.db, row.owner, row.id)) ?? now
  }
  return now
}

/** None for what is not under way: the app could not help with it a moment ago, or waits for the person. */
function patienceWith({ status, request, prepare_at, prepare_tries }: CallRow): number {
  if (status !== 'awaiting_confirmation' || prepare_at === null || prepare_tries > 0) return 0
  return request === null ? longest.request : longest.told
}
