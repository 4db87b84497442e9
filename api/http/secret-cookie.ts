import type Koa from 'koa'
import { Cookie } from 'tough-cookie'

/** A cookie whose value only the browser knows: 32 random bytes, or what is made of them. */
export interface SecretCookie {
  readonly name: string
  /** Whose cookie it is; with https it is sent over nothing else, and belongs to this host alone. */
  readonly publicUrl: string
  readonly sameSite: 'Lax' | 'Strict'
}

const randomBytes32 = /^[\w-]{43}$/

/** Undefined: there is none, or it is not of that form. */
export function readSecretCookie(koa: Koa.Context, cookie: SecretCookie, form = randomBytes32): string | undefined {
  const value = koa.cookies.get(fullName(cookie))
  return value !== undefined && form.test(value) ? value : undefined
}

/** With 0 seconds the browser forgets it. Written by tough-cookie: Koa knows no Max-Age, and Expires depends on the browser's clock. */
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
