import type Koa from 'koa'
import type { Context } from '../../core/context.ts'
import {
  createOperatorSession,
  endOperatorSession,
  findOperatorSession,
  operatorSessionHours,
} from '../../core/operators/operator-sessions.ts'
import { formToken } from '../form.ts'
import { readSecretCookie, setSecretCookie } from '../../api/http/secret-cookie.ts'
import type { SecretCookie } from '../../api/http/secret-cookie.ts'

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
  const cookie = readSecretCookie(koa, cookieOf(ctx))
  const session = cookie === undefined ? undefined : await findOperatorSession(ctx, cookie)
  if (session === undefined) return undefined
  const { name, hash } = session
  return { name, actor: `operator:${name}`, csrf: formToken(ctx, 'operator', hash) }
}

/** Signs in: always with a new session, so that one planted before is worth nothing. `own`: by a credential of that name. */
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
