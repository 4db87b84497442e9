import type { Db } from '../../core/database/pool.ts'

export interface Bucket {
  readonly name: string
  /** Failed attempts per 15 minutes. */
  readonly max: number
}

/** Counts an attempt in each bucket until one is full. Returns its wait in seconds, else 0. */
export async function countAttempt(db: Db, buckets: readonly Bucket[]): Promise<number> {
  for (const { name, max } of buckets) {
    const { rows } = await db.query<{ admitted: boolean; seconds: number }>(
      `SELECT admitted, ceil(extract(epoch FROM retry_after))::integer AS seconds FROM admit($1, $2, interval '15 minutes')`,
      [name, max],
    )
    if (rows[0]?.admitted !== true) return Math.max(1, rows[0]?.seconds ?? 1)
  }
  return 0
}

/** Uncounts an attempt that succeeded. */
export async function forgiveAttempt(db: Db, buckets: readonly Bucket[]): Promise<void> {
  await db.query(
    'UPDATE rate_limits SET hits = hits[1:greatest(cardinality(hits) - 1, 0)] WHERE bucket = ANY($1::text[])',
    [buckets.map((bucket) => bucket.name)],
  )
}
