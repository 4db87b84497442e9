import { replyPage, seeOther } from '../reply.ts'
import { beginSession, checkLoginToken, loginToken } from '../session.ts'
import type { AnyPosted, AnyVisit } from '../visit.ts'
import { LoginCodePage } from './login-code-page.tsx'
import { ownPath, tooManyTries } from './login.ts'
import { endStep, stepOf, tryCode } from './second-step.ts'

export async function showLoginCode(visit: AnyVisit): Promise<void> {
  const { ctx, koa } = visit
  const returnTo = ownPath(koa.URL.searchParams.get('return_to'))
  if ((await stepOf(ctx, koa)) === undefined) return toPassword(visit, returnTo)
  show(visit, 200, returnTo)
}

/** Second step of a sign-in. */
export async function signInWithCode(posted: AnyPosted): Promise<void> {
  const { ctx, koa, form } = posted
  const returnTo = ownPath(form.get('return_to'))
  const user = await stepOf(ctx, koa)
  if (user === undefined) return toPassword(posted, returnTo)
  if (!checkLoginToken(ctx, koa, form))
    return show(posted, 403, returnTo, 'The page was open for too long. Please try again.')
  const tried = await tryCode(posted, user.id, form.get('code') ?? '')
  if (typeof tried === 'object') {
    koa.set('Retry-After', String(tried.wait))
    return show(posted, 429, returnTo, tooManyTries(tried.wait))
  }
  if (!tried)
    return show(
      posted,
      422,
      returnTo,
      'The code is not right, or was used before. Each is good once: wait for the next.',
    )
  endStep(ctx, koa)
  // Fails if the password was changed in the meantime.
  if (!(await beginSession(ctx, koa, user.id, user.password_hash))) return toPassword(posted, returnTo)
  seeOther(koa, returnTo)
}

function toPassword({ koa }: AnyVisit, returnTo: string): void {
  seeOther(koa, `/login?return_to=${encodeURIComponent(returnTo)}`)
}

function show({ ctx, koa }: AnyVisit, status: number, returnTo: string, problem?: string): void {
  replyPage(koa, status, LoginCodePage({ csrf: loginToken(ctx, koa), returnTo, problem }))
}
