import type Koa from 'koa'
import type { Context } from '../../activities/context.ts'
import { derivedKey, equalBytes, keyedHash } from '../../activities/crypto.ts'
import {
  createOperatorSession,
  endOperatorSession,
  findOperatorSession,
  operatorSessionHours,
} from '../../activities/db/operator-sessions.ts'
import { checkSameSite, readForm, wrongToken } from '../pages/form.ts'
import type { Form } from '../pages/form.ts'
import { PageError } from '../pages/reply.ts'

/** Who looks at a page of the admin port. */
export interface Operator {
  readonly name: string
  /** As the log names them. */
  readonly actor: string
  /** Goes into every form of the session. */
  readonly csrf: string
}

/** The operator signed in in this browser, if one is. */
export async function operatorOf(ctx: Context, koa: Koa.Context): Promise<Operator | undefined> {
  const cookie = readCookie(ctx, koa)
  const session = cookie === undefined ? undefined : await findOperatorSession(ctx, cookie)
  if (session === undefined) return undefined
  const { name, hash } = session
  const csrf = keyedHash({ ...ctx.secrets, pepper: derivedKey(ctx.secrets, 'csrf') }, 'operator', hash)
  return { name, actor: `operator:${name}`, csrf: csrf.toString('base64url') }
}

/** A form of one of these pages, posted by the operator who was shown it; throws 403 otherwise. */
export async function postedByOperator(
  ctx: Context,
  koa: Koa.Context,
): Promise<{ readonly operator: Operator; readonly form: Form }> {
  const operator = await operatorOf(ctx, koa)
  if (operator === undefined)
    throw new PageError(403, 'You are not signed in', 'Nothing was done. Sign in, then open the page again and repeat.')
  checkSameSite(koa, ctx.config.adminUrl)
  const form = await readForm(koa)
  if (!equalBytes(Buffer.from(form.get('csrf') ?? ''), Buffer.from(operator.csrf))) throw wrongToken()
  return { operator, form }
}

/** Signs in: always with a new session, so that one planted before is worth nothing. */
export async function beginOperatorSession(ctx: Context, koa: Koa.Context, name: string): Promise<void> {
  await forgetOperatorSession(ctx, koa)
  setCookie(ctx, koa, await createOperatorSession(ctx, name), operatorSessionHours * 3_600)
}

export async function forgetOperatorSession(ctx: Context, koa: Koa.Context): Promise<void> {
  const cookie = readCookie(ctx, koa)
  if (cookie !== undefined) await endOperatorSession(ctx, cookie)
  setCookie(ctx, koa, '', 0)
}

function readCookie(ctx: Context, koa: Koa.Context): string | undefined {
  const value = koa.cookies.get(cookieName(ctx))
  return value !== undefined && /^[\w-]{43}$/.test(value) ? value : undefined
}

function setCookie(ctx: Context, koa: Koa.Context, value: string, seconds: number): void {
  const secure = isSecure(ctx) ? '; Secure' : ''
  koa.set('Set-Cookie', `${cookieName(ctx)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`)
}

function cookieName(ctx: Context): string {
  return isSecure(ctx) ? '__Host-callgate-operator' : 'callgate-operator'
}

function isSecure(ctx: Context): boolean {
  return ctx.config.adminUrl.startsWith('https:')
}
