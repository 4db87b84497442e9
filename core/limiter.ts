import type { Db } from './database/pool.ts'

/** At most `max` in any `seconds`, by the database's clock, over all processes. */
export interface Policy {
  readonly name: string
  readonly max: number
  readonly seconds: number
}

export interface Verdict {
  readonly admitted: boolean
  /** How many more fit now. */
  readonly remaining: number
  /** Whole seconds after which the next one fits for certain; 0 = now. */
  readonly retryAfter: number
}

export interface Limiter {
  /** Counts one for `who` under the policy, unless the window is full. */
  admit(policy: Policy, who: string): Promise<Verdict>
  /** The refusal, where this process knows that the window is full; it asks nobody and counts nothing. */
  refusal(policy: Policy, who: string): Verdict | undefined
}

/** Buckets remembered as full at most: beyond it the oldest are forgotten, which costs a query and nothing else. */
const rememberedAtMost = 10_000

/** Milliseconds of this process's monotonic clock: a full window is certainly full before `fullBefore`, and certainly free from `freeFrom`. */
interface Full {
  readonly fullBefore: number
  readonly freeFrom: number
}

/** One per API process: it remembers which windows are full, so that a flood costs no SQL. */
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
      // The database looked somewhere between the question and the answer: the wait begins there.
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
 * One statement, one transaction, one round trip. A crash of the database may forget the last moment's counts, which is worth
 * not waiting for the disk at every request; the setting ends with the statement's transaction.
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
