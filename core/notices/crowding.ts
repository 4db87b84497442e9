import { Context as Activity } from '@temporalio/activity'
import { notDelivered } from './retry-policy.ts'

/** So many deliveries to one receiver at once, in this process: with each a receiver can hold a place for 15 s, or a mail server longer. */
const mostAtOnce = 5
/** Between two looks whether there is room, in ms: it doubles, and chance brings those apart that came together. */
const look = { first: 1_000, longest: 300_000 }

/** Runs deliveries in such a way that a receiver which lets them wait leaves room for the others. */
export interface Crowding {
  /** Throws, to be asked again later, while the receiver has as many as it may have. */
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
