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

/** A call that the engine, or the rows beside it, say nothing of now keeps its place from no other for so long, in seconds. */
const later = 5
/** In ms. */
const young = 30_000
/** So many calls whose reason to wait is gone are told in one round. */
const mostHeld = 200
/** After the start of a call that merely waits, in ms: twenty starts a second at most. */
const shortestRest = 200

/**
 * Looks after calls of a kind that are due: those that the engine does not know are started, decisions that it did not hear of are repeated,
 * runs that ended before their call did are started again. `pressing` ones at once. Of those that merely wait a few at a time, and after each
 * that had to be started there is a rest, so that on average not more than one is being started: the slower the engine, the longer the rests.
 * Returns whether more may be due.
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

/** One that cannot be looked after keeps no other from it. Whether its run was begun, or the engine refused: it is to be spared then. */
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

/** Away: nothing can be told or done now. */
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
    // By hand, by a stranger, by a fault of ours: only its owner, their key, time or an operator ends a call.
    ctx.log.warn({ call: call.id }, 'the run of an open call has ended; it is started again')
  }
  const patient = state === 'missing' && merelyWaits(call)
  if (!(await startAgain(ctx, call.id, patient))) return 'away'
  // What the engine lost and nobody decided needs no more than that: the first thing a run does is to read the row.
  if (patient) {
    await checkAgain(ctx, call.id, idle)
    return 'started'
  }
  // It may have been decided while there was no run to hear of it.
  await nudgeCall(ctx, call.id)
  await checkAgain(ctx, call.id, 10)
  return 'started'
}

/** Whether the row says that a call which its person must approve goes on without that: somebody changed it. No run would ever send it. */
function wasTamperedWith(call: DueCall): boolean {
  return call.status === 'running' && call.confirm && call.decision !== 'approved'
}

/** Whether the run has not heard yet that its call was decided or is final. */
async function missedNudge(ctx: Context, call: DueCall): Promise<boolean> {
  if (isFinal(call.status)) return true
  // What is to be prepared is a matter of a moment: its run did not hear of it, or waits for the app. One that has just begun knows by itself: an
  // engine that is slow with it is not told more.
  if (call.decision === null)
    return call.prepare_at !== null && call.prepare_at <= new Date() && Date.now() - call.created_at.getTime() > young
  const view = await viewCall(ctx, call.id)
  // One nudge too many does no harm; a run that does not answer may have missed its own.
  return view === undefined || (view !== 'missing' && view?.phase === 'deciding')
}

/** By the row as it is now: it may have been decided since the round began. False: the engine did not take it now. */
async function startAgain(ctx: Context, callId: string, patient: boolean): Promise<boolean> {
  const { rows } = await ctx.db.query<Parameters<typeof callArgs>[0]>('SELECT * FROM calls WHERE id = $1', [callId])
  return rows[0] === undefined || startCall(ctx, callArgs(rows[0]), { again: true, patient })
}

/** Unless something happened to the call meanwhile that set an earlier time. When its time to decide ends, its run is to be there. */
async function checkAgain(ctx: Context, callId: string, seconds: number | null): Promise<void> {
  await ctx.db.query(
    `UPDATE calls SET check_at = CASE WHEN $2::float8 IS NOT NULL THEN least(clock_timestamp() + make_interval(secs => $2),
       CASE WHEN status = 'awaiting_confirmation' AND expires_at > clock_timestamp() THEN expires_at + interval '5 seconds' END) END
     WHERE id = $1 AND check_at <= clock_timestamp()`,
    [callId, seconds],
  )
}

/**
 * Calls whose reason to wait is gone: the pause was lifted, the account works again. An account that works for other endpoints may not for
 * this one (an app that wants a second factor for some things only), so after each try there is a longer pause, up to two minutes.
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
