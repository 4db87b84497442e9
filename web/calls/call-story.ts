import type { Context } from '../../core/context.ts'
import { endedRounds } from '../../core/approvals/seen.ts'
import type { RoundTimes } from '../../core/approvals/seen.ts'
import { lookOf } from '../../core/calls/findings.ts'
import type { Look } from '../../core/calls/findings.ts'
import type { CallRow } from '../../core/calls/rows.ts'
import { noticesTold, storyEvents } from '../../core/calls/story-rows.ts'
import type { StoryEvent, Told } from '../../core/calls/story-rows.ts'
import { callLedger } from '../../core/credits/statement.ts'
import type { LedgerLine } from '../../core/credits/statement.ts'
import { runSteps } from '../../core/calls/run-steps.ts'
import type { RunStep } from '../../core/calls/run-steps.ts'
import { isFinal } from '../../schemas/call.ts'
import { whoAsks } from '../queries.ts'

/** What is known about a call besides its row. */
export interface CallStory {
  readonly keyName: string
  readonly credits: readonly LedgerLine[]
  /** Earlier rounds: approved, but not sent because the entities had changed. */
  readonly rounds: readonly RoundTimes[]
  /** Since when the call has waited for a reconnect, if it still does. */
  readonly heldSince: Date | undefined
  /** Actions of users and operators on it. */
  readonly events: readonly StoryEvent[]
  /** Notifications about it that were delivered. */
  readonly told: readonly Told[]
  /** Verification of a call that ended `unknown`. */
  readonly look: Look | undefined
  /** Undefined: Temporal is unavailable, or its history has expired. */
  readonly steps: readonly RunStep[] | undefined
}

export async function callStory(ctx: Context, row: CallRow): Promise<CallStory> {
  const [asking, credits, rounds, heldSince, events, told, look, steps] = await Promise.all([
    whoAsks(ctx.db, row),
    callLedger(ctx.db, row.owner, row.id),
    endedRounds(ctx, row),
    heldForSignIn(ctx, row),
    storyEvents(ctx.db, row, isFinal(row.status) ? row.updated_at : new Date(Date.now() + 60_000)),
    noticesTold(ctx.db, row),
    lookOf(ctx, row),
    neverSent(row) ? [] : runSteps(ctx, row.id),
  ])
  return { keyName: asking.name, credits, rounds, heldSince, events, told, look, steps }
}

async function heldForSignIn({ db }: Context, row: CallRow): Promise<Date | undefined> {
  const { rows } = await db.query<{ at: Date }>(
    `SELECT held_since AS at FROM calls WHERE id = $1 AND owner = $2 AND held_for = 'person' AND held_since IS NOT NULL`,
    [row.id, row.owner],
  )
  return rows[0]?.at
}

function neverSent({ status, decision }: CallRow): boolean {
  return status === 'awaiting_confirmation' || (decision !== null && decision !== 'approved')
}
