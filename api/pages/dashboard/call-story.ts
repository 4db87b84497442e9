import type { Context } from '../../../activities/context.ts'
import type { CallRow } from '../../../activities/db/calls.ts'
import { callLedger } from '../../../activities/db/statement.ts'
import type { LedgerLine } from '../../../activities/db/statement.ts'
import { runSteps } from '../../../activities/run-steps.ts'
import type { RunStep } from '../../../activities/run-steps.ts'
import { keyName } from '../queries.ts'

/** What is known of a call besides its row. */
export interface CallStory {
  readonly keyName: string
  readonly credits: readonly LedgerLine[]
  /** Undefined: the engine does not say now, or has forgotten. */
  readonly steps: readonly RunStep[] | undefined
}

export async function callStory(ctx: Context, row: CallRow): Promise<CallStory> {
  const [name, credits, steps] = await Promise.all([
    keyName(ctx.db, row),
    callLedger(ctx.db, row.owner, row.id),
    neverSent(row) ? [] : runSteps(ctx, row.id),
  ])
  return { keyName: name, credits, steps }
}

function neverSent({ status, decision }: CallRow): boolean {
  return status === 'awaiting_confirmation' || (decision !== null && decision !== 'approved')
}
