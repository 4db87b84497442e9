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

/** A part of the sweeping that goes at its own pace: whatever it waits for, and however much it finds, the others go on. */
export interface Lane {
  readonly name: string
  /** Rounds of the sweeper from the end of one of its rounds to the next. */
  readonly every: number
  readonly needsEngine: boolean
  /** One round. True: there is more, so the next one comes at once. */
  round(): Promise<unknown>
}

/** Lanes of whoever leads now, until `stop` is aborted. */
export function lanesOf(ctx: Context, stop: AbortSignal): readonly Lane[] {
  // An engine that was away may have forgotten its rates and its schedule, or missed a change of them. Of which engine each was done: how
  // often one had been lost by then.
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
        // Whoever begins to lead may do so after a restore.
        if (!restored) await repeatErasures(ctx)
        restored = true
        await eraseRound(ctx)
      },
    },
    { name: 'taken away', every: 5, needsEngine: false, round: () => endUnserved(ctx) },
    { name: 'pruning', every: 3_600, needsEngine: false, round: () => prune(ctx) },
  ]
}

/** Goes on until `stop` is aborted. A round that fails is repeated like any other, and is no other lane's matter. */
export async function ride(ctx: Context, lane: Lane, everyMs: number, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    let more = false
    try {
      if (ctx.engine.up || !lane.needsEngine) more = (await lane.round()) === true
    } catch (error) {
      if (!stop.aborted) ctx.log.warn({ lane: lane.name, reason: errorName(error) }, 'a sweep was interrupted')
    }
    // One that did nothing for want of the engine looks for it again soon.
    const rounds = lane.needsEngine && !ctx.engine.up ? 1 : lane.every
    if (!more) await sleep(everyMs * rounds, stop)
  }
}

/** False: the engine did not take it now. */
async function schedule(ctx: Context): Promise<boolean> {
  try {
    await within(ctx, 5_000, () => scheduleHousekeeping(ctx))
    return true
  } catch (error) {
    ctx.log.warn({ reason: errorName(error) }, 'the daily housekeeping was not scheduled; trying again')
    return false
  }
}
