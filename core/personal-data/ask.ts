import { randomBytes } from 'node:crypto'
import { audit } from '../audit.ts'
import type { Context } from '../context.ts'
import { transaction } from '../database/pool.ts'
import type { Db } from '../database/pool.ts'
import { failPoint } from '../fail-point.ts'
import { hashPassword } from '../users/password-hashes.ts'
import { lockAddresses } from '../users/addresses.ts'
import { noteListed } from './rows.ts'

/**
 * Begins to erase a user: sessions and keys are void, notifications stop, the email is free. The
 * reconciler does the rest (erase.ts). False: no such user, or begun before.
 */
export async function askErasure(
  ctx: Pick<Context, 'db' | 'config' | 'log'>,
  owner: string,
  by: string,
): Promise<boolean> {
  // A random password, so that no release can sign the user in.
  const nobodys = await hashPassword(randomBytes(32).toString('base64'))
  const begun = await transaction(ctx.db, async (db) => {
    await lockAddresses(db)
    const { rows } = await db.query<{ email: string }>('SELECT email FROM users WHERE id = $1 FOR UPDATE', [owner])
    const { rowCount } = await db.query(
      'INSERT INTO erasures (owner, asked_by) SELECT id, $2 FROM users WHERE id = $1 ON CONFLICT DO NOTHING',
      [owner, by],
    )
    const [user] = rows
    if (user === undefined || rowCount !== 1) return false
    await forgetAddress(db, owner, user.email)
    await db.query(
      `UPDATE users SET email = 'erased-' || id, password_hash = $2, plan = 'none', may_invite = false, passwords_allowed = false
       WHERE id = $1`,
      [owner, nobodys],
    )
    await endAccess(db, owner)
    await audit(db, by, 'person.erased', { owner })
    failPoint('erase.before-commit')
    return true
  })
  failPoint('erase.before-list')
  // If this fails, the reconciler repeats it.
  if (begun) await noteListed(ctx, owner).catch((error: unknown) => ctx.log.error({ err: error }, notListed))
  return begun
}

const notListed = 'an erasure was not written down outside of the database; it is tried again'

/** Removes the address elsewhere. Open invitations to it belong to their senders, and expire. */
async function forgetAddress(db: Db, owner: string, email: string): Promise<void> {
  const { rows } = await db.query<{ email: string }>(
    `SELECT lower($2) AS email UNION SELECT lower(old_email) FROM email_changes WHERE owner = $1
     UNION SELECT lower(new_email) FROM email_changes WHERE owner = $1`,
    [owner, email],
  )
  const addresses = rows.map((row) => row.email)
  await db.query('DELETE FROM mails WHERE lower(address) = ANY ($1)', [addresses])
  await db.query('DELETE FROM email_changes WHERE owner = $1', [owner])
  await db.query(
    `UPDATE invitations SET revoked_at = clock_timestamp()
     WHERE invited_by = $1 AND used_at IS NULL AND revoked_at IS NULL AND expires_at > clock_timestamp()`,
    [owner],
  )
  const words = ['email', 'new_email', 'old_email']
  await db.query(
    `UPDATE audit_log SET detail = detail - $2::text[] WHERE (actor = $1 OR detail->>'owner' = $1) AND detail ?| $2`,
    [owner, words],
  )
  const { rows: invitations } = await db.query<{ id: string; invited_by: string }>(
    `UPDATE invitations SET email = 'erased' WHERE (invited_by = $1 OR used_by = $1 OR (lower(email) = ANY ($2)
       AND (used_at IS NOT NULL OR revoked_at IS NOT NULL OR expires_at <= clock_timestamp())))
     RETURNING id, invited_by`,
    [owner, addresses],
  )
  await db.query(
    `UPDATE audit_log SET detail = detail - 'email' WHERE (actor = ANY ($2) OR detail->>'owner' = ANY ($2)) AND detail->>'invitation' = ANY ($1)`,
    [invitations.map(({ id }) => id), [...new Set(invitations.map((one) => one.invited_by))]],
  )
}

/** Ends access, approval rules and canaries. Each round repeats it, for requests that ran late. */
export async function endAccess(db: Db, owner: string): Promise<void> {
  for (const table of [
    'web_sessions',
    'passkeys',
    'password_resets',
    'email_changes',
    'oauth_codes',
    'totp',
    'recovery_codes',
  ])
    await db.query(`DELETE FROM ${table} WHERE owner = $1`, [owner])
  await db.query('DELETE FROM oauth_tokens t USING api_keys k WHERE k.id = t.key AND k.owner = $1', [owner])
  await db.query('DELETE FROM oauth_networks n USING api_keys k WHERE k.id = n.key AND k.owner = $1', [owner])
  await db.query(
    `UPDATE api_keys SET revoked_at = coalesce(revoked_at, clock_timestamp()), hash = NULL, name = 'erased', hint = '', apps = '{}'
     WHERE owner = $1 AND (revoked_at IS NULL OR hash IS NOT NULL OR name <> 'erased')`,
    [owner],
  )
  await db.query(
    `UPDATE standing_approvals SET revoked_at = clock_timestamp(), proof = NULL WHERE id IN (
       SELECT id FROM standing_approvals WHERE owner = $1 AND revoked_at IS NULL ORDER BY id FOR UPDATE)`,
    [owner],
  )
  await db.query(
    `UPDATE watches SET ended_at = clock_timestamp(), ended_by = owner, next_at = NULL WHERE owner = $1 AND ended_at IS NULL`,
    [owner],
  )
  await db.query('SELECT disable_target(id, NULL) FROM notice_targets WHERE owner = $1 AND enabled', [owner])
}
