import type Koa from 'koa'
import type { Context } from '../../core/context.ts'
import { emailOf } from '../../core/users/email-address.ts'
import { invite, listInvitations, mayInvite, revokeInvitation } from '../../core/users/invitations.ts'
import { PageError, replyPage, seeOther } from '../reply.ts'
import { postedForm, signedInOrLogin } from '../session.ts'
import type { SignedIn } from '../session.ts'
import { NewInvitationPage, PeoplePage } from './people-page.tsx'

export async function showPeople(ctx: Context, koa: Koa.Context): Promise<void> {
  const person = await signedInOrLogin(ctx, koa)
  if (person === undefined) return
  await onlyInviters(ctx, person)
  await reply(ctx, koa, person, 200)
}

/** Makes an invitation, and shows its link this once. */
export async function invitePerson(ctx: Context, koa: Koa.Context): Promise<void> {
  const { person, form } = await postedForm(ctx, koa)
  await onlyInviters(ctx, person)
  const typed = form.get('email') ?? ''
  const email = emailOf(typed)
  if (email === undefined) return reply(ctx, koa, person, 422, { typed, text: 'That is not an email address.' })
  const made = await invite(ctx, { email, by: person.owner, mayInvite: false })
  if (made === undefined)
    return reply(ctx, koa, person, 422, { typed, text: 'Too many invitations are open. Revoke some first.' })
  replyPage(koa, 200, NewInvitationPage({ viewer: person, made }))
}

export async function changeInvitation(ctx: Context, koa: Koa.Context, id: string): Promise<void> {
  const { person, form } = await postedForm(ctx, koa)
  await onlyInviters(ctx, person)
  if (form.get('action') !== 'revoke')
    throw new PageError(422, 'Nothing was done', 'The form did not say what to do with the invitation.')
  if (!(await revokeInvitation(ctx, { id, by: person.owner, inviter: person.owner })))
    throw new PageError(404, 'No such invitation', 'You have no invitation with this id that is still open.')
  seeOther(koa, '/people?said=revoked')
}

async function onlyInviters(ctx: Context, person: SignedIn): Promise<void> {
  if (!(await mayInvite(ctx.db, person.owner))) throw new PageError(404, 'Not found', 'There is no such page.')
}

async function reply(
  ctx: Context,
  koa: Koa.Context,
  person: SignedIn,
  status: number,
  problem?: { readonly typed: string; readonly text: string },
): Promise<void> {
  const invitations = await listInvitations(ctx.db, person.owner)
  const said = koa.URL.searchParams.get('said')
  replyPage(koa, status, PeoplePage({ viewer: person, invitations, said, problem }))
}
