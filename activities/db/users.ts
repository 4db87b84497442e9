import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { ulid } from 'ulid'
import type { Context } from '../context.ts'
import { transaction } from './pool.ts'

export interface User {
  readonly id: string
  readonly email: string
  /** argon2id, in PHC format. */
  readonly password_hash: string
}

export type Plan = 'none' | 'small' | 'medium' | 'large'

/** Makes a user with an empty balance and returns the id; throws when the email exists. */
export async function createUser(
  ctx: Pick<Context, 'db'>,
  user: { readonly email: string; readonly password: string; readonly plan: Plan },
): Promise<string> {
  const id = `user_${ulid()}`
  const passwordHash = await hash(user.password)
  await transaction(ctx.db, async (db) => {
    await db.query('INSERT INTO users (id, email, password_hash, plan) VALUES ($1, $2, $3, $4)', [
      id,
      user.email,
      passwordHash,
      user.plan,
    ])
    await db.query('INSERT INTO balances (owner) VALUES ($1)', [id])
  })
  return id
}

export async function findUserByEmail(ctx: Pick<Context, 'db'>, email: string): Promise<User | undefined> {
  // Postgres has no null character in texts and would refuse the statement.
  if (email.includes('\0')) return undefined
  const { rows } = await ctx.db.query<User>(
    'SELECT id, email, password_hash FROM users WHERE lower(email) = lower($1)',
    [email],
  )
  return rows[0]
}

let nobodysHash: Promise<string> | undefined

/** The id of the user with this email and password. An unknown email takes as long as a wrong password. */
export async function verifyPassword(
  ctx: Pick<Context, 'db'>,
  email: string,
  password: string,
): Promise<string | undefined> {
  nobodysHash ??= hash(randomBytes(32))
  const [nobodys, user] = await Promise.all([nobodysHash, findUserByEmail(ctx, email)])
  const matches = await verify(user?.password_hash ?? nobodys, password)
  return matches ? user?.id : undefined
}

/** Sets the password and ends every browser session of the user. */
export async function setPassword(ctx: Pick<Context, 'db'>, owner: string, password: string): Promise<void> {
  const passwordHash = await hash(password)
  await transaction(ctx.db, async (db) => {
    await db.query('UPDATE users SET password_hash = $2 WHERE id = $1', [owner, passwordHash])
    await db.query('DELETE FROM web_sessions WHERE owner = $1', [owner])
  })
}
