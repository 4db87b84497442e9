import { Readable } from 'node:stream'
import type Router from '@koa/router'
import { Type } from 'typebox'
import { askErasure } from '../../core/personal-data/ask.ts'
import { exportOf } from '../../core/personal-data/export.ts'
import { emailOf } from '../../core/users/email-address.ts'
import { invite, revokeInvitation } from '../../core/users/invitations.ts'
import { makeResetLink } from '../../core/users/password-resets.ts'
import { removeTotp } from '../../core/users/totp.ts'
import { findUserByEmail } from '../../core/users/rows.ts'
import type { User } from '../../core/users/rows.ts'
import { CallgateError } from '../../schemas/errors.ts'
import type { Api } from '../../core/http/api.ts'
import { invalidInput } from '../../core/calls/invalid-input.ts'
import { actorOf, nameIn, postReader } from './request.ts'

/** Invites, exports and erases users; revokes invitations; resets passwords and second factors. */
export function usersRoutes(router: Router, { ctx }: Api): void {
  const readUser = postReader({
    email: Type.String({ maxLength: 254 }),
    may_invite: Type.Optional(Type.Boolean()),
  })
  const readEmail = postReader({ email: Type.String({ maxLength: 254 }) })
  const readNothing = postReader({})
  const userOf = async (email: string): Promise<User> => {
    const user = await findUserByEmail(ctx, email)
    if (user === undefined) throw new CallgateError('not_found', { message: 'There is no user with this email.' })
    return user
  }

  router.all('/users', async (http) => {
    const user = await readUser(http)
    const email = emailOf(user.email)
    if (email === undefined) throw badEmail('must be an email address')
    if ((await findUserByEmail(ctx, email)) !== undefined) throw badEmail('is that of a user already')
    const made = await invite(ctx, { email, by: actorOf(http), mayInvite: user.may_invite === true })
    if (made === undefined) throw badEmail('too many invitations are open: revoke some')
    http.body = { invitation: made.id, email, link: made.link, expires_at: made.expires_at }
  })

  router.all('/users/export', async (http) => {
    const { id } = await userOf((await readEmail(http)).email)
    http.type = 'application/jsonl; charset=utf-8'
    http.body = Readable.from(exportOf(ctx, id, actorOf(http)))
  })

  router.all('/users/erase', async (http) => {
    const { id } = await userOf((await readEmail(http)).email)
    await askErasure(ctx, id, actorOf(http))
    http.body = { owner: id, erasure: 'begun' }
  })

  router.all('/users/password-link', async (http) => {
    const { email } = await readEmail(http)
    const made = await makeResetLink(ctx, email, actorOf(http))
    if (made === undefined) throw badEmail('is that of no user who signs in with a password')
    http.body = made
  })

  router.all('/users/second-step-off', async (http) => {
    const { email } = await readEmail(http)
    const user = await findUserByEmail(ctx, email)
    if (user === undefined || !(await removeTotp(ctx, user.id, actorOf(http))))
      throw badEmail('is that of no user who is asked for codes')
    http.body = { email: user.email, removed: true }
  })

  router.all('/invitations/:invitation/revoke', async (http) => {
    const id = nameIn(http, 'invitation')
    await readNothing(http)
    if (!(await revokeInvitation(ctx, { id, by: actorOf(http) })))
      throw new CallgateError('not_found', { message: 'There is no such open invitation.' })
    http.body = { invitation: id, revoked: true }
  })
}

function badEmail(message: string): CallgateError {
  return invalidInput([{ path: 'email', message }])
}
