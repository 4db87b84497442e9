import { ApplicationFailure, Context as Activity } from '@temporalio/activity'
import { isFinal } from '../schemas/call.ts'
import type {
  CallEnd,
  CallStatus,
  DeadJob,
  Decision,
  FinalStatus,
  ReconnectCode,
  SendOutcome,
} from '../schemas/call.ts'
import { connectUrl } from '../core/accounts/accounts.ts'
import { finalOf, forgotten } from '../core/calls/forgotten.ts'
import { assertOwnRun, assertOwnTry } from '../core/temporal/own-run.ts'
import type { Context } from '../core/context.ts'
import { decide, settle } from '../core/calls/rows.ts'
import { giveUpCall, recoverCall } from '../core/calls/recovery-rows.ts'
import { callState, loadForSend, noteInLine, secondsToRetry } from '../core/calls/sending-rows.ts'
import type { SendRow } from '../core/calls/sending-rows.ts'
import { endAs, finalOutcome, provesSending } from '../core/calls/evidence.ts'
import { failPoint } from '../core/fail-point.ts'
import { waitWhileHeld } from '../core/calls/operator-pause.ts'
import { tryAgainIn, unknownCall } from '../core/temporal/failures.ts'
import { keptError } from '../core/calls/payload.ts'
import { hidingCauses } from './hiding-causes.ts'
import { readTries } from './send.ts'

/** After this many dead attempts in a row, each next one is delayed: doubling, up to 1 min (ms). */
const quickTries = 5
const pauseOfDying = { first: 1_000, longest: 60_000 }
/** How far Postgres's clock may lag behind Temporal's (ms): `giveUp` retries within it. */
const clocksApart = 300_000

/** Activities of the "callgate" queue: what calls need besides sends. Run in the API process. */
export function callgateActivities(ctx: Context) {
  return hidingCauses(ctx, {
    /** The committed decision; null: still open. Past its deadline, records the expiry first. */
    async decisionOf(callId: string): Promise<Decision | null> {
      assertOwnRun(ctx, 'call', callId)
      const read = () =>
        ctx.db.query<{ decision: Decision | null; due: boolean }>(
          'SELECT decision, expires_at <= clock_timestamp() AS due FROM calls WHERE id = $1',
          [callId],
        )
      const first = (await read()).rows[0]
      if (first === undefined) throw unknownCall()
      if (first.decision !== null || !first.due) return first.decision
      failPoint('expire.before-commit')
      await decide(ctx.db, callId, 'expired', 'expiry')
      return (await read()).rows[0]?.decision ?? null
    },

    /**
     * State of a call that needs approval, and how long it still waits. Past its deadline, records
     * the expiry first. Times in ms, by the database's clock.
     */
    async whereItStands(callId: string): Promise<WhereItStands> {
      assertOwnRun(ctx, 'call', callId)
      const first = await standingOf(ctx, callId)
      if (first.status !== 'awaiting_confirmation' || first.leftMs > 0) return first
      failPoint('expire.before-commit')
      await decide(ctx.db, callId, 'expired', 'expiry')
      const now = await standingOf(ctx, callId)
      return { ...now, leftMs: Math.max(now.leftMs, 200) }
    },

    /** How the call ended; null: it has not, and the row now notes this attempt as queued. */
    async endOf(callId: string, attempt?: number): Promise<CallEnd | null> {
      assertOwnRun(ctx, 'call', callId)
      const row = await callState(ctx.db, callId)
      if (row !== undefined && isFinal(row.status)) return endAs(ctx, row.id, row.status)
      if (Number.isSafeInteger(attempt)) await noteInLine(ctx.db, callId, Number(attempt))
      return null
    },

    /** A send activity died: the row knows if anything was sent, and whether its sender lives. */
    async recover(job: DeadJob): Promise<SendOutcome> {
      assertOwnTry(ctx, job)
      const row = await callState(ctx.db, job.callId)
      if (row === undefined) throw unknownCall()
      if (isFinal(row.status)) return finalOutcome(ctx, row, row.status)
      if (row.access === 'write' && provesSending(ctx, row, job.lastWord))
        return finalOutcome(ctx, row, await forgotten(ctx, row.id))
      // The attempt ended by asking again, and died before reporting it.
      if (row.status === 'awaiting_confirmation' && row.attempt > job.attempt)
        return { kind: 'asked_again', attempt: row.attempt }
      // The run knows an approval that the row lacks: this database is older than the approval.
      if (row.status === 'awaiting_confirmation') throw tryAgainIn(2_000, 'asked_again')
      if (row.send === 'ready') {
        await waitWhileHeld(ctx, row.id)
        pauseWhenDyingAgain(row.attempt)
      }
      const recovered = await recoverCall(ctx.db, row.id, job.attempt, readTries)
      switch (recovered.outcome) {
        case 'again':
          return { kind: 'again', attempt: recovered.attempt }
        case 'sending':
          throw tryAgainIn(1_000, 'still_sending')
        case 'wornOut':
          return finalOutcome(ctx, row, await failInternally(ctx, row.id))
        case 'final':
          return finalOutcome(ctx, row, recovered.status)
      }
    },

    /**
     * Ends a call whose wait is over by Temporal's clock, once its row agrees. Returns the status
     * alone: during a deploy, the caller may be a workflow of the previous release.
     */
    async giveUp(callId: string, code: 'TARGET_BLOCKED' | ReconnectCode): Promise<FinalStatus> {
      assertOwnRun(ctx, 'call', callId)
      const row = await loadForSend(ctx.db, callId)
      if (row === undefined) throw unknownCall()
      if (isFinal(row.status)) return row.status
      const waitedFor = code === 'TARGET_BLOCKED' ? 'app' : 'person'
      const { stands, left } = await giveUpCall(ctx.db, row.id, waitedFor, await whatItWaitedFor(ctx, row, waitedFor))
      if (isFinal(stands)) return stands
      if (left !== null && left < clocksApart) throw tryAgainIn(Math.min(left + 100, 60_000), 'not_over')
      // This run is wrong about its call. It fails, and the reconciler starts another from the row.
      throw ApplicationFailure.nonRetryable('the wait is not over', 'not_over')
    },
  })
}

