import type { CallStatus } from '../../schemas/call.ts'
import { callIdFrom } from '../../schemas/ids.ts'
import type { Db } from '../database/pool.ts'

const dayMs = 86_400_000
/** The longest time to decide on a call. */
const longestWaitDays = 30

/** An owner, and the first day, at midnight UTC. */
export interface Span {
  readonly owner: string
  readonly from: Date
}

/** Calls accepted per day (UTC, `2026-07-31`) and status; without days that have none. */
export async function callsByDay(
  db: Db,
  { owner, from }: Span,
): Promise<readonly { readonly day: string; readonly status: CallStatus; readonly count: number }[]> {
  const { rows } = await db.query<{ day: string; status: CallStatus; count: number }>(
    `SELECT (created_at AT TIME ZONE 'UTC')::date::text AS day, status, count(*)::integer AS count
     FROM calls WHERE owner = $1 AND id >= $2 AND created_at >= $3 GROUP BY 1, 2`,
    [owner, callIdFrom(from.getTime()), from],
  )
  return rows
}

/** Calls per app, the busiest first. */
export async function callsByApp(
  db: Db,
  { owner, from }: Span,
): Promise<readonly { readonly app: string; readonly count: number }[]> {
  const { rows } = await db.query<{ app: string; count: number }>(
    `SELECT app, count(*)::integer AS count
     FROM calls WHERE owner = $1 AND id >= $2 AND created_at >= $3 GROUP BY app ORDER BY count(*) DESC, app`,
    [owner, callIdFrom(from.getTime()), from],
  )
  return rows
}

/** Calls of one day (UTC), app and status. */
export interface CountedCalls {
  readonly day: string
  readonly app: string
  readonly status: CallStatus
  readonly count: number
  /** Of these, the calls that ended as unknown and were not resolved since. */
  readonly unresolved: number
  readonly credits: number
}

/** Calls accepted per day, app and status, and the credits that they used. */
export async function callsByDayAndApp(db: Db, { owner, from }: Span): Promise<readonly CountedCalls[]> {
  const { rows } = await db.query<CountedCalls>(
    `SELECT (created_at AT TIME ZONE 'UTC')::date::text AS day, app, status, count(*)::integer AS count,
       (count(*) FILTER (WHERE status = 'unknown' AND resolution IS NULL))::integer AS unresolved,
       sum(credits_used)::integer AS credits
     FROM calls WHERE owner = $1 AND id >= $2 AND created_at >= $3 GROUP BY 1, 2, 3`,
    [owner, callIdFrom(from.getTime()), from],
  )
  return rows
}

/** The decisions of one day (UTC), and how long the owner took to decide, in seconds. */
export interface DecidedDay {
  readonly day: string
  readonly approved: number
  /** By an approval rule. */
  readonly approved_ahead: number
  readonly rejected: number
  readonly expired: number
  readonly cancelled: number
  /** Null: the owner decided nothing on that day. */
  readonly median: number | null
  readonly p90: number | null
}

export async function decisionsByDay(db: Db, { owner, from }: Span): Promise<readonly DecidedDay[]> {
  const askedFrom = from.getTime() - longestWaitDays * dayMs
  const waited = (share: number): string =>
    `percentile_cont(${share}) WITHIN GROUP (ORDER BY extract(epoch FROM decided_at - created_at))
       FILTER (WHERE decided_by = owner AND decision IN ('approved', 'rejected'))`
  const { rows } = await db.query<DecidedDay>(
    `SELECT (decided_at AT TIME ZONE 'UTC')::date::text AS day,
       (count(*) FILTER (WHERE decision = 'approved' AND decided_by = owner))::integer AS approved,
       (count(*) FILTER (WHERE decision = 'approved' AND decided_by <> owner))::integer AS approved_ahead,
       (count(*) FILTER (WHERE decision = 'rejected'))::integer AS rejected,
       (count(*) FILTER (WHERE decision = 'expired'))::integer AS expired,
       (count(*) FILTER (WHERE decision = 'cancelled'))::integer AS cancelled,
       ${waited(0.5)} AS median, ${waited(0.9)} AS p90
     FROM calls WHERE owner = $1 AND id >= $2 AND decided_at >= $3 GROUP BY 1`,
    [owner, callIdFrom(askedFrom), from],
  )
  return rows
}
