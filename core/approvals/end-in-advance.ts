import { withdraw } from '../calls/rows.ts'
import type { Db } from '../database/pool.ts'

/**
 * Ends every user's advance approvals for an app: revokes approval rules, withdraws the unsent
 * calls that these approved, and resets "never ask" policies. Locks as `revokeStanding` does. The
 * reconciler nudges the runs of those calls.
 */
export async function endInAdvance(db: Db, app: string): Promise<void> {
  const { rows: ended } = await db.query<{ id: string }>(
    `UPDATE standing_approvals SET revoked_at = clock_timestamp(), proof = NULL WHERE id IN (
       SELECT id FROM standing_approvals WHERE app = $1 AND revoked_at IS NULL ORDER BY id FOR UPDATE) RETURNING id`,
    [app],
  )
  const { rows: approved } = await db.query<{ id: string }>(
    `SELECT id FROM calls WHERE decided_by = ANY ($1) AND status = 'running' AND send = 'ready' ORDER BY id FOR UPDATE`,
    [ended.map(({ id }) => id)],
  )
  for (const { id } of approved) await withdraw(db, id)
  await db.query('UPDATE endpoint_settings SET confirm = NULL, proof = NULL WHERE app = $1 AND confirm = false', [app])
  await db.query('DELETE FROM key_switches WHERE app = $1', [app])
}
