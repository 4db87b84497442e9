import { reconcileCalls, releaseHeld } from '../calls/reconcile.ts'
import { endStuckRuns } from '../calls/stuck-runs.ts'
import { endUnserved } from '../connectors/unserved.ts'
import { SessionChecks } from '../accounts/session-checks.ts'
import type { Context } from '../context.ts'
import { errorName } from '../error-labels.ts'
import { sendMails } from '../mails/send.ts'
import { startNotices } from '../notices/start.ts'
import { eraseRound, repeatErasures } from '../personal-data/erase.ts'
import { sleep } from '../sleep.ts'
import { within } from '../temporal/deadline.ts'
import { reconcilePacing } from '../temporal/pacing.ts'
import { startWatches } from '../watch/start.ts'
import { scheduleHousekeeping } from './housekeeping-schedule.ts'
import { missKeys, rotateKeys } from './keys.ts'
import { prune } from './prune.ts'

/** A part of the sweeper with its own loop: a slow or failing lane does not hold up the others. */
export interface Lane {
  readonly name: string
  /** Pause between two rounds, in rounds of the sweeper. */
  readonly every: number
  readonly needsEngine: boolean
  /** One round. True: there is more, so the next round starts at once. */
  round(): Promise<unknown>
}

/** Lanes of the leading process, until `stop` is aborted. */
export function lanesOf(ctx: Context, stop: AbortSignal): readonly Lane[] {
  // Number of outages at the last success: after another one Temporal may lack rates or schedule.
  const done = { rates: -1, schedule: -1 }
  const checks = new SessionChecks(ctx)
  let keysDone = false
  let restored = false
  return [
    { name: 'pressing calls', every: 1, needsEngine: true, round: () => reconcileCalls(ctx, 'pressing', stop) },
    { name: 'waiting calls', every: 1, needsEngine: true, round: () => reconcileCalls(ctx, 'waiting', stop) },
    { name: 'held', every: 1, needsEngine: true, round: () => releaseHeld(ctx) },
    { name: 'stuck runs', every: 60, needsEngine: true, round: () => endStuckRuns(ctx) },
    { name: 'notices', every: 1, needsEngine: true, round: () => startNotices(ctx) },
    { name: 'session checks', every: 5, needsEngine: true, round: () => checks.round() },
    { name: 'watches', every: 5, needsEngine: true, round: () => startWatches(ctx) },
    {
      name: 'pacing',
      every: 5,
      needsEngine: true,
      async round() {
        const { losses } = ctx.engine
        await reconcilePacing(ctx, done.rates === losses)
        done.rates = losses
      },
    },
    {
      name: 'schedule',
      every: 5,
      needsEngine: true,
      async round() {
        const { losses } = ctx.engine
        if (done.schedule !== losses && (await schedule(ctx))) done.schedule = losses
      },
    },
    {
      name: 'keys',
      every: 5,
      needsEngine: false,
      async round() {
        if (keysDone) return
        await rotateKeys(ctx, stop)
        await missKeys(ctx)
        keysDone = true
      },
    },
    { name: 'mails', every: 1, needsEngine: false, round: () => sendMails(ctx) },
    {
      name: 'erasures',
      every: 2,
      needsEngine: false,
      async round() {
        // The database may have been restored before this process became the leader.
        if (!restored) await repeatErasures(ctx)
        restored = true
        await eraseRound(ctx)
      },
    },
    { name: 'taken away', every: 5, needsEngine: false, round: () => endUnserved(ctx) },
    { name: 'pruning', every: 3_600, needsEngine: false, round: () => prune(ctx) },
  ]
}

/** Runs the lane until `stop` is aborted. A failed round is logged and repeated as usual. */
export async function ride(ctx: Context, lane: Lane, everyMs: number, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    let more = false
    try {
      if (ctx.engine.up || !lane.needsEngine) more = (await lane.round()) === true
    } catch (error) {
      if (!stop.aborted) ctx.log.warn({ lane: lane.name, reason: errorName(error) }, 'a sweep was interrupted')
    }
    // Skipped because Temporal is down: retry next round.
    const rounds = lane.needsEngine && !ctx.engine.up ? 1 : lane.every
    if (!more) await sleep(everyMs * rounds, stop)
  }
}

/** False: Temporal did not accept it. */
async function schedule(ctx: Context): Promise<boolean> {
  try {
    await within(ctx, 5_000, () => scheduleHousekeeping(ctx))
    return true
  } catch (error) {
    ctx.log.warn({ reason: errorName(error) }, 'the daily housekeeping was not scheduled; trying again')
    return false
  }
}
