import type { Db } from './database/pool.ts'

/** Sliding window: at most `max` in any `seconds`, by the database's clock, across processes. */
export interface Policy {
  readonly name: string
  readonly max: number
  readonly seconds: number
}

export interface Verdict {
  readonly admitted: boolean
  /** How many more are admitted now. */
  readonly remaining: number
  /** Whole seconds until the next one is certain to be admitted; 0 = now. */
  readonly retryAfter: number
}

export interface Limiter {
  /** Counts one hit of `who` under the policy, unless the window is full. */
  admit(policy: Policy, who: string): Promise<Verdict>
  /** The refusal, if the window is known to be full. No query; counts nothing. */
  refusal(policy: Policy, who: string): Verdict | undefined
}

/** Most buckets remembered as full; forgetting the oldest only costs a query. */
const rememberedAtMost = 10_000

/** Monotonic times in ms: certainly full before `fullBefore`, certainly free from `freeFrom`. */
interface Full {
  readonly fullBefore: number
  readonly freeFrom: number
}

/** One per API process. It remembers full windows, so that a flood costs no SQL. */
export function createLimiter(db: Db): Limiter {
  const full = new Map<string, Full>()
  const refusal = (policy: Policy, who: string): Verdict | undefined => {
    const known = full.get(bucketOf(policy, who))
    if (known === undefined || performance.now() >= known.fullBefore) return undefined
    return { admitted: false, remaining: 0, retryAfter: secondsUntil(known.freeFrom) }
  }
  return {
    refusal,
    async admit(policy, who) {
      const refused = refusal(policy, who)
      if (refused !== undefined) return refused
      const bucket = bucketOf(policy, who)
      const asked = performance.now()
      full.delete(bucket)
      const { admitted, remaining, wait } = await admit(db, bucket, policy)
      if (wait === 0) return { admitted, remaining, retryAfter: 0 }
      // The check ran between request and response: `wait` may start at either.
      const freeFrom = performance.now() + wait
      full.set(bucket, { fullBefore: asked + wait, freeFrom })
      if (full.size > rememberedAtMost) full.delete(full.keys().next().value ?? bucket)
      return { admitted, remaining, retryAfter: secondsUntil(freeFrom) }
    },
  }
}

function bucketOf(policy: Policy, who: string): string {
  return `${policy.name}:${who}`
}

function secondsUntil(moment: number): number {
  return Math.max(1, Math.ceil((moment - performance.now()) / 1000))
}

/**
 * One statement, one transaction, one round trip. It commits asynchronously, for that transaction
 * only: losing the latest counts in a database crash costs less than a disk flush per request.
 */
async function admit(
  db: Db,
  bucket: string,
  policy: Policy,
): Promise<{ readonly admitted: boolean; readonly remaining: number; readonly wait: number }> {
  const { rows } = await db.query<{ admitted: boolean; remaining: number; wait: number }>({
    name: 'admit',
    text: `SELECT set_config('synchronous_commit', 'off', true), admitted, remaining,
       (extract(epoch FROM retry_after) * 1000)::double precision AS wait
     FROM admit($1, $2, make_interval(secs => $3))`,
    values: [bucket, policy.max, policy.seconds],
  })
  const row = rows[0]
  if (row === undefined) throw new Error('admit() returned nothing')
  return row
}
