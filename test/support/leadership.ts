import { expect } from 'vitest'
import type { Stack } from '../harness.ts'

/** Whoever leads the sweeping leads no more: somebody begins to sweep anew. */
export async function endLeadership(stack: Stack): Promise<void> {
  const ended = async () =>
    (
      await stack.ctx.db.query(
        `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objid = 7233299 AND granted
           AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      )
    ).rowCount
  await expect.poll(ended).toBe(1)
}
