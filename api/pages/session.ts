import { createHmac, randomBytes } from 'node:crypto'
import type Koa from 'koa'
import type { Context } from '../../activities/context.ts'
import { derivedKey, equalBytes } from '../../activities/crypto.ts'
import { createWebSession, endWebSession, findWebSession, webSessionDays } from '../../activities/db/web-sessions.ts'
import { checkSameSite, readForm, wrongToken } from './form.ts'
import type { Form } from './form.ts'
import { PageError, seeOther } from './reply.ts'

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
  return { owner, email, waiting, csrf: token(ctx, 'session', hash) }
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
  if (person === undefined)
    throw new PageError(403, 'You are not signed in', 'Nothing was done. Sign in, then open the page again and repeat.')
  return person
}

/** A form of one of our pages, posted by the signed-in person; throws 403 otherwise. */
export async function postedForm(
  ctx: Context,
  koa: Koa.Context,
): Promise<{ readonly person: SignedIn; readonly form: Form }> {
  const person = await signedInOr403(ctx, koa)
  checkSameSite(koa, ctx.config.publicUrl)
  const form = await readForm(koa)
  checkCsrf(person, form)
  return { person, form }
}

export function checkCsrf(person: SignedIn, form: Form): void {
  if (!equalBytes(Buffer.from(form.get('csrf') ?? ''), Buffer.from(person.csrf))) throw wrongToken()
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
    cookie = randomBytes(32).toString('base64url')
    setCookie(ctx, koa, 'callgate-login', cookie, 86_400)
  }
  return token(ctx, 'login', cookie)
}

export function checkLoginToken(ctx: Context, koa: Koa.Context, form: Form): boolean {
  const cookie = readCookie(ctx, koa, 'callgate-login')
  if (cookie === undefined) return false
  return equalBytes(Buffer.from(form.get('csrf') ?? ''), Buffer.from(token(ctx, 'login', cookie)))
}

function token(ctx: Context, purpose: 'session' | 'login', about: Buffer | string): string {
  return createHmac('sha256', derivedKey(ctx.secrets, 'csrf')).update(`${purpose}\0`).update(about).digest('base64url')
}

function readCookie(ctx: Context, koa: Koa.Context, name: CookieName): string | undefined {
  const value = koa.cookies.get(fullName(ctx, name))
  return value !== undefined && /^[\w-]{43}$/.test(value) ? value : undefined
}

function setCookie(ctx: Context, koa: Koa.Context, name: CookieName, value: string, seconds: number): void {
  const secure = isSecure(ctx) ? '; Secure' : ''
  koa.append(
    'Set-Cookie',
    `${fullName(ctx, name)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`,
  )
}

function fullName(ctx: Context, name: CookieName): string {
  return isSecure(ctx) ? `__Host-${name}` : name
}

function isSecure(ctx: Context): boolean {
  return ctx.config.publicUrl.startsWith('https:')
}
