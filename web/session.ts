import type Koa from 'koa'
import type { Context } from '../core/context.ts'
import { clientName } from '../core/calls/client-name.ts'
import { networkOf } from '../core/network.ts'
import { newToken } from '../core/secrets/crypto.ts'
import { isConnectionError } from '../core/database/failures.ts'
import { createWebSession, endWebSession, findWebSession, webSessionDays } from '../core/users/web-sessions.ts'
import { readSecretCookie, setSecretCookie } from '../core/http/secret-cookie.ts'
import type { SecretCookie } from '../core/http/secret-cookie.ts'
import { formToken } from '../core/http/csrf.ts'
import { hasToken } from './form.ts'
import type { Form } from './form.ts'

/** The signed-in user of a page. */
export interface SignedIn {
  readonly owner: string
  readonly email: string
  /** Number of calls that wait for their decision. */
  readonly waiting: number
  /** Authenticated within the last ten minutes: guards a browser that was left open. */
  readonly recent: boolean
  /** Session id. */
  readonly session: string
  /** CSRF token of every form of the session. */
  readonly csrf: string
}

type CookieName = 'callgate' | 'callgate-login'

const asked = new WeakMap<Koa.Context, Promise<SignedIn | undefined>>()

/** The user signed in in the requesting browser; read once per request. */
export function personOf(ctx: Context, koa: Koa.Context): Promise<SignedIn | undefined> {
  const person = asked.get(koa) ?? signedIn(ctx, koa, { used: true })
  asked.set(koa, person)
  return person
}

/** The user signed in now: a stream may outlive its session, and does not extend it. */
export async function signedIn(
  ctx: Context,
  koa: Koa.Context,
  how: { readonly used: boolean } = { used: false },
): Promise<SignedIn | undefined> {
  const cookie = readCookie(ctx, koa, 'callgate')
  const session = cookie === undefined ? undefined : await findWebSession(ctx, cookie, how)
  if (session === undefined) return undefined
  const { owner, email, waiting, recent, hash, id } = session
  return { owner, email, waiting, recent, session: id, csrf: formToken(ctx, 'session', hash) }
}

/** The user for public pages. Undefined without a database: they render without menu. */
export async function viewerOf(ctx: Context, koa: Koa.Context): Promise<SignedIn | undefined> {
  try {
    return await personOf(ctx, koa)
  } catch (error) {
    if (!isConnectionError(error)) throw error
    ctx.log.warn({ err: error }, 'a page is shown without asking who is signed in')
    return undefined
  }
}

/**
 * Signs in, always with a new session id (against session fixation). False: the password hash
 * `verified` is no longer the current one.
 */
export async function beginSession(ctx: Context, koa: Koa.Context, owner: string, verified?: string): Promise<boolean> {
  await endSession(ctx, koa)
  const seen = { network: networkOf(koa.ip), browser: clientName(koa.get('User-Agent')) }
  const cookie = await createWebSession(ctx, owner, seen, verified)
  if (cookie !== undefined) setCookie(ctx, koa, 'callgate', cookie, webSessionDays * 86_400)
  return cookie !== undefined
}

export async function endSession(ctx: Context, koa: Koa.Context): Promise<void> {
  const cookie = readCookie(ctx, koa, 'callgate')
  if (cookie !== undefined) await endWebSession(ctx, cookie)
}

export function forgetSession(ctx: Context, koa: Koa.Context): void {
  setCookie(ctx, koa, 'callgate', '', 0)
}

/** CSRF token of the sign-in form, bound to its own cookie: there is no session yet. */
export function loginToken(ctx: Context, koa: Koa.Context): string {
  let cookie = readCookie(ctx, koa, 'callgate-login')
  if (cookie === undefined) {
    cookie = newToken()
    setCookie(ctx, koa, 'callgate-login', cookie, 86_400)
  }
  return formToken(ctx, 'login', cookie)
}

export function checkLoginToken(ctx: Context, koa: Koa.Context, form: Form): boolean {
  const cookie = readCookie(ctx, koa, 'callgate-login')
  return cookie !== undefined && hasToken(form, formToken(ctx, 'login', cookie))
}

function readCookie(ctx: Context, koa: Koa.Context, name: CookieName): string | undefined {
  return readSecretCookie(koa, cookieOf(ctx, name))
}

function setCookie(ctx: Context, koa: Koa.Context, name: CookieName, value: string, seconds: number): void {
  setSecretCookie(koa, cookieOf(ctx, name), value, seconds)
}

function cookieOf({ config }: Context, name: CookieName): SecretCookie {
  return { name, publicUrl: config.publicUrl, sameSite: 'Lax' }
}
