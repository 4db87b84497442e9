import type { Db } from '../database/pool.ts'
import { callIdFrom } from '../../schemas/ids.ts'

const bucketMs = 600_000
const dayMs = 86_400_000
/** Calls may enter a bucket this long after its end, because ids precede rows. In ms. */
const stragglers = 60_000
/** Recounting takes at most 1/20 of the time, at `rowsAMs` rows per ms; less for older buckets. */
const share = 20
const rowsAMs = 500
/** Time budget of one scrape, in ms; the rest is left for the next. */
const patience = 2_000

type Counts = Readonly<Record<string, Readonly<Record<string, number>>>>

interface Bucket {
  /** Ms since the epoch, like all times here. */
  readonly start: number
  readonly countedAt: number
  readonly counts: Counts
}

export interface CallCount {
  readonly app: string
  readonly status: string
  readonly calls: number
}

/**
 * Calls of the last 24 hours, to ten minutes, by app and status. Buckets of ten minutes are counted
 * separately and stored; those with only final calls are not counted again. Undefined: the first
 * count is not complete yet.
 */
export async function callsOfADay(db: Db): Promise<readonly CallCount[] | undefined> {
  const until = performance.now() + patience
  const { now, buckets } = await readBuckets(db)
  const newest = Math.floor(now / bucketMs) * bucketMs
  const starts = Array.from({ length: dayMs / bucketMs }, (_, n) => newest - n * bucketMs)
  const due = starts.filter((start) => isDue(now, start, buckets.get(start)))
  // Start with one bucket, and double the batch while it is fast.
  for (let at = 0, next = 1; at < due.length && performance.now() < until;) {
    const some = due.slice(at, at + next)
    const began = performance.now()
    const counted = await countAgain(db, now, some)
    for (const bucket of counted) buckets.set(bucket.start, bucket)
    at += some.length
    next = performance.now() - began < 50 ? next * 2 : 1
  }
  const all = starts.map((start) => buckets.get(start))
  return all.every((bucket) => bucket !== undefined) ? sum(all) : undefined
}

function isDue(now: number, start: number, bucket: Bucket | undefined): boolean {
  if (bucket === undefined) return true
  const end = start + bucketMs
  if (bucket.countedAt > end + stragglers && !hasOpen(bucket.counts)) return false
  const age = 1 + Math.max(0, now - end) / bucketMs
  const cost = 1 + callsIn(bucket.counts) / rowsAMs
  return now - bucket.countedAt >= cost * share * age
}

function callsIn(counts: Counts): number {
  return Object.values(counts)
    .flatMap(Object.values<number>)
    .reduce((all, one) => all + one, 0)
}

function hasOpen(counts: Counts): boolean {
  return Object.values(counts).some(({ awaiting_confirmation: asked = 0, running = 0 }) => asked + running > 0)
}

async function readBuckets(db: Db): Promise<{ readonly now: number; readonly buckets: Map<number, Bucket> }> {
  const { rows } = await db.query<{ now: number; buckets: readonly Bucket[] }>({
    name: 'call-counts',
    text: `SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now, coalesce(jsonb_agg(jsonb_build_object(
        'start', extract(epoch FROM bucket) * 1000, 'countedAt', extract(epoch FROM counted_at) * 1000, 'counts', counts)), '[]') AS buckets
      FROM call_counts WHERE bucket > clock_timestamp() - interval '1 day 10 minutes'`,
  })
  const { now = Date.now(), buckets = [] } = rows[0] ?? {}
  return { now, buckets: new Map(buckets.map((bucket) => [bucket.start, bucket])) }
}

/**
 * By ranges of the primary key. `now` predates the count: calls that arrive meanwhile come next.
 */
async function countAgain(db: Db, now: number, starts: readonly number[]): Promise<readonly Bucket[]> {
  const { rows } = await db.query<{ start: number; counts: Counts }>({
    name: 'count-calls',
    text: `SELECT b.start, coalesce(c.counts, '{}') AS counts
      FROM unnest($1::float8[], $2::text[], $3::text[]) AS b(start, lo, hi) CROSS JOIN LATERAL (
        SELECT jsonb_object_agg(app, statuses) AS counts FROM (
          SELECT app, jsonb_object_agg(status, calls) AS statuses FROM (
            SELECT app, status, count(*) AS calls FROM calls WHERE id >= b.lo AND id < b.hi GROUP BY app, status) s
          GROUP BY app) a) c`,
    values: [starts, starts.map(callIdFrom), starts.map((start) => callIdFrom(start + bucketMs))],
  })
  await db.query({
    name: 'keep-call-counts',
    text: `INSERT INTO call_counts AS kept (bucket, counted_at, counts)
      SELECT to_timestamp(start / 1000), to_timestamp($2::float8 / 1000), counts FROM unnest($1::float8[], $3::jsonb[]) AS b(start, counts)
      ON CONFLICT (bucket) DO UPDATE SET counted_at = excluded.counted_at, counts = excluded.counts
      WHERE kept.counted_at <= excluded.counted_at`,
    values: [rows.map(({ start }) => start), now, rows.map(({ counts }) => JSON.stringify(counts))],
  })
  return rows.map(({ start, counts }) => ({ start, countedAt: now, counts }))
}

function sum(buckets: readonly Bucket[]): readonly CallCount[] {
  const totals = new Map<string, CallCount>()
  for (const { counts } of buckets)
    for (const [app, statuses] of Object.entries(counts))
      for (const [status, calls] of Object.entries(statuses)) {
        const key = `${app} ${status}`
        totals.set(key, { app, status, calls: calls + (totals.get(key)?.calls ?? 0) })
      }
  return [...totals.values()]
}

/** Deletes counts that are no longer needed. */
export async function forgetCallCounts(db: Db): Promise<void> {
  await db.query(`DELETE FROM call_counts WHERE bucket < clock_timestamp() - interval '2 days'`)
}
