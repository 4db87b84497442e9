import {
  askForEmail,
  cancelEmailChange,
  confirmEmail,
  findEmailChange,
  openEmailChange,
} from '../../core/users/email-changes.ts'
import type { EmailChange } from '../../core/users/email-changes.ts'
import { emailOf } from '../../core/users/email-address.ts'
import { countAttempt } from '../parts/attempt-limits.ts'
import { PageError } from '../page-error.ts'
import { replyPage, seeOther } from '../reply.ts'
import type { Posted, Visit } from '../visit.ts'
import { ConfirmEmailPage, EmailPage } from './email-page.tsx'
import { tooManyTries } from './login.ts'

export async function showEmail(visit: Visit): Promise<void> {
  await reply(visit, 200)
}

/** Mails a link to the new address, or cancels that. Same reply for an address that is taken. */
export async function changeEmail(posted: Posted): Promise<void> {
  const { ctx, koa, person, form } = posted
  const action = form.get('action')
  if (action === 'cancel') {
    await cancelEmailChange(ctx.db, person.owner)
    return seeOther(koa, '/account/email?said=cancelled')
  }
  if (action !== 'change') throw new PageError(422, 'Nothing was changed', 'The form did not say what to change.')
  if (ctx.config.mail === null) return reply(posted, 422)
  const typed = form.get('email') ?? ''
  const email = emailOf(typed)
  if (email === undefined) return reply(posted, 422, { typed, text: 'That is not an email address.' })
  if (email === person.email) return reply(posted, 422, { typed, text: 'That is the address already.' })
  const wait = await countAttempt(ctx.db, [{ name: `email-change:${person.owner}`, max: 5 }])
  if (wait > 0) {
    koa.set('Retry-After', String(wait))
    return reply(posted, 429, { typed, text: tooManyTries(wait) })
  }
  await askForEmail(ctx, person.owner, email)
  seeOther(koa, '/account/email?said=mailed')
}

/** Shows the link's page without using it up. */
export async function showConfirmEmail(visit: Visit<'token'>): Promise<void> {
  const { koa, person, params } = visit
  const change = await changeOf(visit)
  replyPage(koa, 200, ConfirmEmailPage({ viewer: person, token: params.token, change }))
}

export async function confirmNewEmail(posted: Posted<'token'>): Promise<void> {
  const { ctx, koa, person, params } = posted
  await changeOf(posted)
  const changed = await confirmEmail(ctx, person.owner, params.token)
  if (changed === 'changed') return seeOther(koa, '/account?said=email')
  if (changed === undefined) throw noSuchLink()
  throw new PageError(
    409,
    'This address cannot be used',
    'There is an account with it, or there was one until a few days ago. Nothing was changed.',
  )
}

/** Only for the user who requested it: the link alone, mailed by mistake, opens nothing. */
async function changeOf({ ctx, koa, person, params: { token } }: Visit<'token'>): Promise<EmailChange> {
  koa.set('Referrer-Policy', 'strict-origin')
  const change = /^[\w-]{43}$/.test(token) ? await findEmailChange(ctx, person.owner, token) : undefined
  if (change === undefined) throw noSuchLink()
  return change
}

function noSuchLink(): PageError {
  return new PageError(
    404,
    'This link cannot be used',
    'It was used, is older than 24 hours, or is not for the account that is signed in here. Or not all of it was copied.',
  )
}

async function reply(
  { ctx, koa, person }: Visit,
  status: number,
  problem?: { readonly typed: string; readonly text: string },
): Promise<void> {
  const waiting = await openEmailChange(ctx.db, person.owner)
  const said = koa.URL.searchParams.get('said')
  replyPage(koa, status, EmailPage({ viewer: person, mails: ctx.config.mail !== null, waiting, said, problem }))
}
