import { ulid } from 'ulid'
import type { Context } from '../context.ts'
import { keyedHash, keyedHashes, newToken } from '../secrets/crypto.ts'
import { audit } from '../audit.ts'
import { queueMail } from '../mails/queue.ts'
import { hashPassword } from './password-hashes.ts'
import { addUser } from './rows.ts'
import type { Db } from '../database/pool.ts'
import { transaction } from '../database/pool.ts'

type Ctx = Pick<Context, 'db' | 'secrets' | 'config'>

/** Open invitations per user. */
const mostOpen = 50

/** Mailed invitations per user in 24 hours. */
export const mailedADay = 20

/** How long a link works, in days. */
export const invitationDays = 7

export interface Invitation {
  readonly id: string
  readonly email: string
  readonly created_at: Date
  readonly expires_at: Date
  readonly state: 'open' | 'used' | 'expired' | 'revoked'
}

/** A new invitation: the only time that the link can be read. */
export interface NewInvitation {
  readonly id: string
  readonly email: string
  readonly link: string
  readonly expires_at: Date
}

const stateOf = `CASE WHEN used_at IS NOT NULL THEN 'used' WHEN revoked_at IS NOT NULL THEN 'revoked'
  WHEN expires_at <= clock_timestamp() THEN 'expired' ELSE 'open' END`

export async function mayInvite(db: Db, owner: string): Promise<boolean> {
  const { rows } = await db.query<{ may_invite: boolean }>('SELECT may_invite FROM users WHERE id = $1', [owner])
  return rows[0]?.may_invite === true
}

interface Wanted {
  readonly email: string
  readonly by: string
  readonly mayInvite: boolean
}

/** Creates a link. Does not reveal whether the address is known. Undefined: too many are open. */
export function invite(ctx: Ctx, wanted: Wanted): Promise<NewInvitation | undefined> {
  return transaction(ctx.db, (db) => make(ctx, db, wanted, { token: newToken(), mailed: false }))
}

/**
 * The same, by mail. `inviter`: the sender's address for the text. 'mailed': daily limit reached.
 */
export function inviteByMail(
  ctx: Ctx,
  wanted: Wanted & { readonly inviter: string },
): Promise<NewInvitation | 'mailed' | undefined> {
  return transaction(ctx.db, async (db) => {
    // Serializes concurrent requests, so that the second counts the first.
    await db.query('SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE', [wanted.by])
    const { rows } = await db.query<{ many: number }>(
      `SELECT count(*)::integer AS many FROM invitations
       WHERE invited_by = $1 AND mailed AND created_at > now() - interval '24 hours'`,
      [wanted.by],
    )
    if ((rows[0]?.many ?? 0) >= mailedADay) return 'mailed'
    const token = newToken()
    const made = await make(ctx, db, wanted, { token, mailed: true })
    if (made === undefined) return undefined
    const detail = { invitation: made.id, by: wanted.inviter }
    await queueMail(ctx, db, { kind: 'invitation', address: wanted.email, seconds: 86_400, token, detail })
    return made
  })
}

async function make(
  ctx: Ctx,
  db: Db,
  { email, by, mayInvite }: Wanted,
  { token, mailed }: { readonly token: string; readonly mailed: boolean },
): Promise<NewInvitation | undefined> {
  const id = `inv_${ulid()}`
  const { rows } = await db.query<{ expires_at: Date }>(
    `INSERT INTO invitations (id, hash, email, invited_by, may_invite, mailed, expires_at)
     SELECT $1, $2, $3, $4, $5, $8, now() + make_interval(days => $6)
     WHERE (SELECT count(*) FROM invitations WHERE invited_by = $4 AND ${stateOf} = 'open') < $7
     RETURNING expires_at`,
    [id, keyedHash(ctx.secrets, purpose, token), email, by, mayInvite, invitationDays, mostOpen, mailed],
  )
  const [made] = rows
  if (made === undefined) return undefined
  await audit(db, by, 'invitation.made', {
    invitation: id,
    email,
    ...(mayInvite && { may_invite: true }),
    ...(mailed && { mailed }),
  })
  return { id, email, link: `${ctx.config.publicUrl}/invitation/${token}`, expires_at: made.expires_at }
}

/** The user's latest 100 invitations, newest first. */
export async function listInvitations(db: Db, by: string): Promise<readonly Invitation[]> {
  const { rows } = await db.query<Invitation>(
    `SELECT id, email, created_at, expires_at, ${stateOf} AS state FROM invitations
     WHERE invited_by = $1 ORDER BY id DESC LIMIT 100`,
    [by],
  )
  return rows
}

/** Users (`inviter`) revoke their own, operators any. False: there is no such open invitation. */
export async function revokeInvitation(
  ctx: Pick<Context, 'db'>,
  wanted: { readonly id: string; readonly by: string; readonly inviter?: string },
): Promise<boolean> {
  const { id, by, inviter } = wanted
  return transaction(ctx.db, async (db) => {
    const { rows } = await db.query<{ email: string; owner: string }>(
      `UPDATE invitations SET revoked_at = clock_timestamp()
       WHERE id = $1 AND ($2::text IS NULL OR invited_by = $2) AND ${stateOf} = 'open' RETURNING email, invited_by AS owner`,
      [id, inviter ?? null],
    )
    const [revoked] = rows
    if (revoked === undefined) return false
    // Drops the mail if it is still queued.
    await db.query(`DELETE FROM mails WHERE kind = 'invitation' AND detail->>'invitation' = $1`, [id])
    await audit(db, by, 'invitation.revoked', { invitation: id, ...revoked })
    return true
  })
}

/** The invitation of a link; undefined: there never was one. */
export async function findInvitation(ctx: Pick<Ctx, 'db' | 'secrets'>, token: string): Promise<Invitation | undefined> {
  const { rows } = await ctx.db.query<Invitation>(
    `SELECT id, email, created_at, expires_at, ${stateOf} AS state FROM invitations WHERE hash = ANY ($1)`,
    [hashesOf(ctx, token)],
  )
  return rows[0]
}

/** Creates the user, once; returns the id. Undefined: not open, or the address has an account. */
export async function acceptInvitation(
  ctx: Pick<Ctx, 'db' | 'secrets'>,
  token: string,
  password: string,
): Promise<string | undefined> {
  const passwordHash = await hashPassword(password)
  return transaction(ctx.db, async (db) => {
    // Locks the row: of two concurrent requests, the second sees it used.
    const { rows } = await db.query<{ id: string; email: string; invited_by: string; may_invite: boolean }>(
      `SELECT id, email, invited_by, may_invite FROM invitations WHERE hash = ANY ($1) AND ${stateOf} = 'open' FOR UPDATE`,
      [hashesOf(ctx, token)],
    )
    const [open] = rows
    if (open === undefined) return undefined
    const { id, email, invited_by: owner, may_invite: mayInvite } = open
    const user = await addUser(db, { email, passwordHash, plan: 'small', mayInvite })
    if (user === undefined) return undefined
    await db.query('UPDATE invitations SET used_at = clock_timestamp(), used_by = $2 WHERE id = $1', [id, user])
    await audit(db, user, 'invitation.used', { owner, invitation: id, email })
    return user
  })
}

/** The storable hashes, one per pepper. */
function hashesOf({ secrets }: Pick<Context, 'secrets'>, token: string): readonly Buffer[] {
  return keyedHashes(secrets, purpose, token)
}

const purpose = 'invitation'
