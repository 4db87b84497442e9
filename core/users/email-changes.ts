import { ulid } from 'ulid'
import type { Context } from '../context.ts'
import { audit } from '../audit.ts'
import { transaction } from '../database/pool.ts'
import type { Db } from '../database/pool.ts'
import { queueMail } from '../mails/queue.ts'
import { keyedHash, keyedHashes, newToken } from '../secrets/crypto.ts'
import { isAddressFree, lockAddresses } from './addresses.ts'
import { newReset } from './password-resets.ts'
import { endAllWebSessions } from './web-sessions.ts'

type Ctx = Pick<Context, 'db' | 'secrets' | 'config'>

/** How long the new address can be confirmed, and the change undone from the old one. */
export const confirmHours = 24
export const undoDays = 7

export interface EmailChange {
  readonly id: string
  readonly old_email: string
  readonly new_email: string
  readonly confirm_until: Date
  readonly undo_until: Date | null
}

const fields = 'id, old_email, new_email, confirm_until, undo_until'
const open = 'undo_hash IS NULL AND confirm_until > clock_timestamp()'
const undoable = 'undo_until > clock_timestamp()'

/** Mails the new address a link, voids earlier ones, returns its token. Reveals no accounts. */
export async function askForEmail(ctx: Ctx, owner: string, email: string): Promise<string> {
  const token = newToken()
  await transaction(ctx.db, async (db) => {
    await cancelEmailChange(db, owner)
    await db.query(
      `INSERT INTO email_changes (id, owner, old_email, new_email, confirm_hash, confirm_until)
       SELECT $1, id, email, $3, $4, clock_timestamp() + make_interval(hours => $5) FROM users WHERE id = $2`,
      [`eml_${ulid()}`, owner, email, keyedHash(ctx.secrets, 'email-confirm', token), confirmHours],
    )
    await queueMail(ctx, db, { kind: 'email.confirm', address: email, seconds: confirmHours * 3_600, token })
    await audit(db, owner, 'email.asked', { new_email: email })
  })
  return token
}

/** The change that awaits confirmation. */
export async function openEmailChange(db: Db, owner: string): Promise<EmailChange | undefined> {
  const { rows } = await db.query<EmailChange>(`SELECT ${fields} FROM email_changes WHERE owner = $1 AND ${open}`, [
    owner,
  ])
  return rows[0]
}

/** Voids the link. */
export async function cancelEmailChange(db: Db, owner: string): Promise<void> {
  await db.query('DELETE FROM email_changes WHERE owner = $1 AND undo_hash IS NULL', [owner])
}

/** The change that a link confirms, for its owner only; undefined: invalid or expired link. */
export async function findEmailChange(
  { db, secrets }: Pick<Ctx, 'secrets'> & { readonly db: Db },
  owner: string,
  token: string,
): Promise<EmailChange | undefined> {
  const { rows } = await db.query<EmailChange>(
    `SELECT ${fields} FROM email_changes WHERE owner = $1 AND confirm_hash = ANY ($2) AND ${open}`,
    [owner, keyedHashes(secrets, 'email-confirm', token)],
  )
  return rows[0]
}

/** Changes the address, once, and mails an undo link to the old one. 'taken': it is in use now. */
export async function confirmEmail(ctx: Ctx, owner: string, token: string): Promise<'changed' | 'taken' | undefined> {
  return transaction(ctx.db, async (db) => {
    // Serializes concurrent changes to the same address, and invitations to it.
    await lockAddresses(db)
    const change = await findEmailChange({ ...ctx, db }, owner, token)
    if (change === undefined) return undefined
    const { id, new_email: to } = change
    if (!(await isAddressFree(db, to, owner))) return 'taken'
    const { rows } = await db.query<{ email: string }>('SELECT email FROM users WHERE id = $1 FOR NO KEY UPDATE', [
      owner,
    ])
    const from = rows[0]?.email ?? ''
    const undo = newToken()
    await db.query('UPDATE users SET email = $2 WHERE id = $1', [owner, to])
    await db.query(
      `UPDATE email_changes SET old_email = $2, undo_hash = $3, undo_until = clock_timestamp() + make_interval(days => $4) WHERE id = $1`,
      [id, from, keyedHash(ctx.secrets, 'email-undo', undo), undoDays],
    )
    await voidMailed(db, owner)
    const seconds = undoDays * 86_400
    await queueMail(ctx, db, { kind: 'email.changed', address: from, seconds, token: undo, detail: { to } })
    await audit(db, owner, 'email.changed', { old_email: from, new_email: to })
    return 'changed'
  })
}

/** The change that an undo link reverts; undefined: the link is invalid or expired. */
export async function findUndo(
  { db, secrets }: Pick<Ctx, 'secrets'> & { readonly db: Db },
  token: string,
): Promise<(EmailChange & { readonly owner: string }) | undefined> {
  const { rows } = await db.query<EmailChange & { readonly owner: string }>(
    `SELECT ${fields}, owner FROM email_changes WHERE undo_hash = ANY ($1) AND ${undoable}`,
    [keyedHashes(secrets, 'email-undo', token)],
  )
  return rows[0]
}

/**
 * Restores the old address, whatever it was changed to since, ends all sessions and voids mailed
 * links. Returns a password reset token, null if the account takes no passwords. Undefined: the
 * link is invalid, or the address in use.
 */
export async function undoEmail(ctx: Ctx, token: string): Promise<string | null | undefined> {
  return transaction(ctx.db, async (db) => {
    await lockAddresses(db)
    const change = await findUndo({ ...ctx, db }, token)
    if (change === undefined || !(await isAddressFree(db, change.old_email, change.owner))) return undefined
    const { id, owner, old_email: email, new_email: from } = change
    await db.query('UPDATE users SET email = $2 WHERE id = $1', [owner, email])
    await db.query('DELETE FROM email_changes WHERE owner = $1 AND (undo_hash IS NULL OR id >= $2)', [owner, id])
    await voidMailed(db, owner)
    await endAllWebSessions(db, owner)
    await audit(db, owner, 'email.undone', { old_email: from, new_email: email })
    return newReset(ctx, db, owner)
  })
}

/** Voids password reset links in a mailbox that is no longer the user's. */
async function voidMailed(db: Db, owner: string): Promise<void> {
  await db.query('DELETE FROM password_resets WHERE owner = $1', [owner])
}

export async function pruneEmailChanges(db: Db): Promise<void> {
  await db.query('DELETE FROM email_changes WHERE coalesce(undo_until, confirm_until) <= now()')
}
