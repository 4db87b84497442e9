import type { Context } from '../../core/context.ts'
import { endedRounds } from '../../core/approvals/seen.ts'
import type { RoundTimes } from '../../core/approvals/seen.ts'
import type { CallRow } from '../../core/calls/rows.ts'
import { callLedger } from '../../core/credits/statement.ts'
import type { LedgerLine } from '../../core/credits/statement.ts'
import { runSteps } from '../../core/calls/run-steps.ts'
import type { RunStep } from '../../core/calls/run-steps.ts'
import { isFinal } from '../../schemas/call.ts'
import { whoAsks } from '../queries.ts'

interface SignIn {
  readonly kind: 'needed' | 'made'
  readonly at: Date
}

/** What is known of a call besides its row. */
export interface CallStory {
  readonly keyName: string
  readonly credits: readonly LedgerLine[]
  /** Times that it was asked, and approved, before what it is about had changed. */
  readonly rounds: readonly RoundTimes[]
  /** When the app wanted its person to sign in again, as far as it is known, and when they did. */
  readonly signIns: readonly SignIn[]
  /** Undefined: the engine does not say now, or has forgotten. */
  readonly steps: readonly RunStep[] | undefined
}

export async function callStory(ctx: Context, row: CallRow): Promise<CallStory> {
  const [asking, credits, rounds, signIns, steps] = await Promise.all([
    whoAsks(ctx.db, row),
    callLedger(ctx.db, row.owner, row.id),
    endedRounds(ctx, row),
    signInsOf(ctx, row),
    neverSent(row) ? [] : runSteps(ctx, row.id),
  ])
  return { keyName: asking.name, credits, rounds, signIns, steps }
}

/** While the call was approved and not over: sign-ins to its account, and since when it waits for one. */
async function signInsOf({ db }: Context, row: CallRow): Promise<readonly SignIn[]> {
  if (neverSent(row) || row.decided_at === null) return []
  const { rows } = await db.query<SignIn>(
    `SELECT 'needed' AS kind, held_since AS at FROM calls WHERE id = $1 AND owner = $2 AND held_for = 'person' AND held_since IS NOT NULL
     UNION ALL SELECT 'made', at FROM audit_log
     WHERE actor = $2 AND action = 'account.connected' AND detail->>'account' = $3 AND at > $4 AND ($5 OR at < $6)`,
    [row.id, row.owner, row.account, row.decided_at, !isFinal(row.status), row.updated_at],
  )
  return rows
}

function neverSent({ status, decision }: CallRow): boolean {
  return status === 'awaiting_confirmation' || (decision !== null && decision !== 'approved')
}
