import { isOperatorName, ownerOfToken } from '../../core/operators/credentials.ts'
import { ownPath, tooManyTries } from '../account/login.ts'
import { replyPage, seeOther } from '../reply.ts'
import type { AnyPosted, AnyVisit } from '../visit.ts'
import { forgiveAttempt, countAttempt } from '../parts/attempt-limits.ts'
import { networkOf } from '../../core/network.ts'
import { OperatorLoginPage } from './login-page.tsx'
import { beginOperatorSession, forgetOperatorSession, operatorOf } from '../../core/http/operator-session.ts'
import type { Posted } from './visit.ts'

/** The shared token works only until operators have their own. */
const sharedIsSpent = 'Operators have tokens of their own here: the shared one opens nothing any more.'

export async function showLogin({ ctx, koa }: AnyVisit): Promise<void> {
  const returnTo = ownPath(koa.URL.searchParams.get('return_to'))
  if (await operatorOf(ctx, koa)) return seeOther(koa, returnTo)
  replyPage(koa, 200, OperatorLoginPage({ returnTo, name: '' }))
}

/** No CSRF token needed: the form does nothing without the operator's token. */
export async function signIn({ api, ctx, koa, form }: AnyPosted): Promise<void> {
  const returnTo = ownPath(form.get('return_to'))
  const name = (form.get('name') ?? '').trim()
  const refuse = (status: number, field: 'name' | 'token', problem: string): void =>
    replyPage(koa, status, OperatorLoginPage({ returnTo, name, problem: { field, problem } }))

  const buckets = [{ name: `operator-ip:${networkOf(koa.ip)}`, max: 10 }]
  const wait = await countAttempt(ctx.db, buckets)
  if (wait > 0) {
    api.ctx.security.note('operator_slowed', koa.ip)
    koa.set('Retry-After', String(wait))
    return refuse(429, 'token', tooManyTries(wait))
  }
  const token = (form.get('token') ?? '').trim()
  const owner = await ownerOfToken(ctx, token)
  if (owner === undefined || owner === 'spent') {
    api.ctx.security.note('operator_refused', koa.ip)
    return refuse(422, 'token', owner === 'spent' ? sharedIsSpent : 'This is not the operator token of this gateway.')
  }
  await forgiveAttempt(ctx.db, buckets)
  if (owner.name === null && !isOperatorName(name))
    return refuse(422, 'name', 'Your name has 1 to 60 letters, digits, dots, hyphens or @. It stands in the log.')
  await beginOperatorSession(ctx, koa, { name: owner.name ?? name, own: owner.name !== null })
  seeOther(koa, returnTo)
}

export async function signOut({ ctx, koa }: Posted): Promise<void> {
  await forgetOperatorSession(ctx, koa)
  seeOther(koa, '/login')
}
