import type { Context } from '../context.ts'
import { keyedHash, keyedHashes, newToken } from '../secrets/crypto.ts'

/** Lifetime of an operator's session. */
export const operatorSessionHours = 12

type Parts = Pick<Context, 'db' | 'secrets'>

/** Starts a session; returns its cookie. `own`: it ends with the operator's credential. */
export async function createOperatorSession(ctx: Parts, name: string, own: boolean): Promise<string> {
  const cookie = newToken()
  await ctx.db.query('DELETE FROM operator_sessions WHERE expires_at <= now()')
  await ctx.db.query(
    `INSERT INTO operator_sessions (hash, name, expires_at, operator) VALUES ($1, $2, now() + make_interval(hours => $3), $4)`,
    [keyedHash(ctx.secrets, purpose, cookie), name, operatorSessionHours, own ? name : null],
  )
  return cookie
}

/** Undefined: unknown, expired, or begun with the shared token, which is no longer valid. */
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

/** Keyed hashes to look the cookie up with. */
function hashesOf({ secrets }: Pick<Context, 'secrets'>, cookie: string): readonly Buffer[] {
  return keyedHashes(secrets, purpose, cookie)
}
