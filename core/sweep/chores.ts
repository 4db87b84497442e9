import type { Db } from '../database/pool.ts'

/** Daily chores; `backup` is the operator's, and appears once one was recorded. */
export type Chore = 'purge' | 'session_checks' | 'backup'

/** Records the chore as completed. */
export async function noteDone(db: Db, chore: Chore): Promise<void> {
  await db.query(`INSERT INTO chores (name) VALUES ($1) ON CONFLICT (name) DO UPDATE SET done_at = clock_timestamp()`, [
    chore,
  ])
}

/** A day, and some hours for connections of slow apps, in seconds. */
const lateAfter = 28 * 3_600

export interface LateChore {
  readonly name: Chore
  /** Since the last completion, or since the installation if there was none. */
  readonly seconds: number
}

/** Overdue chores, for operators. */
export async function lateChores(db: Db): Promise<readonly LateChore[]> {
  const { rows } = await db.query<LateChore>(
    `SELECT name, extract(epoch FROM clock_timestamp() - done_at)::float8 AS seconds FROM chores
     WHERE done_at < clock_timestamp() - make_interval(secs => $1) ORDER BY name`,
    [lateAfter],
  )
  return rows
}
