import { releaseForPreparing } from '../approvals/prepare-rows.ts'
import { isFinal } from '../../schemas/call.ts'
import { forgotten } from './forgotten.ts'
import type { Context } from '../context.ts'
import { logUnopened, noteTampered } from '../security-log.ts'
import { withdraw } from './rows.ts'
import { sleep } from '../sleep.ts'
import { dueCalls, idle, merelyWaits, rounds } from './due.ts'
import type { DueCall, DueKind } from './due.ts'
import { isConnectionError } from '../database/failures.ts'
import { nudgeCall, startCall, viewCall } from '../temporal/call-runs.ts'
import { mayHaveSent } from './history.ts'
import { callArgs } from './workflow-args.ts'
import { endStrange, runState } from './run-state.ts'

/** Seconds until a call without a readable state is retried: it must not block the batch. */
const later = 5
/** Age in ms below which a call still prepares without a nudge. */
const young = 30_000
/** Held calls released per round. */
const mostHeld = 200
/** Minimum rest after starting an undecided call, in ms: at most twenty starts a second. */
const shortestRest = 200

/**
 * Reconciles due calls with Temporal: starts runs that it lacks, repeats nudges that a run missed,
 * restarts runs that ended before their call. `pressing` calls run without rests. After each start
 * of a `waiting` one its lane rests, so that on average at most one start is in progress: the
 * slower Temporal, the longer the rests. Returns whether more calls may be due.
 */
export async function reconcileCalls(ctx: Context, kind: DueKind, stop?: AbortSignal): Promise<boolean> {
  const { batch, lanes } = rounds[kind]
  const due = await dueCalls(ctx.db, kind)
  const queue = [...due]
  const lane = async (): Promise<void> => {
    for (let call = queue.shift(); call !== undefined; call = queue.shift()) {
      if (stop?.aborted === true) return
      const began = performance.now()
      const started = await reconcileOne(ctx, call)
      if (kind === 'waiting' && started)
        await sleep(Math.max(shortestRest, (lanes - 1) * (performance.now() - began)), stop)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return due.length === batch
}

/** One failure must not block others. True: a run was started or Temporal failed, so rest. */
async function reconcileOne(ctx: Context, call: DueCall): Promise<boolean> {
  try {
    const done = await reconcile(ctx, call)
    if (done === 'away') await checkAgain(ctx, call.id, later)
    return done !== 'looked'
  } catch (error) {
    if (isConnectionError(error)) throw error
    logUnopened(ctx, { call: call.id }, error, 'a call could not be looked after; it is tried again in a minute')
    await checkAgain(ctx, call.id, 60)
    return true
  }
}

/** `away`: Temporal does not answer now. */
async function reconcile(ctx: Context, call: DueCall): Promise<'looked' | 'started' | 'away'> {
  const state = await runState(ctx, call)
  if (state === 'away' || (state === 'strange' && !(await endStrange(ctx, call.id)))) return 'away'
  if (state === 'running') {
    if ((await missedNudge(ctx, call)) && !(await nudgeCall(ctx, call.id))) return 'away'
    await checkAgain(ctx, call.id, merelyWaits(call) ? idle : 30)
    return 'looked'
  }
  if (isFinal(call.status)) {
    await checkAgain(ctx, call.id, null)
    return 'looked'
  }
  if (wasTamperedWith(call) && (await withdraw(ctx.db, call.id))) {
    ctx.log.error({ call: call.id }, 'the row of a call was changed from outside; the call is withdrawn')
    noteTampered(ctx, `call:${call.id}`)
    return 'looked'
  }
  if (state === 'ended') {
    const sent = call.access === 'write' && (await mayHaveSent(ctx, call))
    if (sent === undefined) return 'away'
    if (sent) {
      await forgotten(ctx, call.id)
      return 'looked'
    }
    // Ended by hand, intruder or bug: only its user, their key, time or an operator ends a call.
    ctx.log.warn({ call: call.id }, 'the run of an open call has ended; it is started again')
  }
  const patient = state === 'missing' && merelyWaits(call)
  if (!(await startAgain(ctx, call.id, patient))) return 'away'
  // An undecided call needs no nudge: a run reads the row first.
  if (patient) {
    await checkAgain(ctx, call.id, idle)
    return 'started'
  }
  // It may have been decided while it had no run.
  await nudgeCall(ctx, call.id)
  await checkAgain(ctx, call.id, 10)
  return 'started'
}

/** A call that needs approval runs without it: the row was altered. No run would send it. */
function wasTamperedWith(call: DueCall): boolean {
  return call.status === 'running' && call.confirm && call.decision !== 'approved'
}

/** Whether the run has not yet learned that its call was decided or is final. */
async function missedNudge(ctx: Context, call: DueCall): Promise<boolean> {
  if (isFinal(call.status)) return true
  // Preparing takes a moment, so an overdue run missed its nudge or waits for the app. A young run
  // knows by itself: do not burden a slow Temporal with nudges.
  if (call.decision === null)
    return call.prepare_at !== null && call.prepare_at <= new Date() && Date.now() - call.created_at.getTime() > young
  const view = await viewCall(ctx, call.id)
  // An extra nudge is harmless; a run that does not answer may have missed its own.
  return view === undefined || (view !== 'missing' && view?.phase === 'deciding')
}

/** By the row as it is now: it may be decided by now. False: Temporal did not accept the start. */
async function startAgain(ctx: Context, callId: string, patient: boolean): Promise<boolean> {
  const { rows } = await ctx.db.query<Parameters<typeof callArgs>[0]>('SELECT * FROM calls WHERE id = $1', [callId])
  return rows[0] === undefined || startCall(ctx, callArgs(rows[0]), { again: true, patient })
}

/** Schedules the next check unless an earlier one was set. At its deadline a call needs its run. */
async function checkAgain(ctx: Context, callId: string, seconds: number | null): Promise<void> {
  await ctx.db.query(
    `UPDATE calls SET check_at = CASE WHEN $2::float8 IS NOT NULL THEN least(clock_timestamp() + make_interval(secs => $2),
       CASE WHEN status = 'awaiting_confirmation' AND expires_at > clock_timestamp() THEN expires_at + interval '5 seconds' END) END
     WHERE id = $1 AND check_at <= clock_timestamp()`,
    [callId, seconds],
  )
}

/**
 * Releases calls whose reason to wait is gone: the cool-down ended, or the account works again. It
 * may not work for this endpoint (some apps want a second factor for some actions only), so each
 * attempt lengthens the delay, up to two minutes.
 */
export async function releaseHeld(ctx: Context): Promise<void> {
  const { rows } = await ctx.db.query<{ id: string }>(
    `SELECT c.id FROM calls c JOIN accounts a ON a.id = c.account
     LEFT JOIN pauses p ON p.account = c.account AND p.endpoint = c.endpoint
     WHERE c.waiting_for IS NOT NULL AND c.status = 'running' AND c.send = 'ready' AND c.confirm AND (
       (c.waiting_for = 'blocked' AND p.account IS NULL)
       OR (c.waiting_for = 'reconnect' AND may_reconnect(a.state, c.attempt, c.updated_at)))
     LIMIT $1`,
    [mostHeld],
  )
  for (const { id } of rows) await nudgeCall(ctx, id)
  for (const id of await releaseForPreparing(ctx.db, mostHeld)) await nudgeCall(ctx, id)
}
