import { acceptInvitation, findInvitation } from '../../core/users/invitations.ts'
import type { Invitation } from '../../core/users/invitations.ts'
import { InvitationOverPage, InvitationPage } from './invitation-page.tsx'
import { passwordProblem, rememberUser } from './login.ts'
import { PageError } from '../page-error.ts'
import { replyPage, seeOther } from '../reply.ts'
import { beginSession, checkLoginToken, loginToken, personOf } from '../session.ts'
import type { AnyPosted, AnyVisit } from '../visit.ts'

/** Shows the link without using it up. Looks the same whether or not the address has an account. */
export async function showInvitation(visit: AnyVisit<'token'>): Promise<void> {
  const invitation = await invitationOf(visit)
  if (invitation.state !== 'open') return replyPage(visit.koa, 410, InvitationOverPage())
  await showForm(visit, 200, invitation)
}

/** Creates the account with the chosen password, and signs in. */
export async function useInvitation(posted: AnyPosted<'token'>): Promise<void> {
  const { ctx, koa, form, params } = posted
  const invitation = await invitationOf(posted)
  if (invitation.state !== 'open') return replyPage(koa, 410, InvitationOverPage())
  if (!checkLoginToken(ctx, koa, form))
    return showForm(posted, 403, invitation, 'The page was open for too long. Please try again.')
  const password = form.get('new') ?? ''
  const problem = await passwordProblem(invitation.email, password, form.get('again') ?? '')
  if (problem !== undefined) return showForm(posted, 422, invitation, problem)
  const owner = await acceptInvitation(ctx, params.token, password)
  if (owner === undefined) return replyPage(koa, 410, InvitationOverPage())
  await beginSession(ctx, koa, owner)
  await rememberUser(ctx, koa, owner)
  seeOther(koa, '/')
}

/** Sets a Referrer-Policy: requests from the page must not leak the link to proxy logs. */
async function invitationOf({ ctx, koa, params: { token } }: AnyVisit<'token'>): Promise<Invitation> {
  koa.set('Referrer-Policy', 'strict-origin')
  const invitation = /^[\w-]{43}$/.test(token) ? await findInvitation(ctx, token) : undefined
  if (invitation === undefined)
    throw new PageError(404, 'No such invitation', 'Look whether the whole link was copied, or ask for a new one.')
  return invitation
}

async function showForm(
  { ctx, koa, params: { token } }: AnyVisit<'token'>,
  status: number,
  invitation: Invitation,
  problem?: string,
): Promise<void> {
  const here = await personOf(ctx, koa)
  const csrf = loginToken(ctx, koa)
  replyPage(koa, status, InvitationPage({ csrf, token, invitation, problem, signedInAs: here?.email }))
}
