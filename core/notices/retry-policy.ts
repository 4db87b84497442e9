import type { ApplicationFailure } from '@temporalio/activity'
import { tryAgainIn } from '../temporal/failures.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** Backoff after the first, second … failed attempt, in ms; the last one repeats. */
const pauses = {
  webhook: [5 * second, minute, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour],
  // Calls wait for days at most, and one message covers all that wait.
  email: [5 * second, minute, 5 * minute, 15 * minute],
  push: [5 * second, minute, 5 * minute, 15 * minute],
  ntfy: [5 * second, minute, 5 * minute, 15 * minute],
} as const satisfies Record<string, readonly number[]>

export type Channel = keyof typeof pauses
/** Channels that users read. */
export type PersonChannel = Exclude<Channel, 'webhook'>

/** How long a notification is retried, in ms from its first attempt; also how long it may queue. */
export const retryWindow = 72 * hour

/**
 * Backoff in ms after `tries` failed attempts, the first of them `trying` ms ago; null: give up. Up
 * to a tenth of jitter (`spread`, 0 to 1). The last attempt is at the window's end.
 */
export function pauseAfter(channel: Channel, tries: number, trying: number, spread = Math.random()): number | null {
  const left = retryWindow - trying
  if (left <= 0) return null
  const steps = pauses[channel]
  const step = steps[Math.min(Math.max(tries, 1), steps.length) - 1] ?? minute
  return Math.min(Math.round(step * (1 + spread / 10)), left)
}

/** The failure of an attempt that is to be retried in `ms`. */
export function notDelivered(ms: number): ApplicationFailure {
  return tryAgainIn(ms, 'not_delivered')
}
