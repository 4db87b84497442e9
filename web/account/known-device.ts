import type Koa from 'koa'
import type { Context } from '../../core/context.ts'
import { isKeyedHash, keyedHash, newToken } from '../../core/secrets/crypto.ts'
import type { User } from '../../core/users/rows.ts'
import { readSecretCookie, setSecretCookie } from '../../api/http/secret-cookie.ts'
import type { SecretCookie } from '../../api/http/secret-cookie.ts'

/** So many people may share a browser. */
const mostPeople = 5
const days = 365
const between = '~'
const marksForm = /^(?:[\w-]{43}\.[\w-]{43}(?:~(?!$)|$)){1,5}$/

type Known = Pick<User, 'id' | 'password_hash'>

/**
 * A browser in which somebody signed in with their present password is known as theirs: whoever tries passwords elsewhere uses up none of its tries. Undefined:
 * it is not known. It says nothing of whether anybody is signed in.
 */
export function knownDevice(ctx: Context, koa: Koa.Context, user: Known): string | undefined {
  return marksIn(ctx, koa)
    .find((mark) => isOf(ctx, mark, user))
    ?.split('.')[0]
}

/** From now on this browser is known as theirs, until they choose another password. */
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

/** Another password makes another text: what knew the old one is known no more. */
const textOf = (device: string, user: Known): string => [device, user.id, user.password_hash].join('\0')

function marksIn(ctx: Context, koa: Koa.Context): readonly string[] {
  return readSecretCookie(koa, cookieOf(ctx), marksForm)?.split(between) ?? []
}

function cookieOf({ config }: Context): SecretCookie {
  return { name: 'callgate-device', publicUrl: config.publicUrl, sameSite: 'Lax' }
}
