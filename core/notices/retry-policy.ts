import type { ApplicationFailure } from '@temporalio/activity'
import { tryAgainIn } from '../temporal/failures.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** Pauses after the first, second … failed try, in ms; the last one repeats. */
const pauses = {
  webhook: [5 * second, minute, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour],
  // A call waits for days only, and one message tells of all that wait.
  email: [5 * second, minute, 5 * minute, 15 * minute],
  push: [5 * second, minute, 5 * minute, 15 * minute],
  ntfy: [5 * second, minute, 5 * minute, 15 * minute],
} as const satisfies Record<string, readonly number[]>

export type Channel = keyof typeof pauses
/** What people read. */
export type PersonChannel = Exclude<Channel, 'webhook'>

/** How long a notice is tried, in ms, counted from its first try. One that waits for its turn behind others waits as long for it. */
export const retryWindow = 72 * hour

/**
 * How long to wait in ms after a failed try, `tries` of them by now, the first of them `trying` ms ago; null: no more. Up to a tenth is
 * added by chance (`spread`, 0 to 1), so that what failed together does not come back together. The last try is at the very end.
 */
export function pauseAfter(channel: Channel, tries: number, trying: number, spread = Math.random()): number | null {
  const left = retryWindow - trying
  if (left <= 0) return null
  const steps = pauses[channel]
  const step = steps[Math.min(Math.max(tries, 1), steps.length) - 1] ?? minute
  return Math.min(Math.round(step * (1 + spread / 10)), left)
}

/** What a try fails with that is to be repeated in `ms`. */
export function notDelivered(ms: number): ApplicationFailure {
  return tryAgainIn(ms, 'not_delivered')
}
