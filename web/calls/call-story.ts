import type { Context } from '../../core/context.ts'
import { endedRounds } from '../../core/approvals/seen.ts'
import type { RoundTimes } from '../../core/approvals/seen.ts'
import type { CallRow } from '../../core/calls/rows.ts'
import { callLedger } from '../../core/credits/statement.ts'
import type { LedgerLine } from '../../core/credits/statement.ts'
import { runSteps } from '../../core/calls/run-steps.ts'
import type { RunStep } from '../../core/calls/run-steps.ts'
import { whoAsks } from '../queries.ts'

/** What is known of a call besides its row. */
export interface CallStory {
  readonly keyName: string
  readonly credits: readonly LedgerLine[]
  /** Times that it was asked, and approved, before what it is about had changed. */
  readonly rounds: readonly RoundTimes[]
  /** Undefined: the engine does not say now, or has forgotten. */
  readonly steps: readonly RunStep[] | undefined
}

export async function callStory(ctx: Context, row: CallRow): Promise<CallStory> {
  const [asking, credits, rounds, steps] = await Promise.all([
    whoAsks(ctx.db, row),
    callLedger(ctx.db, row.owner, row.id),
    endedRounds(ctx, row),
    neverSent(row) ? [] : runSteps(ctx, row.id),
  ])
  return { keyName: asking.name, credits, rounds, steps }
}

function neverSent({ status, decision }: CallRow): boolean {
  return status === 'awaiting_confirmation' || (decision !== null && decision !== 'approved')
}
