import type Koa from 'koa'
import type { Context } from '../../core/context.ts'
import { isKeyedHash, keyedHash, newToken } from '../../core/secrets/crypto.ts'
import type { User } from '../../core/users/rows.ts'
import { readSecretCookie, setSecretCookie } from '../../core/http/secret-cookie.ts'
import type { SecretCookie } from '../../core/http/secret-cookie.ts'

/** Maximum number of users known in one browser. */
const mostPeople = 5
const days = 365
const between = '~'
const marksForm = /^(?:[\w-]{43}\.[\w-]{43}(?:~(?!$)|$)){1,5}$/

type Known = Pick<User, 'id' | 'password_hash'>

/**
 * Id of a browser in which the user signed in with their current password: it has its own limit of
 * attempts, which guesses from elsewhere do not use up. Undefined: unknown. Proves no sign-in.
 */
export function knownDevice(ctx: Context, koa: Koa.Context, user: Known): string | undefined {
  return marksIn(ctx, koa)
    .find((mark) => isOf(ctx, mark, user))
    ?.split('.')[0]
}

/** Remembers this browser for the user until their password changes. */
export function rememberDevice(ctx: Context, koa: Koa.Context, user: Known): void {
  const marks = marksIn(ctx, koa)
  if (marks.some((mark) => isOf(ctx, mark, user))) return
  const device = newToken()
  const mark = `${device}.${keyedHash(ctx.secrets, purpose, textOf(device, user)).toString('base64url')}`
  setSecretCookie(koa, cookieOf(ctx), [mark, ...marks].slice(0, mostPeople).join(between), days * 86_400)
}

const purpose = 'known-device'

function isOf(ctx: Context, mark: string, user: Known): boolean {
  const [device = '', proof = ''] = mark.split('.')
  return isKeyedHash(ctx.secrets, purpose, textOf(device, user), Buffer.from(proof, 'base64url'))
}

/** Includes the password hash: a new password invalidates all marks. */
const textOf = (device: string, user: Known): string => [device, user.id, user.password_hash].join('\0')

function marksIn(ctx: Context, koa: Koa.Context): readonly string[] {
  return readSecretCookie(koa, cookieOf(ctx), marksForm)?.split(between) ?? []
}

function cookieOf({ config }: Context): SecretCookie {
  return { name: 'callgate-device', publicUrl: config.publicUrl, sameSite: 'Lax' }
}