export type CallgateActivities = ReturnType<typeof callgateActivities>

interface WhereItStands {
  readonly status: CallStatus
  /** Error code, if the call failed. */
  readonly code: string | null
  /** How often the approver was asked. */
  readonly round: number
  /** The user must sign in to the app before the approval request can be prepared. */
  readonly needsSignIn: boolean
  /** Until the deadline of the decision. */
  readonly leftMs: number
  /** Until the next preparation of the approval request; null: none is due. */
  readonly prepareInMs: number | null
}

async function standingOf(ctx: Context, callId: string): Promise<WhereItStands> {
  const { rows } = await ctx.db.query<WhereItStands>(
    `SELECT status, error_code AS code, round, coalesce(waiting_for = 'reconnect', false) AS "needsSignIn",
       ceil(coalesce(extract(epoch FROM expires_at - clock_timestamp()), 0) * 1000)::float8 AS "leftMs",
       CASE WHEN prepare_at IS NOT NULL THEN ceil(greatest(extract(epoch FROM prepare_at - clock_timestamp()), 0) * 1000)::float8 END AS "prepareInMs"
     FROM calls WHERE id = $1`,
    [callId],
  )
  if (rows[0] === undefined) throw unknownCall()
  return rows[0]
}

/** A read that killed every process that sent it. */
async function failInternally(ctx: Context, callId: string): Promise<FinalStatus> {
  const row = await loadForSend(ctx.db, callId)
  if (row === undefined) throw unknownCall()
  return finalOf(await settle(ctx.db, row.id, row.attempt, { status: 'failed', ...keptError(ctx, row, 'internal') }))
}

/** Error of a call whose wait for the app or the user ran out. */
async function whatItWaitedFor(ctx: Context, row: SendRow, waitedFor: 'app' | 'person') {
  if (waitedFor === 'app')
    return keptError(ctx, row, 'TARGET_BLOCKED', { retry_after: await secondsToRetry(ctx.db, row.id) })
  const connect_url = connectUrl(ctx.config.publicUrl, row.app, row.account)
  return keptError(ctx, row, row.account_reason ?? 'AUTH_EXPIRED', { connect_url })
}

/** Attempts that die at once would otherwise fill the run's history and keep all workers busy. */
function pauseWhenDyingAgain(attempt: number): void {
  if (attempt < quickTries || Activity.current().info.attempt > 1) return
  throw tryAgainIn(Math.min(pauseOfDying.first * 2 ** (attempt - quickTries), pauseOfDying.longest), 'dies_again')
}
