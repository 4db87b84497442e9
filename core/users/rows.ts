import { ulid } from 'ulid'
import type { Context } from '../context.ts'
import { audit } from '../audit.ts'
import { transaction } from '../database/pool.ts'
import type { Db } from '../database/pool.ts'
import { queueMail } from '../mails/queue.ts'
import type { Mailing } from '../mails/queue.ts'
import { isAddressFree, lockAddresses } from './addresses.ts'
import { hashPassword, isPassword } from './password-hashes.ts'

export interface User {
  readonly id: string
  readonly email: string
  /** argon2id, in PHC format. */
  readonly password_hash: string
  /** False: they sign in with passkeys only. */
  readonly passwords_allowed: boolean
}

const columns = 'id, email, password_hash, passwords_allowed'

export type Plan = 'none' | 'small' | 'medium' | 'large'

/** Creates a user with an empty balance and returns the id; throws when the email exists. */
export async function createUser(
  ctx: Pick<Context, 'db'>,
  user: { readonly email: string; readonly password: string; readonly plan: Plan },
): Promise<string> {
  const passwordHash = await hashPassword(user.password)
  const { email, plan } = user
  const id = await transaction(ctx.db, (db) => addUser(db, { email, passwordHash, plan, mayInvite: false }))
  if (id === undefined) throw new Error('there is a user with this email')
  return id
}

/** In a transaction. The very first user may always invite others. Undefined: the email exists. */
export async function addUser(
  db: Db,
  user: {
    readonly email: string
    readonly passwordHash: string
    readonly plan: Plan
    readonly mayInvite: boolean
  },
): Promise<string | undefined> {
  const id = `user_${ulid()}`
  // Serializes concurrent creations: only one user is the first.
  await lockAddresses(db)
  if (!(await isAddressFree(db, user.email, null))) return undefined
  const { rowCount } = await db.query(
    `INSERT INTO users (id, email, password_hash, plan, may_invite)
     VALUES ($1, $2, $3, $4, $5 OR NOT EXISTS (SELECT FROM users)) ON CONFLICT (lower(email)) DO NOTHING`,
    [id, user.email, user.passwordHash, user.plan, user.mayInvite],
  )
  if (rowCount !== 1) return undefined
  await db.query('INSERT INTO balances (owner) VALUES ($1)', [id])
  return id
}

export async function findUserByEmail(ctx: Pick<Context, 'db'>, email: string): Promise<User | undefined> {
  // Postgres text cannot hold a null character: the statement would fail.
  if (email.includes('\0')) return undefined
  const { rows } = await ctx.db.query<User>(`SELECT ${columns} FROM users WHERE lower(email) = lower($1)`, [email])
  return rows[0]
}

export async function findUser(ctx: Pick<Context, 'db'>, id: string): Promise<User | undefined> {
  const { rows } = await ctx.db.query<User>(`SELECT ${columns} FROM users WHERE id = $1`, [id])
  return rows[0]
}

/** The id of the user with this email and password. Takes as long for an unknown email. */
export async function verifyPassword(
  ctx: Pick<Context, 'db'>,
  email: string,
  password: string,
): Promise<string | undefined> {
  const user = await findUserByEmail(ctx, email)
  return (await isPassword(hashToTry(user), password)) ? user?.id : undefined
}

/** The hash to compare a password with; undefined: no such user, or they use passkeys only. */
export function hashToTry(user: User | undefined): string | undefined {
  return user?.passwords_allowed === true ? user.password_hash : undefined
}

/** Whether the account takes passwords: if not, none can be set either, not even by mail. */
export async function takesPasswords(db: Db, owner: string): Promise<boolean> {
  const { rows } = await db.query<{ passwords_allowed: boolean }>('SELECT passwords_allowed FROM users WHERE id = $1', [
    owner,
  ])
  return rows[0]?.passwords_allowed === true
}

/** Sets the password, ends all sessions, mails the user. False: the account takes no passwords. */
export async function setPassword(
  ctx: Pick<Context, 'db'> & Mailing,
  owner: string,
  password: string,
): Promise<boolean> {
  const passwordHash = await hashPassword(password)
  return transaction(ctx.db, (db) => replacePassword(ctx, db, { owner, passwordHash, action: 'password.changed' }))
}

/** In a transaction. Deletes sessions and reset links, too. False: it takes no passwords. */
export async function replacePassword(
  ctx: Mailing,
  db: Db,
  to: {
    readonly owner: string
    readonly passwordHash: string
    readonly action: 'password.changed' | 'password.reset'
  },
): Promise<boolean> {
  const { owner, passwordHash, action } = to
  const { rows } = await db.query<{ email: string }>(
    'UPDATE users SET password_hash = $2 WHERE id = $1 AND passwords_allowed RETURNING email',
    [owner, passwordHash],
  )
  const [user] = rows
  if (user === undefined) return false
  await db.query('DELETE FROM web_sessions WHERE owner = $1', [owner])
  await db.query('DELETE FROM password_resets WHERE owner = $1', [owner])
  await audit(db, owner, action, {})
  await queueMail(ctx, db, { kind: 'password.changed', address: user.email, seconds: day })
  return true
}

const day = 86_400
