import type { Context } from '../context.ts'
import { transaction } from '../database/pool.ts'
import type { Db } from '../database/pool.ts'

/** How long ended rows are kept, in days. */
const days = 90
/** Rows per transaction. */
const batch = 500

/**
 * Deletes ended canaries, invitations, approval rules that no open call needs, and removed
 * notification targets, whose URL and name go within the hour.
 */
export async function forgetEnded(ctx: Pick<Context, 'db'>): Promise<void> {
  const { db } = ctx
  await db.query(`UPDATE notice_targets SET url = '' WHERE deleted_at IS NOT NULL AND url <> ''`)
  await db.query('UPDATE notice_targets SET name = NULL WHERE deleted_at IS NOT NULL AND name IS NOT NULL')
  await db.query('DELETE FROM watches WHERE ended_at < now() - make_interval(days => $1)', [days])
  await db.query(
    `DELETE FROM notice_targets t WHERE deleted_at < now() - make_interval(days => $1)
       AND NOT EXISTS (SELECT FROM notices n WHERE n.target = t.id)`,
    [days],
  )
  while ((await forgetStanding(db)) === batch);
  while ((await transaction(db, forgetInvitations)) === batch);
}

/** Also deletes the address from the audit log. Returns how many. */
async function forgetInvitations(db: Db): Promise<number> {
  const { rows } = await db.query<{ id: string; invited_by: string }>(
    `DELETE FROM invitations WHERE id IN (
       SELECT id FROM invitations WHERE coalesce(used_at, revoked_at, expires_at) < now() - make_interval(days => $1) LIMIT $2)
     RETURNING id, invited_by`,
    [days, batch],
  )
  await db.query(
    `UPDATE audit_log SET detail = detail - 'email' WHERE (actor = ANY ($2) OR detail->>'owner' = ANY ($2)) AND detail->>'invitation' = ANY ($1)`,
    [rows.map(({ id }) => id), [...new Set(rows.map((one) => one.invited_by))]],
  )
  return rows.length
}

/** Returns how many. Keeps rules that approved open calls: they are rechecked before sending. */
async function forgetStanding(db: Db): Promise<number> {
  const { rowCount } = await db.query(
    `DELETE FROM standing_approvals WHERE id IN (
       SELECT id FROM standing_approvals s WHERE least(revoked_at, until) < now() - make_interval(days => $1)
         AND NOT EXISTS (SELECT FROM calls c WHERE c.decided_by = s.id AND c.status IN ('awaiting_confirmation', 'running'))
       LIMIT $2 FOR UPDATE SKIP LOCKED)`,
    [days, batch],
  )
  return rowCount ?? 0
}
