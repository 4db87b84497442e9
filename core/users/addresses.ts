import type { Db } from '../database/pool.ts'

/** Serializes changes of email addresses, until the transaction ends. */
export async function lockAddresses(db: Db): Promise<void> {
  await db.query(`SELECT pg_advisory_xact_lock(hashtext('callgate.users'))`)
}

/**
 * Under that lock: no other user than `owner` (null: a new one) has the address or can undo to it.
 */
export async function isAddressFree(db: Db, email: string, owner: string | null): Promise<boolean> {
  const { rows } = await db.query<{ free: boolean }>(
    `SELECT NOT EXISTS (SELECT FROM users WHERE lower(email) = lower($1) AND id IS DISTINCT FROM $2)
       AND NOT EXISTS (SELECT FROM email_changes WHERE lower(old_email) = lower($1)
         AND undo_until > clock_timestamp() AND owner IS DISTINCT FROM $2) AS free`,
    [email, owner],
  )
  return rows[0]?.free === true
}
