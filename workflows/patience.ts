import type { CallPlan, ReconnectCode, SendOutcome } from '../schemas/call.ts'

const second = 1_000
const hour = 3_600 * second
/** Pauses between the four attempts of a call that nobody approved, in ms. */
const quickPauses = [1 * second, 2 * second, 4 * second]
/** How long a call without an approval waits out an app's 429: as long as a client waits by default. */
const clientWait = 25 * second
const blockedPatience = 24 * hour
const reconnectPatience = 72 * hour
/**
 * What an approved call waits at least before it tries again, in ms, doubled each time: an app that says "at once" all day, or two clocks
 * that differ, would fill the run's history, and the engine ends a run whose history is full.
 */
const leastPause = { first: 1 * second, longest: 120 * second }

type Held = Exclude<SendOutcome, { kind: 'final' } | { kind: 'again' }>
type Wait = { readonly until: number } | { readonly code: 'TARGET_BLOCKED' | ReconnectCode }

/** How long a call goes on trying. Source: contract, "When the app blocks us" and "A call". Times in ms since the epoch. */
export class Patience {
  private readonly plan: CallPlan
  private quickBlocks = 0
  private holds = 0
  private blockedSince: number | undefined
  private reconnectSince: number | undefined

  constructor(plan: CallPlan) {
    this.plan = plan
  }

  /** When to try again after what just happened, or with which code to give up. */
  after(outcome: Held, now: number): Wait {
    if (outcome.kind === 'reconnect') {
      this.blockedSince = undefined
      this.reconnectSince ??= now
      const until = this.reconnectSince + reconnectPatience
      return now < until ? { until } : { code: outcome.code }
    }
    this.reconnectSince = undefined
    return this.plan.confirm ? this.approved(outcome, now) : this.unapproved(outcome, now)
  }

  private approved(outcome: Held & { retryAt: number }, now: number): Wait {
    this.blockedSince ??= now
    const end = this.blockedSince + blockedPatience
    const least = now + Math.min(leastPause.first * 2 ** this.holds++, leastPause.longest)
    return now < end ? { until: Math.min(Math.max(outcome.retryAt, least), end) } : { code: 'TARGET_BLOCKED' }
  }

  private unapproved(outcome: Held & { retryAt: number }, now: number): Wait {
    if (outcome.kind === 'rate_limited') {
      const inTime = outcome.retryAt <= this.plan.acceptedAt + clientWait
      return inTime ? { until: outcome.retryAt } : { code: 'TARGET_BLOCKED' }
    }
    const pause = quickPauses[this.quickBlocks++]
    return pause === undefined ? { code: 'TARGET_BLOCKED' } : { until: now + pause }
  }
}
