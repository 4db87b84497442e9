import type Koa from 'koa'
import type { Context } from '../../../activities/context.ts'
import { listAudit } from '../../../activities/db/audit.ts'
import { setPassword } from '../../../activities/db/users.ts'
import { endAllWebSessions } from '../../../activities/db/web-sessions.ts'
import { tooManyTries, tryPassword } from '../login.ts'
import { PageError, replyPage, seeOther } from '../reply.ts'
import { beginSession, forgetSession, postedForm, signedInOrLogin } from '../session.ts'
import { AccountPage } from './account-page.tsx'

const page = 50

export async function showAccount(ctx: Context, koa: Koa.Context): Promise<void> {
  const person = await signedInOrLogin(ctx, koa)
  if (person === undefined) return
  const { searchParams } = koa.URL
  const before = /^\d{1,18}$/.exec(searchParams.get('before') ?? '')?.[0] ?? null
  const entries = await listAudit(ctx.db, { owner: person.owner, before, limit: page + 1 })
  const shown = entries.slice(0, page)
  const next = entries.length > page ? shown.at(-1)?.id : undefined
  replyPage(koa, 200, AccountPage({ viewer: person, entries: shown, next, said: searchParams.get('said') }))
}

export async function changeAccount(ctx: Context, koa: Koa.Context): Promise<void> {
  const { person, form } = await postedForm(ctx, koa)
  const action = form.get('action')
  if (action === 'sign-out') {
    await endAllWebSessions(ctx.db, person.owner)
    forgetSession(ctx, koa)
    return seeOther(koa, '/login')
  }
  if (action !== 'password') throw new PageError(422, 'Nothing was changed', 'The form did not say what to change.')
  const next = form.get('new') ?? ''
  if (next.length < 10 || next.length > 200 || next.includes('\0'))
    throw new PageError(422, 'The password was not changed', 'A new password has 10 to 200 characters.')
  if (next !== form.get('again'))
    throw new PageError(422, 'The password was not changed', 'The new password was not typed the same twice.')
  const tried = await tryPassword(ctx, koa, person.email, form.get('current') ?? '')
  if ('wait' in tried)
    throw new PageError(429, 'The password was not changed', tooManyTries(tried.wait), {
      'Retry-After': String(tried.wait),
    })
  if (tried.owner !== person.owner)
    throw new PageError(422, 'The password was not changed', 'The current password is not right.')
  await setPassword(ctx, person.owner, next)
  // Every browser was signed out; this one goes on.
  await beginSession(ctx, koa, person.owner)
  seeOther(koa, '/account?said=password')
}
