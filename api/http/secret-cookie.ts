import type Koa from 'koa'

/** A cookie whose value only the browser knows: 32 random bytes. */
export interface SecretCookie {
  readonly name: string
  /** Whose cookie it is; with https it is sent over nothing else, and belongs to this host alone. */
  readonly publicUrl: string
  readonly sameSite: 'Lax' | 'Strict'
}

export function readSecretCookie(koa: Koa.Context, cookie: SecretCookie): string | undefined {
  const value = koa.cookies.get(fullName(cookie))
  return value !== undefined && /^[\w-]{43}$/.test(value) ? value : undefined
}

/** With 0 seconds the browser forgets it. Koa would write Expires, which depends on the browser's clock, and no Max-Age. */
export function setSecretCookie(koa: Koa.Context, cookie: SecretCookie, value: string, seconds: number): void {
  const secure = isSecure(cookie) ? '; Secure' : ''
  koa.append(
    'Set-Cookie',
    `${fullName(cookie)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=${cookie.sameSite}${secure}`,
  )
}

function fullName(cookie: SecretCookie): string {
  return isSecure(cookie) ? `__Host-${cookie.name}` : cookie.name
}

function isSecure({ publicUrl }: SecretCookie): boolean {
  return publicUrl.startsWith('https:')
}
