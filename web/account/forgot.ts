import { emailOf } from '../../core/users/email-address.ts'
import { askForReset, findReset, useReset } from '../../core/users/password-resets.ts'
import { networkOf } from '../../core/network.ts'
import { countAttempt } from '../parts/attempt-limits.ts'
import { replyPage, seeOther } from '../reply.ts'
import { checkLoginToken, endSession, forgetSession, loginToken } from '../session.ts'
import type { AnyPosted, AnyVisit } from '../visit.ts'
import { ForgotPage, ResetOverPage, ResetPage } from './forgot-page.tsx'
import { emailHash, passwordProblem, tooManyTries } from './login.ts'

export function showForgot(visit: AnyVisit): void {
  reply(visit, 200, { sent: visit.koa.URL.searchParams.get('said') === 'sent' })
}

/** Same steps for every address; the mailer checks later whether an account exists. */
export async function askToReset(posted: AnyPosted): Promise<void> {
  const { ctx, koa, form } = posted
  const typed = form.get('email') ?? ''
  if (!checkLoginToken(ctx, koa, form))
    return reply(posted, 403, { typed, problem: 'The page was open for too long. Please try again.' })
  if (ctx.config.mail === null) return reply(posted, 422, {})
  const email = emailOf(typed)
  if (email === undefined) return reply(posted, 422, { typed, problem: 'That is not an email address.' })
  // Refusing is harmless: links mailed before outlive the wait.
  const wait = await countAttempt(ctx.db, [
    { name: `forgot-ip:${networkOf(koa.ip)}`, max: 20 },
    { name: `forgot-email:${emailHash(posted, email)}`, max: 5 },
  ])
  if (wait > 0) {
    ctx.security.note('reset_slowed', koa.ip)
    koa.set('Retry-After', String(wait))
    return reply(posted, 429, { typed, problem: `${tooManyTries(wait)} Links that were mailed already work.` })
  }
  ctx.security.note('reset_asked', koa.ip)
  await askForReset(ctx, email)
  seeOther(koa, '/forgot?said=sent')
}

/** Shows the link's page without using it up. */
export async function showReset(visit: AnyVisit<'token'>): Promise<void> {
  await withReset(visit, (email) => showForm(visit, 200, email))
}

/** Sets the new password; the user then signs in as usual. */
export async function setForgotten(posted: AnyPosted<'token'>): Promise<void> {
  await withReset(posted, async (email) => {
    const { ctx, koa, form, params } = posted
    if (!checkLoginToken(ctx, koa, form))
      return showForm(posted, 403, email, 'The page was open for too long. Please try again.')
    const password = form.get('new') ?? ''
    const problem = await passwordProblem(email, password, form.get('again') ?? '')
    if (problem !== undefined) return showForm(posted, 422, email, problem)
    if (!(await useReset(ctx, params.token, password))) return replyPage(koa, 410, ResetOverPage())
    // The browser may hold a session of another user.
    await endSession(ctx, koa)
    forgetSession(ctx, koa)
    seeOther(koa, '/login?said=password')
  })
}

/** Sets a Referrer-Policy: requests from the page must not leak the link to proxy logs. */
async function withReset(
  { ctx, koa, params: { token } }: AnyVisit<'token'>,
  show: (email: string) => Promise<void> | void,
): Promise<void> {
  koa.set('Referrer-Policy', 'strict-origin')
  const reset = /^[\w-]{43}$/.test(token) ? await findReset(ctx, token) : undefined
  if (reset === undefined) return replyPage(koa, 410, ResetOverPage())
  await show(reset.email)
}

function showForm(
  { ctx, koa, params: { token } }: AnyVisit<'token'>,
  status: number,
  email: string,
  problem?: string,
): void {
  replyPage(
    koa,
    status,
    ResetPage({ csrf: loginToken(ctx, koa), token, email, problem, said: koa.URL.searchParams.get('said') }),
  )
}

function reply(
  { ctx, koa }: AnyVisit,
  status: number,
  shown: { readonly typed?: string; readonly problem?: string; readonly sent?: boolean },
): void {
  replyPage(koa, status, ForgotPage({ ...shown, csrf: loginToken(ctx, koa), mails: ctx.config.mail !== null }))
}
