import { Context as Activity } from '@temporalio/activity'
import { notDelivered } from './retry-policy.ts'

/** Concurrent deliveries per receiver and process: each may take 15 s, to a mail server longer. */
const mostAtOnce = 5
/** Backoff while a receiver is at its limit (ms): doubles, with jitter. */
const look = { first: 1_000, longest: 300_000 }

/** Limits deliveries per receiver, so that a slow one leaves capacity for the others. */
export interface Crowding {
  /** Throws a retryable failure while the receiver is at its limit. */
  deliver<T>(receiver: string, work: () => Promise<T>): Promise<T>
}

export function createCrowding(): Crowding {
  const under = new Map<string, number>()
  return {
    async deliver(receiver, work) {
      const before = under.get(receiver) ?? 0
      if (before >= mostAtOnce) throw notDelivered(pauseBefore(Activity.current().info.attempt))
      under.set(receiver, before + 1)
      try {
        return await work()
      } finally {
        const left = (under.get(receiver) ?? 1) - 1
        if (left > 0) under.set(receiver, left)
        else under.delete(receiver)
      }
    },
  }
}

function pauseBefore(attempt: number): number {
  const step = Math.min(look.first * 2 ** (attempt - 1), look.longest)
  return Math.round(step * (0.5 + Math.random()))
}
