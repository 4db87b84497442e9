import type Koa from 'koa'
import type { Context } from '../../core/context.ts'
import { acceptInvitation, findInvitation } from '../../core/users/invitations.ts'
import type { Invitation } from '../../core/users/invitations.ts'
import { checkSameSite, readForm } from '../form.ts'
import { InvitationOverPage, InvitationPage } from './invitation-page.tsx'
import { passwordProblem } from './login.ts'
import { PageError, replyPage, seeOther } from '../reply.ts'
import { beginSession, checkLoginToken, loginToken, signedIn } from '../session.ts'

/** Shows it and uses nothing up. Looks the same whether or not the address has an account. */
export async function showInvitation(ctx: Context, koa: Koa.Context, token: string): Promise<void> {
  const invitation = await invitationOf(ctx, koa, token)
  if (invitation.state !== 'open') return replyPage(koa, 410, InvitationOverPage())
  await showForm(ctx, koa, 200, token, invitation)
}

/** Makes the account with the password that was chosen, and signs in. */
export async function useInvitation(ctx: Context, koa: Koa.Context, token: string): Promise<void> {
  checkSameSite(koa, ctx.config.publicUrl)
  const invitation = await invitationOf(ctx, koa, token)
  const form = await readForm(koa)
  if (invitation.state !== 'open') return replyPage(koa, 410, InvitationOverPage())
  if (!checkLoginToken(ctx, koa, form))
    return showForm(ctx, koa, 403, token, invitation, 'The page was open for too long. Please try again.')
  const password = form.get('new') ?? ''
  const problem = passwordProblem(password, form.get('again') ?? '')
  if (problem !== undefined) return showForm(ctx, koa, 422, token, invitation, problem)
  const owner = await acceptInvitation(ctx, token, password)
  if (owner === undefined) return replyPage(koa, 410, InvitationOverPage())
  await beginSession(ctx, koa, owner)
  seeOther(koa, '/')
}

/** Also says that nothing which the page loads is to name the link in its Referer, which proxies log. */
async function invitationOf(ctx: Context, koa: Koa.Context, token: string): Promise<Invitation> {
  koa.set('Referrer-Policy', 'strict-origin')
  const invitation = /^[\w-]{43}$/.test(token) ? await findInvitation(ctx, token) : undefined
  if (invitation === undefined)
    throw new PageError(404, 'No such invitation', 'Look whether the whole link was copied, or ask for a new one.')
  return invitation
}

async function showForm(
  ctx: Context,
  koa: Koa.Context,
  status: number,
  token: string,
  invitation: Invitation,
  problem?: string,
): Promise<void> {
  const here = await signedIn(ctx, koa)
  const csrf = loginToken(ctx, koa)
  replyPage(koa, status, InvitationPage({ csrf, token, invitation, problem, signedInAs: here?.email }))
}
