import type { Context } from '../context.ts'
import type { Db } from '../database/pool.ts'
import { listErased } from './erased-list.ts'

/** An erasure that goes on. */
export interface Erasure {
  readonly owner: string
  readonly asked_by: string
  readonly listed: boolean
  /** Nothing that was under way when it was asked for can come in any more. */
  readonly late: boolean
}

/** A request, a sign-in in a browser or a look at an app lasts no longer than that, in seconds. */
const settled = 1_200

export async function openErasures(db: Db, settledAfter = settled): Promise<readonly Erasure[]> {
  const { rows } = await db.query<Erasure>(
    `SELECT owner, asked_by, listed_at IS NOT NULL AS listed, asked_at < clock_timestamp() - make_interval(secs => $1) AS late
     FROM erasures WHERE done_at IS NULL ORDER BY asked_at LIMIT 100`,
    [settledAfter],
  )
  return rows
}

/** First on the list, then in the row: a list that names somebody twice does no harm. */
export async function noteListed(ctx: Pick<Context, 'db' | 'config'>, owner: string): Promise<void> {
  await listErased(ctx, owner)
  await ctx.db.query('UPDATE erasures SET listed_at = clock_timestamp() WHERE owner = $1', [owner])
}

export async function noteErased(db: Db, owner: string): Promise<void> {
  await db.query('UPDATE erasures SET done_at = clock_timestamp() WHERE owner = $1', [owner])
}
