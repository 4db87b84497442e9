import { emailOf } from '../../core/users/email-address.ts'
import {
  invite,
  inviteByMail,
  listInvitations,
  mailedADay,
  mayInvite,
  revokeInvitation,
} from '../../core/users/invitations.ts'
import { PageError } from '../page-error.ts'
import { replyPage, seeOther } from '../reply.ts'
import type { Posted, Visit } from '../visit.ts'
import { NewInvitationPage, PeoplePage } from './people-page.tsx'

export async function showPeople(visit: Visit): Promise<void> {
  await onlyInviters(visit)
  await reply(visit, 200)
}

/** Creates an invitation and shows its link once; also mails it if requested. */
export async function invitePerson(posted: Posted): Promise<void> {
  const { ctx, koa, person, form } = posted
  await onlyInviters(posted)
  const typed = form.get('email') ?? ''
  const email = emailOf(typed)
  if (email === undefined) return reply(posted, 422, { typed, text: 'That is not an email address.' })
  const mailed = form.get('action') === 'mail' && ctx.config.mail !== null
  const wanted = { email, by: person.owner, mayInvite: false }
  const made = await (mailed ? inviteByMail(ctx, { ...wanted, inviter: person.email }) : invite(ctx, wanted))
  if (made === undefined)
    return reply(posted, 422, { typed, text: 'Too many invitations are open. Revoke some first.' })
  if (made === 'mailed')
    return reply(posted, 429, {
      typed,
      text: `You had ${mailedADay} invitations mailed in the last 24 hours. Make the link and send it yourself.`,
    })
  replyPage(koa, 200, NewInvitationPage({ viewer: person, made, mailed }))
}

export async function changeInvitation(posted: Posted<'invitation'>): Promise<void> {
  const { ctx, koa, person, form, params } = posted
  await onlyInviters(posted)
  if (form.get('action') !== 'revoke')
    throw new PageError(422, 'Nothing was done', 'The form did not say what to do with the invitation.')
  if (!(await revokeInvitation(ctx, { id: params.invitation, by: person.owner, inviter: person.owner })))
    throw new PageError(404, 'No such invitation', 'You have no invitation with this id that is still open.')
  seeOther(koa, '/people?said=revoked')
}

async function onlyInviters({ ctx, person }: Visit): Promise<void> {
  if (!(await mayInvite(ctx.db, person.owner))) throw new PageError(404, 'Not found', 'There is no such page.')
}

async function reply(
  { ctx, koa, person }: Visit,
  status: number,
  problem?: { readonly typed: string; readonly text: string },
): Promise<void> {
  const invitations = await listInvitations(ctx.db, person.owner)
  const said = koa.URL.searchParams.get('said')
  replyPage(koa, status, PeoplePage({ viewer: person, invitations, said, problem, mails: ctx.config.mail !== null }))
}
