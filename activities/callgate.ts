import { ApplicationFailure, Context as Activity } from '@temporalio/activity'
import { isFinal } from '../schemas/call.ts'
import type { DeadJob, Decision, FinalStatus, ReconnectCode, SendOutcome } from '../schemas/call.ts'
import { connectUrl } from './accounts.ts'
import type { Context } from './context.ts'
import { decide, endForgotten, settle } from './db/calls.ts'
import { callState, loadForSend, noteInLine, secondsToRetry, withdrawAttempt } from './db/sending.ts'
import { failPoint } from './fail-point.ts'
import { waitWhileHeld } from './hold.ts'
import { keptError } from './payload.ts'

/** So many tries may follow each other at once when they die; then there is a pause before the next, doubled up to a minute, in ms. */
const quickTries = 5
const pauseOfDying = { first: 1_000, longest: 60_000 }

/** Activities of the "callgate" queue: what a workflow needs besides sending. They run in the API process. */
export function callgateActivities(ctx: Context) {
  return hidingCauses(ctx, {
    /** The committed decision of a call; when its time is over and nobody decided, that is recorded first. Null: still open. */
    async decisionOf(callId: string): Promise<Decision | null> {
      const read = () =>
        ctx.db.query<{ decision: Decision | null; due: boolean }>(
          'SELECT decision, expires_at <= clock_timestamp() AS due FROM calls WHERE id = $1',
          [callId],
        )
      const first = (await read()).rows[0]
      if (first === undefined) throw ApplicationFailure.nonRetryable('no such call', 'unknown_call')
      if (first.decision !== null || !first.due) return first.decision
      failPoint('expire.before-commit')
      await decide(ctx.db, callId, 'expired', 'expiry')
      return (await read()).rows[0]?.decision ?? null
    },

    /** How the call has ended; null: it has not, and its run stands in line with this attempt. */
    async endOf(callId: string, attempt?: number): Promise<FinalStatus | null> {
      const row = await callState(ctx.db, callId)
      if (row !== undefined && isFinal(row.status)) return row.status
      if (attempt !== undefined) await noteInLine(ctx.db, callId, attempt)
      return null
    },

    /** A send activity died: the row says whether anything was sent. */
    async recover(job: DeadJob): Promise<SendOutcome> {
      const row = await callState(ctx.db, job.callId)
      if (row === undefined) throw ApplicationFailure.nonRetryable('no such call', 'unknown_call')
      if (isFinal(row.status)) return { kind: 'final', status: row.status }
      if (row.attempt > job.attempt && row.send === 'ready') return { kind: 'again', attempt: row.attempt }
      // Whoever is asked about a call that was approved already: this database is older than the approval.
      const askedAnew = row.status === 'awaiting_confirmation'
      const mayBeOut = job.begun === true || (askedAnew && job.silent === true)
      if (mayBeOut && row.send === 'ready') return { kind: 'final', status: await forgotten(ctx, job.callId) }
      if (askedAnew) throw askedAgain()
      await waitWhileHeld(ctx, job.callId)
      pauseWhenDyingAgain(job.attempt)
      const attempt = await withdrawAttempt(ctx.db, job.callId, job.attempt)
      if (attempt !== null) return { kind: 'again', attempt }
      const status = row.access === 'write' ? 'unknown' : 'failed'
      return { kind: 'final', status: await endRunning(ctx, job.callId, status) }
    },

    /** The patience for a wait is over. */
    async giveUp(callId: string, code: 'TARGET_BLOCKED' | ReconnectCode): Promise<FinalStatus> {
      const row = await loadForSend(ctx.db, callId)
      if (row === undefined) throw ApplicationFailure.nonRetryable('no such call', 'unknown_call')
      const fields =
        code === 'TARGET_BLOCKED'
          ? { retry_after: await secondsToRetry(ctx.db, callId) }
          : { connect_url: connectUrl(ctx.config.publicUrl, row.app, row.account) }
      return final(await settle(ctx.db, callId, null, { status: 'failed', ...keptError(ctx, row, code, fields) }))
    },
  })
}

export type CallgateActivities = ReturnType<typeof callgateActivities>

/** The engine saw a write go out, and the row knows nothing of it: this database was put back to an older copy. */
export async function forgotten(ctx: Context, callId: string): Promise<FinalStatus> {
  ctx.log.error({ call: callId }, 'this database is older than the sending of a call, which ends as unknown')
  return final(await endForgotten(ctx.db, callId))
}

/** The engine is past the decision, and the row is not: an older copy, too. Nothing was sent, and nothing is until the person decides. */
function askedAgain(): ApplicationFailure {
  return ApplicationFailure.create({ message: 'asked_again', type: 'asked_again', nextRetryDelay: '2s' })
}

/** What kills each try at once would otherwise fill the run's history, and keep everybody busy. Waiting in retries leaves nothing in it. */
function pauseWhenDyingAgain(attempt: number): void {
  if (attempt < quickTries || Activity.current().info.attempt > 1) return
  const pause = Math.min(pauseOfDying.first * 2 ** (attempt - quickTries), pauseOfDying.longest)
  throw ApplicationFailure.create({ message: 'dies_again', type: 'dies_again', nextRetryDelay: pause })
}

/** Settles a running call by hand of Callgate itself: unknown, or failed with our own fault. */
export async function endRunning(ctx: Context, callId: string, status: 'unknown' | 'failed'): Promise<FinalStatus> {
  if (status === 'unknown') return final(await settle(ctx.db, callId, null, { status }))
  const row = await loadForSend(ctx.db, callId)
  if (row === undefined) throw ApplicationFailure.nonRetryable('no such call', 'unknown_call')
  return final(await settle(ctx.db, callId, null, { status, ...keptError(ctx, row, 'internal') }))
}

function final(status: Parameters<typeof isFinal>[0]): FinalStatus {
  if (!isFinal(status)) throw new Error('a settled call is not final')
  return status
}

/** Errors of ours may quote statements or payloads: they are logged here, and the history gets a code. */
export function hidingCauses<T extends Record<string, (...args: never[]) => Promise<unknown>>>(
  ctx: Context,
  activities: T,
): T {
  const wrapped = Object.entries(activities).map(([name, run]) => [
    name,
    async (...args: never[]) => {
      try {
        return await run(...args)
      } catch (error) {
        if (error instanceof ApplicationFailure) throw error
        ctx.log.error({ activity: name, err: error }, 'an activity failed')
        throw ApplicationFailure.retryable('internal', 'internal')
      }
    },
  ])
  return Object.fromEntries(wrapped) as T
}
