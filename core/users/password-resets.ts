import type { Context } from '../context.ts'
import { audit } from '../audit.ts'
import { transaction } from '../database/pool.ts'
import type { Db } from '../database/pool.ts'
import { forgetMail, queueMail, sealToken } from '../mails/queue.ts'
import type { DueMail } from '../mails/queue.ts'
import { keyedHash, keyedHashes, newToken } from '../secrets/crypto.ts'
import { hashPassword } from './password-hashes.ts'
import { findUserByEmail, replacePassword, takesPasswords } from './rows.ts'

type Ctx = Pick<Context, 'db' | 'secrets' | 'config'>

/** How long a link works. */
export const resetMinutes = 30
const purpose = 'password-reset'

/** Queues a reset request. The same work for every address: the account is read when answering. */
export async function askForReset(ctx: Ctx, email: string): Promise<void> {
  await queueMail(ctx, ctx.db, { kind: 'password.asked', address: email, seconds: resetMinutes * 60 })
}

/** Creates the link, if the account takes passwords. Undefined: no such user; nothing is sent. */
export async function answerReset(ctx: Ctx, asked: DueMail): Promise<DueMail | undefined> {
  const user = await findUserByEmail(ctx, asked.address)
  if (user === undefined) {
    await forgetMail(ctx.db, asked.id)
    return undefined
  }
  const { email: address } = user
  if (!user.passwords_allowed) {
    const kind = 'password.none'
    await ctx.db.query('UPDATE mails SET kind = $2, address = $3 WHERE id = $1', [asked.id, kind, address])
    return { ...asked, kind, address }
  }
  const token = newToken()
  const secret = sealToken(ctx, asked.id, token)
  await transaction(ctx.db, async (db) => {
    await keepReset(ctx, db, user.id, token)
    await db.query(`UPDATE mails SET kind = 'password.link', address = $2, secret = $3 WHERE id = $1`, [
      asked.id,
      address,
      secret,
    ])
    await audit(db, user.id, 'password.link_asked', {})
  })
  return { ...asked, kind: 'password.link', address, secret }
}

/** For operators, who pass the link on. Undefined: no such user, or they use passkeys only. */
export async function makeResetLink(
  ctx: Ctx,
  email: string,
  by: string,
): Promise<{ readonly email: string; readonly link: string; readonly expires_at: Date } | undefined> {
  const user = await findUserByEmail(ctx, email)
  if (user?.passwords_allowed !== true) return undefined
  const token = newToken()
  return transaction(ctx.db, async (db) => {
    const expires = await keepReset(ctx, db, user.id, token)
    await audit(db, by, 'password.link_made', { owner: user.id })
    return { email: user.email, link: `${ctx.config.publicUrl}/forgot/${token}`, expires_at: expires }
  })
}

/** In a transaction: a reset token for a verified user. Null: the account takes no passwords. */
export async function newReset(ctx: Ctx, db: Db, owner: string): Promise<string | null> {
  if (!(await takesPasswords(db, owner))) return null
  const token = newToken()
  await keepReset(ctx, db, owner, token)
  return token
}

async function keepReset({ secrets }: Ctx, db: Db, owner: string, token: string): Promise<Date> {
  const { rows } = await db.query<{ expires_at: Date }>(
    `INSERT INTO password_resets (hash, owner, bound, expires_at)
     SELECT $1, id, ${boundTo}, clock_timestamp() + make_interval(mins => $3) FROM users WHERE id = $2 RETURNING expires_at`,
    [keyedHash(secrets, purpose, token), owner, resetMinutes],
  )
  const [kept] = rows
  if (kept === undefined) throw new Error('the user has gone')
  return kept.expires_at
}

const boundTo = `sha256(convert_to(password_hash, 'UTF8'))`
const open = `r.hash = ANY ($1) AND r.expires_at > clock_timestamp() AND r.bound = ${boundTo} AND u.passwords_allowed`

/** The account of a link; undefined: the link is invalid or expired. Consumes nothing. */
export async function findReset(
  ctx: Pick<Ctx, 'db' | 'secrets'>,
  token: string,
): Promise<{ readonly email: string; readonly expires_at: Date } | undefined> {
  const { rows } = await ctx.db.query<{ email: string; expires_at: Date }>(
    `SELECT email, expires_at FROM password_resets r JOIN users u ON u.id = r.owner WHERE ${open}`,
    [keyedHashes(ctx.secrets, purpose, token)],
  )
  return rows[0]
}

/** Sets the password, once, ends all sessions, mails the owner. False: invalid or expired link. */
export async function useReset(ctx: Ctx, token: string, password: string): Promise<boolean> {
  const passwordHash = await hashPassword(password)
  return transaction(ctx.db, async (db) => {
    // Locks both rows: of two concurrent requests, the second sees that the link is used.
    const { rows } = await db.query<{ owner: string }>(
      `SELECT r.owner FROM password_resets r JOIN users u ON u.id = r.owner WHERE ${open} FOR NO KEY UPDATE`,
      [keyedHashes(ctx.secrets, purpose, token)],
    )
    const [reset] = rows
    if (reset === undefined) return false
    return replacePassword(ctx, db, { owner: reset.owner, passwordHash, action: 'password.reset' })
  })
}

export async function pruneResets(db: Db): Promise<void> {
  await db.query('DELETE FROM password_resets WHERE expires_at <= now()')
}
