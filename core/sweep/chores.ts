import type { Db } from '../database/pool.ts'

/** What is to be done once a day. */
export type Chore = 'purge' | 'session_checks'

/** It was done to its end. */
export async function noteDone(db: Db, chore: Chore): Promise<void> {
  await db.query(`INSERT INTO chores (name) VALUES ($1) ON CONFLICT (name) DO UPDATE SET done_at = clock_timestamp()`, [
    chore,
  ])
}
