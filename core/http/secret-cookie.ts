import type Koa from 'koa'
import { Cookie } from 'tough-cookie'

/** A cookie whose value only the browser knows: 32 random bytes, or derived from them. */
export interface SecretCookie {
  readonly name: string
  /** Its site; with https the cookie is `Secure` and bound to this host. */
  readonly publicUrl: string
  readonly sameSite: 'Lax' | 'Strict'
}

const randomBytes32 = /^[\w-]{43}$/

/** Undefined: missing or malformed. */
export function readSecretCookie(koa: Koa.Context, cookie: SecretCookie, form = randomBytes32): string | undefined {
  const value = koa.cookies.get(fullName(cookie))
  return value !== undefined && form.test(value) ? value : undefined
}

/** 0 seconds deletes it. Koa lacks Max-Age, and Expires depends on the browser's clock. */
export function setSecretCookie(koa: Koa.Context, cookie: SecretCookie, value: string, seconds: number): void {
  const { sameSite } = cookie
  const set = { key: fullName(cookie), value, path: '/', maxAge: seconds, httpOnly: true, sameSite }
  koa.append('Set-Cookie', new Cookie({ ...set, secure: isSecure(cookie) }).toString())
}

function fullName(cookie: SecretCookie): string {
  return isSecure(cookie) ? `__Host-${cookie.name}` : cookie.name
}

function isSecure({ publicUrl }: SecretCookie): boolean {
  return publicUrl.startsWith('https:')
}
