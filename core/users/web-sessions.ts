import type { Context } from '../context.ts'
import { keyedHash, newToken } from '../secrets/crypto.ts'
import type { Db } from '../database/pool.ts'

/** How long a sign-in lasts, in days. */
export const webSessionDays = 30

/** A browser in which a person is signed in. */
export interface WebSession {
  readonly owner: string
  readonly email: string
  /** Calls that wait for this person's decision. */
  readonly waiting: number
  /** Signed in within the last ten minutes. */
  readonly recent: boolean
  /** Keyed hash of the cookie. */
  readonly hash: Buffer
}

/** Begins a session and returns the value of its cookie, of which only a keyed hash is kept. */
export async function createWebSession(ctx: Pick<Context, 'db' | 'secrets'>, owner: string): Promise<string> {
  const cookie = newToken()
  await ctx.db.query('DELETE FROM web_sessions WHERE owner = $1 AND expires_at <= now()', [owner])
  await ctx.db.query(
    'INSERT INTO web_sessions (hash, owner, expires_at) VALUES ($1, $2, now() + make_interval(days => $3))',
    [hashOf(ctx, cookie), owner, webSessionDays],
  )
  return cookie
}

/** The session of a cookie; undefined when there is none or its time is over. */
export async function findWebSession(
  ctx: Pick<Context, 'db' | 'secrets'>,
  cookie: string,
): Promise<WebSession | undefined> {
  const { rows } = await ctx.db.query<WebSession>(
    `SELECT s.owner, u.email, s.hash, s.created_at > now() - interval '10 minutes' AS recent,
       (SELECT count(*)::integer FROM calls c WHERE c.owner = s.owner AND c.status = 'awaiting_confirmation') AS waiting
     FROM web_sessions s JOIN users u ON u.id = s.owner
     WHERE s.hash = $1 AND s.expires_at > now()`,
    [hashOf(ctx, cookie)],
  )
  return rows[0]
}

export async function endWebSession(ctx: Pick<Context, 'db' | 'secrets'>, cookie: string): Promise<void> {
  await ctx.db.query('DELETE FROM web_sessions WHERE hash = $1', [hashOf(ctx, cookie)])
}

/** Signs a person out of every browser. */
export async function endAllWebSessions(db: Db, owner: string): Promise<void> {
  await db.query('DELETE FROM web_sessions WHERE owner = $1', [owner])
}

function hashOf(ctx: Pick<Context, 'secrets'>, cookie: string): Buffer {
  return keyedHash(ctx.secrets, 'web-session', cookie)
}
