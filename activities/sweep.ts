import { setTimeout as sleep } from 'node:timers/promises'
import { WorkflowNotFoundError } from '@temporalio/client'
import type { PoolClient } from 'pg'
import { isFinal } from '../schemas/call.ts'
import type { CallStatus } from '../schemas/call.ts'
import { endRunning, forgotten } from './callgate.ts'
import type { Context } from './context.ts'
import { decide, withdraw } from './db/calls.ts'
import { errorName, nudgeCall, startCall, viewCall, within } from './engine.ts'
import { mayHaveSent } from './history.ts'
import { pruneNotices, startNotices } from './notices/start.ts'
import { applyPacing, pacingDue } from './pacing.ts'
import { planOf } from './plan.ts'
import { rewrapDataKeys } from './rotation.ts'
import type { Running } from './send-worker.ts'

const sweeperLock = 7_233_299
const batch = 200
/** Rounds between two clean-ups: about an hour. */
const pruneEvery = 3_600

interface DueCall {
  readonly id: string
  readonly status: CallStatus
  readonly access: 'read' | 'write'
  readonly decision: string | null
}

/**
 * Brings Postgres and the engine together, in both directions: calls that the engine does not know are started, decisions that it did not
 * hear of are repeated, runs that were ended by hand are settled. Of several processes one sweeps, whoever holds the lock.
 */
export function startSweeper(ctx: Context, everyMs = 1_000): Running {
  const stopped = new AbortController()
  const run = (async () => {
    while (!stopped.signal.aborted) {
      try {
        await sweepWhileLeading(ctx, everyMs, stopped.signal)
      } catch (error) {
        if (!stopped.signal.aborted) ctx.log.warn({ reason: errorName(error) }, 'a sweep was interrupted')
      }
      await pause(everyMs, stopped.signal)
    }
  })()
  return {
    async stop() {
      stopped.abort()
      await run
    },
  }
}

async function sweepWhileLeading(ctx: Context, everyMs: number, stop: AbortSignal): Promise<void> {
  const leader = await ctx.db.connect()
  let broken: Error | undefined
  leader.on('error', (error) => {
    broken = error
  })
  try {
    const { rows } = await leader.query<{ leads: boolean }>('SELECT pg_try_advisory_lock($1) AS leads', [sweeperLock])
    if (rows[0]?.leads !== true) return
    await rotateKeys(ctx)
    // An engine that was away may have forgotten its rates, or missed a change of them.
    let paced = false
    for (let round = 0; !stop.aborted; round++) {
      await leader.query('SELECT 1')
      if (round % pruneEvery === 0) await prune(ctx)
      const { up } = ctx.engine
      paced = up && (await reconcilePacing(ctx, paced))
      if (up) await sweep(ctx)
      if (up) await startNotices(ctx)
      await pause(everyMs, stop)
    }
    await leader.query('SELECT pg_advisory_unlock($1)', [sweeperLock])
  } catch (error) {
    broken ??= error instanceof Error ? error : new Error('a sweep failed')
    throw error
  } finally {
    release(leader, broken)
  }
}

/** A key that cannot be wrapped anew, because an earlier one is missing, keeps nobody from sweeping. */
async function rotateKeys(ctx: Context): Promise<void> {
  try {
    const wrapped = await rewrapDataKeys(ctx)
    if (wrapped > 0) ctx.log.info({ wrapped }, 'data keys were wrapped with the newest key-encryption key')
  } catch (error) {
    ctx.log.error({ err: error }, 'data keys could not be wrapped with the newest key-encryption key')
  }
}

/** A connection that may still hold the lock must not go back to the pool. */
function release(leader: PoolClient, broken: Error | undefined): void {
  leader.removeAllListeners('error')
  leader.release(broken)
}

/** One round over everything that is due. */
export async function sweep(ctx: Context): Promise<void> {
  const { rows: due } = await ctx.db.query<DueCall>(
    'SELECT id, status, access, decision FROM calls WHERE check_at <= clock_timestamp() ORDER BY check_at LIMIT $1',
    [batch],
  )
  const queue = [...due]
  const lane = async (): Promise<void> => {
    for (let call = queue.shift(); call !== undefined; call = queue.shift()) await reconcile(ctx, call)
  }
  await Promise.all(Array.from({ length: 8 }, lane))
  await releaseHeld(ctx)
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

/** Calls whose reason to wait is gone: the pause was lifted, the account works again. */
async function releaseHeld(ctx: Context): Promise<void> {
  const { rows } = await ctx.db.query<{ id: string }>(
    `SELECT c.id FROM calls c JOIN accounts a ON a.id = c.account
     LEFT JOIN pauses p ON p.account = c.account AND p.endpoint = c.endpoint
     WHERE c.waiting_for IS NOT NULL AND c.status = 'running' AND c.send = 'ready' AND c.confirm AND (
       (c.waiting_for = 'blocked' AND p.account IS NULL)
       OR (c.waiting_for = 'reconnect' AND a.state IN ('connected', 'disconnected')))
     LIMIT $1`,
    [batch],
  )
  for (const { id } of rows) await nudgeCall(ctx, id)
}

/** What nobody needs any more: windows of keys and addresses that fell silent, browser sessions that are over. */
async function prune(ctx: Context): Promise<void> {
  await ctx.db.query(`DELETE FROM rate_limits WHERE hits[cardinality(hits)] < clock_timestamp() - interval '1 hour'`)
  await ctx.db.query('DELETE FROM web_sessions WHERE expires_at < clock_timestamp()')
  await pruneNotices(ctx)
}

/**
 * All rates, or once they are in place (`paced`) those that were changed and did not get through. False: the engine did not take them
 * now. That must not keep calls from being looked after.
 */
async function reconcilePacing(ctx: Context, paced: boolean): Promise<boolean> {
  const due = paced ? new Set(await pacingDue(ctx.db)) : undefined
  try {
    for (const { slug } of ctx.apps.all) if (due?.has(slug) !== false) await applyPacing(ctx, slug)
    return true
  } catch (error) {
    ctx.log.warn(
      { reason: errorName(error), code: statusOf(error) },
      'the rates of the apps were not set; trying again',
    )
    return false
  }
}

/** The gRPC status code of an engine's refusal. */
function statusOf(error: unknown): number | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : undefined
}

async function pause(ms: number, stop: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal: stop }).catch((error: Error) => {
    if (error.name !== 'AbortError') throw error
  })
}
