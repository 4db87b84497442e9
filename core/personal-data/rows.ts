import type { Context } from '../context.ts'
import type { Db } from '../database/pool.ts'
import { listErased } from './erased-list.ts'

export interface Erasure {
  readonly owner: string
  readonly asked_by: string
  readonly listed: boolean
  /** All requests that ran when the erasure began must have ended by now. */
  readonly late: boolean
}

/** Longer than any request, sign-in in a browser or read of an app, in seconds. */
const settled = 1_200

export async function openErasures(db: Db, settledAfter = settled): Promise<readonly Erasure[]> {
  const { rows } = await db.query<Erasure>(
    `SELECT owner, asked_by, listed_at IS NOT NULL AS listed, asked_at < clock_timestamp() - make_interval(secs => $1) AS late
     FROM erasures WHERE done_at IS NULL ORDER BY asked_at LIMIT 100`,
    [settledAfter],
  )
  return rows
}

/** First in the list, then in the row: a duplicate in the list is harmless. */
export async function noteListed(ctx: Pick<Context, 'db' | 'config'>, owner: string): Promise<void> {
  await listErased(ctx, owner)
  await ctx.db.query('UPDATE erasures SET listed_at = clock_timestamp() WHERE owner = $1', [owner])
}

export async function noteErased(db: Db, owner: string): Promise<void> {
  await db.query('UPDATE erasures SET done_at = clock_timestamp() WHERE owner = $1', [owner])
}
