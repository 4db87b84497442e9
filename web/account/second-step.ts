import type Koa from 'koa'
import { readSecretCookie, setSecretCookie } from '../../core/http/secret-cookie.ts'
import type { SecretCookie } from '../../core/http/secret-cookie.ts'
import type { Context } from '../../core/context.ts'
import { isKeyedHash, keyedHash } from '../../core/secrets/crypto.ts'
import { networkOf } from '../../core/network.ts'
import { findUser } from '../../core/users/rows.ts'
import type { User } from '../../core/users/rows.ts'
import { takeCode } from '../../core/users/totp.ts'
import { countAttempt, forgiveAttempt } from '../parts/attempt-limits.ts'
import type { AnyVisit } from '../visit.ts'

/** Seconds between password and code. */
const seconds = 300
const purpose = 'sign-in-step'
const form = /^user_\w{26}\.\d{10}\.[\w-]{43}$/

/** Cookie for the second step, set after the password. Grants nothing; void if that changes. */
export function beginStep(ctx: Context, koa: Koa.Context, user: Pick<User, 'id' | 'password_hash'>): void {
  const until = String(Math.floor(Date.now() / 1000) + seconds)
  const proof = keyedHash(ctx.secrets, purpose, textOf(user, until)).toString('base64url')
  setSecretCookie(koa, cookieOf(ctx), `${user.id}.${until}.${proof}`, seconds)
}

/** The user whose current password was entered in this browser just before; else undefined. */
export async function stepOf(ctx: Context, koa: Koa.Context): Promise<User | undefined> {
  const [id = '', until = '', proof = ''] = readSecretCookie(koa, cookieOf(ctx), form)?.split('.') ?? []
  if (Number(until) * 1000 <= Date.now()) return undefined
  const user = await findUser(ctx, id)
  const known =
    user !== undefined && isKeyedHash(ctx.secrets, purpose, textOf(user, until), Buffer.from(proof, 'base64url'))
  return known ? user : undefined
}

export function endStep(ctx: Context, koa: Koa.Context): void {
  setSecretCookie(koa, cookieOf(ctx), '', 0)
}

/** Consumes a code. After ten wrong ones per user in 15 min, `wait` is the delay in seconds. */
export async function tryCode(
  { ctx, koa }: AnyVisit,
  owner: string,
  code: string,
): Promise<boolean | { readonly wait: number }> {
  const buckets = [
    { name: `code-ip:${networkOf(koa.ip)}`, max: 100 },
    { name: `code:${owner}`, max: 10 },
  ]
  const wait = await countAttempt(ctx.db, buckets)
  if (wait > 0) {
    ctx.security.note('sign_in_slowed', koa.ip)
    return { wait }
  }
  if (!(await takeCode(ctx, owner, code))) {
    ctx.security.note('sign_in_failed', koa.ip)
    return false
  }
  await forgiveAttempt(ctx.db, buckets)
  return true
}

const textOf = ({ id, password_hash: hash }: Pick<User, 'id' | 'password_hash'>, until: string): string =>
  [id, hash, until].join('\0')

function cookieOf({ config }: Context): SecretCookie {
  return { name: 'callgate-step', publicUrl: config.publicUrl, sameSite: 'Lax' }
}
