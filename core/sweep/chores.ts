import type { Db } from '../database/pool.ts'

/** What is to be done once a day; `backup` by whoever operates it, once one was noted. */
export type Chore = 'purge' | 'session_checks' | 'backup'

/** It was done to its end. */
export async function noteDone(db: Db, chore: Chore): Promise<void> {
  await db.query(`INSERT INTO chores (name) VALUES ($1) ON CONFLICT (name) DO UPDATE SET done_at = clock_timestamp()`, [
    chore,
  ])
}

/** Once a day, and some hours for accounts of slow apps, in seconds. */
const lateAfter = 28 * 3_600

export interface LateChore {
  readonly name: Chore
  /** Since it was last done to its end; before the first time, since the set-up. */
  readonly seconds: number
}

/** What operators should see to. */
export async function lateChores(db: Db): Promise<readonly LateChore[]> {
  const { rows } = await db.query<LateChore>(
    `SELECT name, extract(epoch FROM clock_timestamp() - done_at)::float8 AS seconds FROM chores
     WHERE done_at < clock_timestamp() - make_interval(secs => $1) ORDER BY name`,
    [lateAfter],
  )
  return rows
}
