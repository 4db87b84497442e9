import { ApplicationFailure, Context as Activity } from '@temporalio/activity'
import { isFinal } from '../schemas/call.ts'
import type { CallStatus, DeadJob, Decision, FinalStatus, ReconnectCode, SendOutcome } from '../schemas/call.ts'
import { connectUrl } from '../core/accounts/accounts.ts'
import { finalOf, forgotten } from '../core/calls/forgotten.ts'
import { assertOwnRun, assertOwnTry } from '../core/temporal/own-run.ts'
import type { Context } from '../core/context.ts'
import { decide, settle } from '../core/calls/rows.ts'
import { giveUpCall, recoverCall } from '../core/calls/recovery-rows.ts'
import { callState, loadForSend, noteInLine, secondsToRetry } from '../core/calls/sending-rows.ts'
import type { SendRow } from '../core/calls/sending-rows.ts'
import { finalOutcome, provesSending } from '../core/calls/evidence.ts'
import { failPoint } from '../core/fail-point.ts'
import { waitWhileHeld } from '../core/calls/operator-pause.ts'
import { tryAgainIn, unknownCall } from '../core/temporal/failures.ts'
import { keptError } from '../core/calls/payload.ts'
import { hidingCauses } from './hiding-causes.ts'
import { readTries } from './send.ts'

/** So many tries may follow each other at once when they die; then there is a pause before the next, doubled up to a minute, in ms. */
const quickTries = 5
const pauseOfDying = { first: 1_000, longest: 60_000 }
/** So much may the database's clock be behind the engine's, in ms: the end of a wait is asked for again until it has come there, too. */
const clocksApart = 300_000

/** Activities of the "callgate" queue: what a workflow needs besides sending. They run in the API process. */
export function callgateActivities(ctx: Context) {
  return hidingCauses(ctx, {
    /** The committed decision of a call; when its time is over and nobody decided, that is recorded first. Null: still open. */
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
     * Where a call that asks stands, and for how long it waits. When its time is over and nobody decided, that is recorded first. Times in ms, by
     * the database's clock.
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

    /** How the call has ended; null: it has not, and its run stands in line with this attempt. */
    async endOf(callId: string, attempt?: number): Promise<FinalStatus | null> {
      assertOwnRun(ctx, 'call', callId)
      const row = await callState(ctx.db, callId)
      if (row !== undefined && isFinal(row.status)) return row.status
      if (Number.isSafeInteger(attempt)) await noteInLine(ctx.db, callId, Number(attempt))
      return null
    },

    /** A send activity is said to have died: the row says whether anything was sent, and whether its sender lives. */
    async recover(job: DeadJob): Promise<SendOutcome> {
      assertOwnTry(ctx, job)
      const row = await callState(ctx.db, job.callId)
      if (row === undefined) throw unknownCall()
      if (isFinal(row.status)) return finalOutcome(ctx, row, row.status)
      if (row.access === 'write' && provesSending(ctx, row, job.lastWord))
        return finalOutcome(ctx, row, await forgotten(ctx, row.id))
      // The try ended by asking again, and died before it said so.
      if (row.status === 'awaiting_confirmation' && row.attempt > job.attempt)
        return { kind: 'asked_again', attempt: row.attempt }
      // Whoever is asked about a call that was approved already: this database is older than the approval.
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

    /** A wait is over, as the engine says; what ends the call is that its row says so, too. */
    async giveUp(callId: string, code: 'TARGET_BLOCKED' | ReconnectCode): Promise<FinalStatus> {
      assertOwnRun(ctx, 'call', callId)
      const row = await loadForSend(ctx.db, callId)
      if (row === undefined) throw unknownCall()
      if (isFinal(row.status)) return row.status
      const waitedFor = code === 'TARGET_BLOCKED' ? 'app' : 'person'
      const { stands, left } = await giveUpCall(ctx.db, row.id, waitedFor, await whatItWaitedFor(ctx, row, waitedFor))
      if (isFinal(stands)) return stands
      if (left !== null && left < clocksApart) throw tryAgainIn(Math.min(left + 100, 60_000), 'not_over')
      // This run is wrong about its call. It fails, and the sweeper starts another, which goes by the row.
      throw ApplicationFailure.nonRetryable('the wait is not over', 'not_over')
    },
  })
}

export type CallgateActivities = ReturnType<typeof callgateActivities>

interface WhereItStands {
  readonly status: CallStatus
  /** Until the time to decide is over. */
  readonly leftMs: number
  /** Until something is to be prepared for the person; null: nothing is. */
  readonly prepareInMs: number | null
}

async function standingOf(ctx: Context, callId: string): Promise<WhereItStands> {
  const { rows } = await ctx.db.query<WhereItStands>(
    `SELECT status, ceil(coalesce(extract(epoch FROM expires_at - clock_timestamp()), 0) * 1000)::float8 AS "leftMs",
       CASE WHEN prepare_at IS NOT NULL THEN ceil(greatest(extract(epoch FROM prepare_at - clock_timestamp()), 0) * 1000)::float8 END AS "prepareInMs"
     FROM calls WHERE id = $1`,
    [callId],
  )
  if (rows[0] === undefined) throw unknownCall()
  return rows[0]
}

/** A read that killed everybody who sent it. */
async function failInternally(ctx: Context, callId: string): Promise<FinalStatus> {
  const row = await loadForSend(ctx.db, callId)
  if (row === undefined) throw unknownCall()
  return finalOf(await settle(ctx.db, row.id, row.attempt, { status: 'failed', ...keptError(ctx, row, 'internal') }))
}

/** The error of a call that waited long enough. */
async function whatItWaitedFor(ctx: Context, row: SendRow, waitedFor: 'app' | 'person') {
  if (waitedFor === 'app')
    return keptError(ctx, row, 'TARGET_BLOCKED', { retry_after: await secondsToRetry(ctx.db, row.id) })
  const connect_url = connectUrl(ctx.config.publicUrl, row.app, row.account)
  return keptError(ctx, row, row.account_reason ?? 'AUTH_EXPIRED', { connect_url })
}

/** What kills each try at once would otherwise fill the run's history, and keep everybody busy. */
function pauseWhenDyingAgain(attempt: number): void {
  if (attempt < quickTries || Activity.current().info.attempt > 1) return
  throw tryAgainIn(Math.min(pauseOfDying.first * 2 ** (attempt - quickTries), pauseOfDying.longest), 'dies_again')
}
