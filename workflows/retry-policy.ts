import type { CallArgs, ReconnectCode, SendOutcome } from '../schemas/call.ts'

const second = 1_000
const hour = 3_600 * second
/** Pauses between the four attempts of a call that nobody approved, in ms. */
const quickPauses = [1 * second, 2 * second, 4 * second]
/** How long a call without an approval waits out an app's 429: as long as a client waits by default. */
const clientWait = 25 * second
/** How long an approved call waits for the app, or for the person. */
const longestWait = { blocked: 24 * hour, reconnect: 72 * hour }
/**
 * What an approved call waits at least before it tries again, in ms, doubled each time: an app that says "at once" all day, or two clocks
 * that differ, would fill the run's history, and the engine ends a run whose history is full.
 */
const leastPause = { first: 1 * second, longest: 120 * second }

/** What an approved call waits for, until when at most, and the end of its last wait. */
interface Waiting {
  readonly reason: keyof typeof longestWait
  readonly end: number
  readonly waitedUntil: number
}

type Held = Exclude<SendOutcome, { kind: 'final' } | { kind: 'again' } | { kind: 'asked_again' }>
type Wait = { readonly until: number } | { readonly code: 'TARGET_BLOCKED' | ReconnectCode }

/** How long a call goes on trying. Source: contract, "When the app blocks us" and "A call". Times in ms since the epoch. */
export class RetryPolicy {
  private readonly args: CallArgs
  private readonly countsOrdered: () => boolean
  private quickBlocks = 0
  private holds = 0
  private waiting: Waiting | undefined

  /** `countsOrdered`: whether only the waits that were ordered here count; calls of before go by the clock. */
  constructor(args: CallArgs, countsOrdered: () => boolean) {
    this.args = args
    this.countsOrdered = countsOrdered
  }

  /** When to try again after what just happened, or with which code to give up. */
  after(outcome: Held, now: number): Wait {
    if (outcome.kind !== 'reconnect' && !this.args.confirm) return this.unapproved(outcome, now)
    const reason = outcome.kind === 'reconnect' ? 'reconnect' : 'blocked'
    const end = this.end(reason, now)
    if (now >= end) return { code: outcome.kind === 'reconnect' ? outcome.code : 'TARGET_BLOCKED' }
    const until = outcome.kind === 'reconnect' ? end : Math.min(this.nextTry(outcome.retryAt, now), end)
    this.waiting = { reason, end, waitedUntil: until }
    return { until }
  }

  /** The wait is over now, perhaps before its time. When it is noticed late, the rest was no wait of ours. */
  waited(now: number): void {
    const { waiting } = this
    this.waiting = waiting && { ...waiting, waitedUntil: Math.min(now, waiting.waitedUntil) }
  }

  /** What passed since the last wait was the queue's, an operator's pause, or a worker's that was away: neither app nor person had it. */
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
