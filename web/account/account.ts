import { audit, listAudit } from '../../core/audit.ts'
import { transaction } from '../../core/database/pool.ts'
import { setPassword, takesPasswords } from '../../core/users/rows.ts'
import { endAllWebSessions, endWebSessions, listWebSessions } from '../../core/users/web-sessions.ts'
import { mayInvite } from '../../core/users/invitations.ts'
import { listPasskeys, partyOf } from '../../core/users/passkeys.ts'
import { recoveryCodesLeft } from '../../core/users/recovery-codes.ts'
import { passwordProblem, rememberUser, tooManyTries, tryPassword } from './login.ts'
import { PageError } from '../page-error.ts'
import { replyPage, seeOther } from '../reply.ts'
import { beginSession, forgetSession } from '../session.ts'
import type { Posted, Visit } from '../visit.ts'
import { namesFor } from './audit-detail.ts'
import { AccountPage } from './page.tsx'
import type { AccountProblem } from './page.tsx'

const page = 50
const isUuid = (text: string): boolean => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)

export async function showAccount(visit: Visit): Promise<void> {
  await replyAccount(visit, 200)
}

/** The account page, optionally with the errors of a form. */
export async function replyAccount(
  { ctx, koa, person }: Visit,
  status: number,
  problem?: AccountProblem,
): Promise<void> {
  const { searchParams } = koa.URL
  const before = /^\d{1,18}$/.exec(searchParams.get('before') ?? '')?.[0] ?? null
  const [entries, names, passkeys, invites, sessions, takes, codesLeft] = await Promise.all([
    listAudit(ctx.db, { owner: person.owner, before, limit: page + 1 }),
    namesFor(ctx, person.owner),
    listPasskeys(ctx.db, person.owner),
    mayInvite(ctx.db, person.owner),
    listWebSessions(ctx.db, person.owner),
    takesPasswords(ctx.db, person.owner),
    recoveryCodesLeft(ctx.db, person.owner),
  ])
  const shown = entries.slice(0, page)
  const next = entries.length > page ? shown.at(-1)?.id : undefined
  replyPage(
    koa,
    status,
    AccountPage({
      viewer: person,
      entries: shown,
      names,
      next,
      said: searchParams.get('said'),
      passkeys,
      party: partyOf(ctx.config.publicUrl),
      publicUrl: ctx.config.publicUrl,
      invites,
      sessions,
      codesLeft: takes ? undefined : codesLeft,
      recent: person.recent,
      current: person.session,
      problem,
    }),
  )
}

export async function changeAccount(posted: Posted): Promise<void> {
  const { ctx, koa, person, form } = posted
  const action = form.get('action')
  if (action === 'sign-out') {
    await transaction(ctx.db, async (db) => {
      await endAllWebSessions(db, person.owner)
      await audit(db, person.owner, 'signed_out.everywhere', {})
    })
    forgetSession(ctx, koa)
    return seeOther(koa, '/login')
  }
  if (action === 'sign-out-one' || action === 'sign-out-others') {
    const id = form.get('session') ?? ''
    if (action === 'sign-out-one' && !isUuid(id))
      throw new PageError(422, 'Nothing was changed', 'The form did not say which browser to sign out.')
    const ended = await transaction(ctx.db, async (db) => {
      const count = await endWebSessions(
        db,
        person.owner,
        action === 'sign-out-one' ? { id } : { except: person.session },
      )
      if (count > 0) await audit(db, person.owner, 'signed_out.browsers', { count })
      return count
    })
    if (action === 'sign-out-one' && id === person.session) return seeOther(koa, '/login')
    return seeOther(koa, `/account?said=${ended > 0 ? 'signed-out' : 'was-signed-out'}`)
  }
  if (action !== 'password') throw new PageError(422, 'Nothing was changed', 'The form did not say what to change.')
  if (!(await takesPasswords(ctx.db, person.owner)))
    throw new PageError(409, 'Nothing was changed', 'This account takes passkeys only: it has no password.')
  const next = form.get('new') ?? ''
  const refuse = (status: number, text: string): Promise<void> =>
    replyAccount(posted, status, { about: 'password', text })
  const wrong = await passwordProblem(person.email, next, form.get('again') ?? '')
  if (wrong !== undefined) return refuse(422, wrong)
  const tried = await tryPassword(posted, person.email, form.get('current') ?? '')
  if ('wait' in tried) {
    koa.set('Retry-After', String(tried.wait))
    return refuse(429, tooManyTries(tried.wait))
  }
  if (tried.owner !== person.owner) return refuse(422, 'The current password is not right.')
  if (!(await setPassword(ctx, person.owner, next))) return refuse(409, 'The account takes passkeys only by now.')
  // All sessions and known browsers were dropped with the old password; this browser continues.
  await beginSession(ctx, koa, person.owner)
  await rememberUser(ctx, koa, person.owner)
  seeOther(koa, '/account?said=password')
}
