import type Koa from 'koa'
import type { Context } from '../core/context.ts'
import { newToken } from '../core/secrets/crypto.ts'
import { isConnectionError } from '../core/database/failures.ts'
import { createWebSession, endWebSession, findWebSession, webSessionDays } from '../core/users/web-sessions.ts'
import { readSecretCookie, setSecretCookie } from '../api/http/secret-cookie.ts'
import type { SecretCookie } from '../api/http/secret-cookie.ts'
import { checkSameSite, formToken, hasToken, notSignedIn, readForm, wrongToken } from './form.ts'
import type { Form } from './form.ts'
import { seeOther } from './reply.ts'

/** Who looks at a page. */
export interface SignedIn {
  readonly owner: string
  readonly email: string
  /** Calls that wait for their decision. */
  readonly waiting: number
  /** Goes into every form of the session. */
  readonly csrf: string
}

type CookieName = 'callgate' | 'callgate-login'

/** The person signed in in this browser, if one is. */
export async function signedIn(ctx: Context, koa: Koa.Context): Promise<SignedIn | undefined> {
  const cookie = readCookie(ctx, koa, 'callgate')
  const session = cookie === undefined ? undefined : await findWebSession(ctx, cookie)
  if (session === undefined) return undefined
  const { owner, email, waiting, hash } = session
  return { owner, email, waiting, csrf: formToken(ctx, 'session', hash) }
}

/** The person signed in, for what is shown to everybody: that needs no database, so it is shown without the menu while none is there. */
export async function viewerOf(ctx: Context, koa: Koa.Context): Promise<SignedIn | undefined> {
  try {
    return await signedIn(ctx, koa)
  } catch (error) {
    if (!isConnectionError(error)) throw error
    ctx.log.warn({ err: error }, 'a page is shown without asking who is signed in')
    return undefined
  }
}

/** The person signed in, or undefined after sending the browser to the sign-in page and back. */
export async function signedInOrLogin(ctx: Context, koa: Koa.Context): Promise<SignedIn | undefined> {
  const person = await signedIn(ctx, koa)
  if (person === undefined) seeOther(koa, `/login?return_to=${encodeURIComponent(koa.path + koa.search)}`)
  return person
}

/** The person whose browser posts a form; 403 for anybody else, whatever key they hold. */
export async function signedInOr403(ctx: Context, koa: Koa.Context): Promise<SignedIn> {
  const person = await signedIn(ctx, koa)
  if (person === undefined) throw notSignedIn()
  return person
}

/** A form of one of our pages, posted by the signed-in person; throws 403 otherwise. */
export async function postedForm(
  ctx: Context,
  koa: Koa.Context,
): Promise<{ readonly person: SignedIn; readonly form: Form }> {
  const person = await signedIn(ctx, koa)
  // What another site made the browser send is never shown.
  checkSameSite(koa, ctx.config.publicUrl)
  if (person === undefined && !koa.is('application/x-www-form-urlencoded')) throw notSignedIn()
  const form = await readForm(koa)
  if (person === undefined) throw notSignedIn(form.typed())
  checkCsrf(person, form)
  return { person, form }
}

export function checkCsrf(person: SignedIn, form: Form): void {
  if (!hasToken(form, person.csrf)) throw wrongToken(form.typed())
}

/** Signs in: always with a new session id, so that one planted before is worth nothing. */
export async function beginSession(ctx: Context, koa: Koa.Context, owner: string): Promise<void> {
  await endSession(ctx, koa)
  setCookie(ctx, koa, 'callgate', await createWebSession(ctx, owner), webSessionDays * 86_400)
}

export async function endSession(ctx: Context, koa: Koa.Context): Promise<void> {
  const cookie = readCookie(ctx, koa, 'callgate')
  if (cookie !== undefined) await endWebSession(ctx, cookie)
}

export function forgetSession(ctx: Context, koa: Koa.Context): void {
  setCookie(ctx, koa, 'callgate', '', 0)
}

/** The sign-in form's token, bound to a cookie of its own, as there is no session yet. */
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
