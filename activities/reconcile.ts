import { WorkflowNotFoundError } from '@temporalio/client'
import { isFinal } from '../schemas/call.ts'
import type { Access, CallStatus } from '../schemas/call.ts'
import { endRunning, forgotten } from './callgate.ts'
import type { Context } from './context.ts'
import { decide, withdraw } from './db/calls.ts'
import { isConnectionError } from './db/failures.ts'
import { nudgeCall, startCall, viewCall, within } from './engine.ts'
import { mayHaveSent } from './history.ts'
import { planOf } from './plan.ts'

/** So many calls are looked at in one round, and so many of them at once. */
const batch = 200
const lanes = 8

interface DueCall {
  readonly id: string
  readonly status: CallStatus
  readonly access: Access
  readonly decision: string | null
}

/**
 * One round over all calls that are due: those that the engine does not know are started, decisions that it did not hear of are repeated,
 * runs that were ended by hand are settled.
 */
export async function reconcileCalls(ctx: Context): Promise<void> {
  const { rows: due } = await ctx.db.query<DueCall>(
    'SELECT id, status, access, decision FROM calls WHERE check_at <= now() ORDER BY check_at LIMIT $1',
    [batch],
  )
  const queue = [...due]
  const lane = async (): Promise<void> => {
    for (let call = queue.shift(); call !== undefined; call = queue.shift()) await reconcileOne(ctx, call)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  await releaseHeld(ctx)
}

/** One that cannot be looked after keeps no other from it. */
async function reconcileOne(ctx: Context, call: DueCall): Promise<void> {
  try {
    await reconcile(ctx, call)
  } catch (error) {
    if (isConnectionError(error)) throw error
    ctx.log.error({ call: call.id, err: error }, 'a call could not be looked after; it is tried again in a minute')
    await checkAgain(ctx, call.id, 60)
  }
}

async function reconcile(ctx: Context, call: DueCall): Promise<void> {
  const state = await runState(ctx, call.id)
  if (state === 'away') return
  if (state === 'running') {
    if ((await missedNudge(ctx, call)) && !(await nudgeCall(ctx, call.id))) return
    // Nothing can be missed while nobody has decided; everything else is looked at again soon.
    return checkAgain(ctx, call.id, call.status === 'awaiting_confirmation' ? 600 : 30)
  }
  if (isFinal(call.status)) return checkAgain(ctx, call.id, null)
  if (state === 'missing') {
    await startAgain(ctx, call.id)
    // It may have been decided while there was no run to hear of it.
    await nudgeCall(ctx, call.id)
    return checkAgain(ctx, call.id, 10)
  }
  await settleEnded(ctx, call)
}

/** Whether the run has not heard yet that its call was decided or is final. */
async function missedNudge(ctx: Context, call: DueCall): Promise<boolean> {
  if (isFinal(call.status)) return true
  if (call.decision === null) return false
  const view = await viewCall(ctx, call.id)
  // One nudge too many does no harm; a run that does not answer may have missed its own.
  return view === undefined || (view !== 'missing' && view.phase === 'deciding')
}

/**
 * The run ended while its call is open: by hand (terminated, cancelled, failed), or this database was put back to an older copy.
 * What was not sent never will be; the row proves it, unless the engine remembers more than the row does.
 */
async function settleEnded(ctx: Context, call: DueCall): Promise<void> {
  const sent = call.access === 'write' && (await mayHaveSent(ctx, call.id))
  if (sent === undefined) return
  ctx.log.warn({ call: call.id }, 'the run of an open call has ended; settling the call')
  if (sent) return void (await forgotten(ctx, call.id))
  if (await decide(ctx.db, call.id, 'cancelled', 'operator')) return
  if (await withdraw(ctx.db, call.id)) return
  await endRunning(ctx, call.id, call.access === 'write' ? 'unknown' : 'failed')
}

async function runState(ctx: Context, callId: string): Promise<'running' | 'ended' | 'missing' | 'away'> {
  try {
    const run = await within(ctx, 5_000, () => ctx.temporal.workflow.getHandle(callId).describe())
    return run.status.name === 'RUNNING' ? 'running' : 'ended'
  } catch (error) {
    return error instanceof WorkflowNotFoundError ? 'missing' : 'away'
  }
}

async function startAgain(ctx: Context, callId: string): Promise<void> {
  const { rows } = await ctx.db.query<Parameters<typeof planOf>[0]>('SELECT * FROM calls WHERE id = $1', [callId])
  if (rows[0]) await startCall(ctx, planOf(rows[0]))
}

/** Unless something happened to the call meanwhile that set an earlier time. */
async function checkAgain(ctx: Context, callId: string, seconds: number | null): Promise<void> {
  await ctx.db.query(
    `UPDATE calls SET check_at = clock_timestamp() + make_interval(secs => $2)
     WHERE id = $1 AND check_at <= clock_timestamp()`,
    [callId, seconds],
  )
}

/**
 * Calls whose reason to wait is gone: the pause was lifted, the account works again. An account that works for other endpoints may not for
 * this one (an app that wants a second factor for some things only), so after each try there is a longer pause, up to two minutes.
 */
async function releaseHeld(ctx: Context): Promise<void> {
  const { rows } = await ctx.db.query<{ id: string }>(
    `SELECT c.id FROM calls c JOIN accounts a ON a.id = c.account
     LEFT JOIN pauses p ON p.account = c.account AND p.endpoint = c.endpoint
     WHERE c.waiting_for IS NOT NULL AND c.status = 'running' AND c.send = 'ready' AND c.confirm AND (
       (c.waiting_for = 'blocked' AND p.account IS NULL)
       OR (c.waiting_for = 'reconnect' AND a.state IN ('connected', 'disconnected')
           AND c.updated_at <= clock_timestamp() - make_interval(secs => 2 ^ (least(c.attempt, 8) - 1) - 1)))
     LIMIT $1`,
    [batch],
  )
  for (const { id } of rows) await nudgeCall(ctx, id)
}
