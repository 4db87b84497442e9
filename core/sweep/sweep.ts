import type { Context } from '../context.ts'
import { errorName } from '../error-labels.ts'
import { repeat } from '../retry.ts'
import { sleep } from '../sleep.ts'
import type { Stoppable } from '../stoppable.ts'
import { lanesOf, ride } from './lanes.ts'

const sweeperLock = 7_233_299
/**
 * A leader that is silent for this long (ms) loses the lock: a stopped process or vanished machine
 * would otherwise keep it until the network notices, perhaps for hours.
 */
const silence = 60_000

/** Reconciles Postgres and Temporal in both directions. Only the process with the lock sweeps. */
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
  const lost = new AbortController()
  const over = AbortSignal.any([stop, lost.signal])
  let broken: Error | undefined
  const onError = (error: Error): void => {
    broken = error
    lost.abort()
  }
  leader.on('error', onError)
  let sweeping: Promise<unknown> = Promise.resolve()
  try {
    const { rows } = await leader.query<{ leads: boolean }>('SELECT pg_try_advisory_lock($1) AS leads', [sweeperLock])
    if (rows[0]?.leads !== true) return
    await leader.query(`SELECT set_config('idle_session_timeout', $1, false)`, [String(silenceMs)])
    sweeping = Promise.all(lanesOf(ctx, over).map((lane) => ride(ctx, lane, everyMs, over)))
    // Heartbeat of the leader, whatever the lanes are doing.
    while (!over.aborted) {
      await leader.query('SELECT 1')
      await sleep(everyMs, over)
    }
    if (broken !== undefined) throw broken
    await sweeping
    await leader.query('RESET idle_session_timeout')
    await leader.query('SELECT pg_advisory_unlock($1)', [sweeperLock])
  } catch (error) {
    broken ??= error instanceof Error ? error : new Error('a sweep failed')
    throw error
  } finally {
    lost.abort()
    await sweeping
    leader.off('error', onError)
    // A connection that may still hold the lock must not return to the pool.
    leader.release(broken)
  }
}
