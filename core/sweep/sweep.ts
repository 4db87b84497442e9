import { pruneWebSessions } from '../users/web-sessions.ts'
import { endUnserved } from '../connectors/unserved.ts'
import { forgetTraces } from '../connectors/traces.ts'
import { forgetTries } from '../connectors/tries.ts'
import { forgetAnswersDue } from '../calls/answers-due.ts'
import type { Context } from '../context.ts'
import { errorName } from '../error-labels.ts'
import { within } from '../temporal/deadline.ts'
import { scheduleHousekeeping } from './housekeeping-schedule.ts'
import { forgetOAuth } from '../oauth/tokens.ts'
import { pruneNotices, startNotices } from '../notices/start.ts'
import { reconcilePacing } from '../temporal/pacing.ts'
import { pruneSecurityLog } from '../security-log.ts'
import { repeat } from '../retry.ts'
import { sleep } from '../sleep.ts'
import { reconcileCalls } from '../calls/reconcile.ts'
import { approvalKeys } from '../secrets/approval-keys.ts'
import { ageDataKeys } from '../secrets/data-keys.ts'
import { rewrapDataKeys } from '../secrets/rotation.ts'
import { forgetOutcomes } from '../watch/outcomes.ts'
import { startWatches } from '../watch/start.ts'
import type { Stoppable } from '../stoppable.ts'

const sweeperLock = 7_233_299
/**
 * Who leads and says nothing for so long leads no more: a process that was stopped, or whose machine vanished, would otherwise keep the
 * lock until the network notices, which may take hours. In ms.
 */
const silence = 60_000
/** Rounds between two tries to bring the engine the rates that it has not taken, and to end calls of what operators took away. */
const paceEvery = 5
/** Rounds between two clean-ups: about an hour. */
const pruneEvery = 3_600

/** Brings Postgres and the engine together, in both directions, round after round. Of several processes one sweeps: who holds the lock. */
export function startSweeper(ctx: Context, everyMs = 1_000, silenceMs = silence): Stoppable {
  const stopped = new AbortController()
  const stop = stopped.signal
  const run = repeat(() => sweepWhileLeading(ctx, { everyMs, silenceMs }, stop), {
    every: everyMs,
    stop,
    onError: (error) => ctx.log.warn({ reason: errorName(error) }, 'a sweep was interrupted'),
  })
  return {
    async stop() {
      stopped.abort()
      await run
    },
  }
}

async function sweepWhileLeading(
  ctx: Context,
  { everyMs, silenceMs }: { readonly everyMs: number; readonly silenceMs: number },
  stop: AbortSignal,
): Promise<void> {
  const leader = await ctx.db.connect()
  let broken: Error | undefined
  const onError = (error: Error): void => {
    broken = error
  }
  leader.on('error', onError)
  try {
    const { rows } = await leader.query<{ leads: boolean }>('SELECT pg_try_advisory_lock($1) AS leads', [sweeperLock])
    if (rows[0]?.leads !== true) return
    await leader.query(`SELECT set_config('idle_session_timeout', $1, false)`, [String(silenceMs)])
    await rotateKeys(ctx)
    await missKeys(ctx)
    // An engine that was away may have forgotten its rates and its schedule, or missed a change of them.
    let prepared = false
    for (let round = 0; !stop.aborted; round++) {
      await leader.query('SELECT 1')
      if (round % pruneEvery === 0) await prune(ctx)
      const { up } = ctx.engine
      if (round % paceEvery === 0) await endUnserved(ctx)
      if (up && (!prepared || round % paceEvery === 0)) await reconcilePacing(ctx, prepared)
      prepared = up && (prepared || (await schedule(ctx)))
      if (up) await reconcileCalls(ctx)
      if (up) await startNotices(ctx)
      if (up && round % paceEvery === 0) await startWatches(ctx)
      await sleep(everyMs, stop)
    }
    await leader.query('RESET idle_session_timeout')
    await leader.query('SELECT pg_advisory_unlock($1)', [sweeperLock])
  } catch (error) {
    broken ??= error instanceof Error ? error : new Error('a sweep failed')
    throw error
  } finally {
    leader.off('error', onError)
    // A connection that may still hold the lock must not go back to the pool.
    leader.release(broken)
  }
}

/** False: the engine did not take it now. That must not keep calls from being looked after. */
async function schedule(ctx: Context): Promise<boolean> {
  try {
    await within(ctx, 5_000, () => scheduleHousekeeping(ctx))
    return true
  } catch (error) {
    ctx.log.warn({ reason: errorName(error) }, 'the daily housekeeping was not scheduled; trying again')
    return false
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

/** Says which approvals count no more because the key that signed them is gone. */
async function missKeys(ctx: Context): Promise<void> {
  const missing = (await approvalKeys(ctx)).filter(({ known }) => !known)
  for (const use of missing) ctx.log.error(use, 'an approval key that is still needed is not in the key file')
}

/**
 * What nobody needs any more: windows of keys and addresses that fell silent, browser sessions that are over, old notices. What fails
 * keeps nobody from sweeping.
 */
async function prune(ctx: Context): Promise<void> {
  try {
    await ctx.db.query(
      `DELETE FROM rate_limits WHERE coalesce(hits[cardinality(hits)], '-infinity') < now() - interval '1 hour'`,
    )
    await pruneWebSessions(ctx.db)
    await pruneNotices(ctx)
    await pruneSecurityLog(ctx.db)
    await forgetOAuth(ctx.db)
    await forgetTries(ctx.db)
    await forgetAnswersDue(ctx.db)
    await forgetTraces(ctx.db)
    await forgetOutcomes(ctx.db)
    await ageDataKeys(ctx)
  } catch (error) {
    ctx.log.error({ err: error }, 'what is old was not cleared away; it is tried again in an hour')
  }
}
