import type { CallArgs, ReconnectCode, SendOutcome } from '../schemas/call.ts'

const second = 1_000
const hour = 3_600 * second
/** Pauses between the four attempts of a call without approval (ms). */
const quickPauses = [1 * second, 2 * second, 4 * second]
/** How long a call without approval waits out an app's 429: a client's default wait (ms). */
const clientWait = 25 * second
/** How long an approved call waits for the app, or for the user to sign in again (ms). */
const longestWait = { blocked: 24 * hour, reconnect: 72 * hour }
/**
 * Minimum pause of an approved call (ms), doubled each time: an app that says "at once" all day, or
 * clock skew, would fill the run's history, and Temporal ends a run whose history is full.
 */
const leastPause = { first: 1 * second, longest: 120 * second }

/** What an approved call waits for, its deadline, and the end of its last wait. */
interface Waiting {
  readonly reason: keyof typeof longestWait
  readonly end: number
  readonly waitedUntil: number
}

type Held = Exclude<SendOutcome, { kind: 'final' } | { kind: 'again' } | { kind: 'asked_again' }>
type Wait = { readonly until: number } | { readonly code: 'TARGET_BLOCKED' | ReconnectCode }

/** When to retry. Source: contract, "When the app blocks us" and "A call". Ms since the epoch. */
export class RetryPolicy {
  private readonly args: CallArgs
  private readonly countsOrdered: () => boolean
  private quickBlocks = 0
  private holds = 0
  private waiting: Waiting | undefined

  /** `countsOrdered`: count only waits that were requested here; older runs go by the clock. */
  constructor(args: CallArgs, countsOrdered: () => boolean) {
    this.args = args
    this.countsOrdered = countsOrdered
  }

  /** When to retry after this outcome, or the code to give up with. */
  after(outcome: Held, now: number): Wait {
    if (outcome.kind !== 'reconnect' && !this.args.confirm) return this.unapproved(outcome, now)
    const reason = outcome.kind === 'reconnect' ? 'reconnect' : 'blocked'
    const end = this.end(reason, now)
    if (now >= end) return { code: outcome.kind === 'reconnect' ? outcome.code : 'TARGET_BLOCKED' }
    const until = outcome.kind === 'reconnect' ? end : Math.min(this.nextTry(outcome.retryAt, now), end)
    this.waiting = { reason, end, waitedUntil: until }
    return { until }
  }

  /** The wait is over, perhaps early. Time after its planned end does not count as waiting. */
  waited(now: number): void {
    const { waiting } = this
    this.waiting = waiting && { ...waiting, waitedUntil: Math.min(now, waiting.waitedUntil) }
  }

  /** Time since the last wait (queue, operator's pause, worker outage) extends the deadline. */
  private end(reason: Waiting['reason'], now: number): number {
    const { waiting } = this
    if (waiting?.reason !== reason) return now + longestWait[reason]
    return this.countsOrdered() ? waiting.end + now - waiting.waitedUntil : waiting.end
  }

  private nextTry(retryAt: number, now: number): number {
    return Math.max(retryAt, now + Math.min(leastPause.first * 2 ** this.holds++, leastPause.longest))
  }

  private unapproved(outcome: Held & { retryAt: number }, now: number): Wait {
    if (outcome.kind === 'rate_limited') {
      const inTime = outcome.retryAt <= this.args.acceptedAt + clientWait
      return inTime ? { until: outcome.retryAt } : { code: 'TARGET_BLOCKED' }
    }
    const pause = quickPauses[this.quickBlocks++]
    return pause === undefined ? { code: 'TARGET_BLOCKED' } : { until: now + pause }
  }
}
