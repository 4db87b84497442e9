import type Koa from 'koa'
import type { Context } from '../context.ts'
import {
  createOperatorSession,
  endOperatorSession,
  findOperatorSession,
  operatorSessionHours,
} from '../operators/operator-sessions.ts'
import { formToken } from './csrf.ts'
import { readSecretCookie, setSecretCookie } from './secret-cookie.ts'
import type { SecretCookie } from './secret-cookie.ts'

/** The operator who is signed in to the admin port. */
export interface Operator {
  readonly name: string
  /** Name in the audit log. */
  readonly actor: string
  /** CSRF token of the session's forms. */
  readonly csrf: string
}

/** The operator signed in with this browser; undefined: none. */
export async function operatorOf(ctx: Context, koa: Koa.Context): Promise<Operator | undefined> {
  const cookie = readSecretCookie(koa, cookieOf(ctx))
  const session = cookie === undefined ? undefined : await findOperatorSession(ctx, cookie)
  if (session === undefined) return undefined
  const { name, hash } = session
  return { name, actor: `operator:${name}`, csrf: formToken(ctx, 'operator', hash) }
}

/** Signs in with a new session, against fixation. `own`: with the operator's own credential. */
export async function beginOperatorSession(
  ctx: Context,
  koa: Koa.Context,
  { name, own }: { readonly name: string; readonly own: boolean },
): Promise<void> {
  await endSession(ctx, koa)
  setSecretCookie(koa, cookieOf(ctx), await createOperatorSession(ctx, name, own), operatorSessionHours * 3_600)
}

export async function forgetOperatorSession(ctx: Context, koa: Koa.Context): Promise<void> {
  await endSession(ctx, koa)
  setSecretCookie(koa, cookieOf(ctx), '', 0)
}

async function endSession(ctx: Context, koa: Koa.Context): Promise<void> {
  const cookie = readSecretCookie(koa, cookieOf(ctx))
  if (cookie !== undefined) await endOperatorSession(ctx, cookie)
}

function cookieOf({ config }: Context): SecretCookie {
  return { name: 'callgate-operator', publicUrl: config.adminUrl, sameSite: 'Strict' }
}
