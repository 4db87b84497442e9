import { releaseForPreparing } from '../approvals/prepare-rows.ts'
import { isFinal } from '../../schemas/call.ts'
import { forgotten } from './forgotten.ts'
import type { Context } from '../context.ts'
import type { Db } from '../database/pool.ts'
import { logUnopened, noteTampered } from '../security-log.ts'
import { withdraw } from './rows.ts'
import type { CallRow } from './rows.ts'
import { isConnectionError } from '../database/failures.ts'
import { nudgeCall, startCall, viewCall } from '../temporal/call-runs.ts'
import { mayHaveSent } from './history.ts'
import { callArgs } from './workflow-args.ts'
import { endStrange, runState } from './run-state.ts'

/** So many calls are looked at in one round, and so many of them at once. */
const batch = 200
const lanes = 8
/** So many of the longest due are looked through for what is chosen: behind more, what is decided may stand, too. */
const outlook = 20 * batch
/** A call that the engine, or the rows beside it, say nothing of now keeps its place from no other for so long, in seconds. */
const later = 5
/** What merely waits for its person is looked at again so many seconds later: what happens to it sets an earlier time. */
const idle = 86_400

/** What of a due call is looked at: its arguments, and where it stands. */
type DueCall = Parameters<typeof callArgs>[0] & Pick<CallRow, 'status' | 'decision' | 'send' | 'prepare_at'>
const columns = `id, owner, app, endpoint, account, access, confirm, status, decision, decided_at, expires_at, created_at, send, attempt, round, prepare_at`

/**
 * One round over all calls that are due: those that the engine does not know are started, decisions that it did not hear of are repeated,
 * runs that ended before their call did are started again. Returns whether more may be due.
 */
export async function reconcileCalls(ctx: Context): Promise<boolean> {
  const due = await dueCalls(ctx.db)
  const queue = [...due]
  const lane = async (): Promise<void> => {
    for (let call = queue.shift(); call !== undefined; call = queue.shift()) await reconcileOne(ctx, call)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return due.length === batch
}

/** Those due the longest, by turns of what merely waits for its person and of what somebody waits for: neither stands behind many of the other. */
export async function dueCalls(db: Db): Promise<readonly DueCall[]> {
  const { rows } = await db.query<DueCall>(
    `SELECT ${columns} FROM (
       SELECT due.*, row_number() OVER (PARTITION BY status = 'awaiting_confirmation' AND prepare_at IS NULL ORDER BY check_at) AS turn
       FROM (SELECT ${columns}, check_at FROM calls WHERE check_at <= now() ORDER BY check_at LIMIT $2) due
     ) taken ORDER BY turn, check_at LIMIT $1`,
    [batch, outlook],
  )
  return rows
}

/** One that cannot be looked after keeps no other from it. */
async function reconcileOne(ctx: Context, call: DueCall): Promise<void> {
  try {
    if (!(await reconcile(ctx, call))) await checkAgain(ctx, call.id, later)
  } catch (error) {
    if (isConnectionError(error)) throw error
    logUnopened(ctx, { call: call.id }, error, 'a call could not be looked after; it is tried again in a minute')
    await checkAgain(ctx, call.id, 60)
  }
}

/** False: nothing can be told or done now. */
async function reconcile(ctx: Context, call: DueCall): Promise<boolean> {
  const state = await runState(ctx, call)
  if (state === 'away' || (state === 'strange' && !(await endStrange(ctx, call.id)))) return false
  if (state === 'running') {
    if ((await missedNudge(ctx, call)) && !(await nudgeCall(ctx, call.id))) return false
    await checkAgain(ctx, call.id, merelyWaits(call) ? idle : 30)
    return true
  }
  if (isFinal(call.status)) {
    await checkAgain(ctx, call.id, null)
    return true
  }
  if (wasTamperedWith(call) && (await withdraw(ctx.db, call.id))) {
    ctx.log.error({ call: call.id }, 'the row of a call was changed from outside; the call is withdrawn')
    noteTampered(ctx, `call:${call.id}`)
    return true
  }
  if (state === 'ended') {
    const sent = call.access === 'write' && (await mayHaveSent(ctx, call))
    if (sent === undefined) return false
    if (sent) {
      await forgotten(ctx, call.id)
      return true
    }
    // By hand, by a stranger, by a fault of ours: only its owner, their key, time or an operator ends a call.
    ctx.log.warn({ call: call.id }, 'the run of an open call has ended; it is started again')
  }
  await startAgain(ctx, call.id)
  // It may have been decided while there was no run to hear of it.
  await nudgeCall(ctx, call.id)
  await checkAgain(ctx, call.id, 10)
  return true
}

/** Nothing can be missed while nobody has decided. */
function merelyWaits(call: DueCall): boolean {
  return call.status === 'awaiting_confirmation' && call.prepare_at === null
}

/** Whether the row says that a call which its person must approve goes on without that: somebody changed it. No run would ever send it. */
function wasTamperedWith(call: DueCall): boolean {
  return call.status === 'running' && call.confirm && call.decision !== 'approved'
}

/** Whether the run has not heard yet that its call was decided or is final. */
async function missedNudge(ctx: Context, call: DueCall): Promise<boolean> {
  if (isFinal(call.status)) return true
  // What is to be prepared is a matter of a moment: its run did not hear of it, or waits for the app.
  if (call.decision === null) return call.prepare_at !== null && call.prepare_at <= new Date()
  const view = await viewCall(ctx, call.id)
  // One nudge too many does no harm; a run that does not answer may have missed its own.
  return view === undefined || (view !== 'missing' && view?.phase === 'deciding')
}

/** By the row as it is now: it may have been decided since the round began. */
async function startAgain(ctx: Context, callId: string): Promise<void> {
  const { rows } = await ctx.db.query<Parameters<typeof callArgs>[0]>('SELECT * FROM calls WHERE id = $1', [callId])
  if (rows[0]) await startCall(ctx, callArgs(rows[0]), true)
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
    [batch],
  )
  for (const { id } of rows) await nudgeCall(ctx, id)
  for (const id of await releaseForPreparing(ctx.db, batch)) await nudgeCall(ctx, id)
}
