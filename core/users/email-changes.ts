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

/** How long the new address can be confirmed, in hours, and the old one take it back, in days. */
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

/** Mails the new address a link, and returns what it opens with. One that was asked for before is void. Nothing here tells who has that address. */
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

/** What waits to be confirmed. */
export async function openEmailChange(db: Db, owner: string): Promise<EmailChange | undefined> {
  const { rows } = await db.query<EmailChange>(`SELECT ${fields} FROM email_changes WHERE owner = $1 AND ${open}`, [
    owner,
  ])
  return rows[0]
}

/** Its link does nothing any more. */
export async function cancelEmailChange(db: Db, owner: string): Promise<void> {
  await db.query('DELETE FROM email_changes WHERE owner = $1 AND undo_hash IS NULL', [owner])
}

/** What a link confirms, for the owner alone; undefined: it does not work, any more or at all. */
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

/** Changes the address, once, and mails the old one how to take it back. 'taken': somebody else has it by now. */
export async function confirmEmail(ctx: Ctx, owner: string, token: string): Promise<'changed' | 'taken' | undefined> {
  return transaction(ctx.db, async (db) => {
    // Of two people with the same address one comes after the other, and so does whoever is invited to it.
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

/** What a link takes back; undefined: it does not work, any more or at all. */
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
 * Gives the account its old address back, whatever it was changed to since, and signs everybody out. What was mailed to the addresses since is void.
 * Returns what a link to set a new password opens with, null where the account takes no passwords. Undefined: it does not work, or somebody has the address.
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

/** Links for a lost password that lie in a mailbox which is theirs no more. */
async function voidMailed(db: Db, owner: string): Promise<void> {
  await db.query('DELETE FROM password_resets WHERE owner = $1', [owner])
}

export async function pruneEmailChanges(db: Db): Promise<void> {
  await db.query('DELETE FROM email_changes WHERE coalesce(undo_until, confirm_until) <= now()')
}
