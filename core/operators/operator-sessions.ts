import type { Context } from '../context.ts'
import { keyedHash, keyedHashes, newToken } from '../secrets/crypto.ts'

/** How long an operator's sign-in lasts. */
export const operatorSessionHours = 12

type Parts = Pick<Context, 'db' | 'secrets'>

/** Begins a session and returns the value of its cookie, of which only a keyed hash is kept. `own`: it ends with that operator's credential. */
export async function createOperatorSession(ctx: Parts, name: string, own: boolean): Promise<string> {
  const cookie = newToken()
  await ctx.db.query('DELETE FROM operator_sessions WHERE expires_at <= now()')
  await ctx.db.query(
    `INSERT INTO operator_sessions (hash, name, expires_at, operator) VALUES ($1, $2, now() + make_interval(hours => $3), $4)`,
    [keyedHash(ctx.secrets, purpose, cookie), name, operatorSessionHours, own ? name : null],
  )
  return cookie
}

/** Whose cookie it is; undefined when there is no such session, its time is over, or the shared token that began it counts no more. */
export async function findOperatorSession(
  ctx: Parts,
  cookie: string,
): Promise<{ readonly name: string; readonly hash: Buffer } | undefined> {
  const { rows } = await ctx.db.query<{ name: string; hash: Buffer }>(
    `SELECT name, hash FROM operator_sessions
     WHERE hash = ANY ($1) AND expires_at > now() AND (operator IS NOT NULL OR NOT EXISTS (SELECT FROM operators))`,
    [hashesOf(ctx, cookie)],
  )
  return rows[0]
}

export async function endOperatorSession(ctx: Parts, cookie: string): Promise<void> {
  await ctx.db.query('DELETE FROM operator_sessions WHERE hash = ANY ($1)', [hashesOf(ctx, cookie)])
}

const purpose = 'operator-session'

/** What may be kept of it. */
function hashesOf({ secrets }: Pick<Context, 'secrets'>, cookie: string): readonly Buffer[] {
  return keyedHashes(secrets, purpose, cookie)
}
