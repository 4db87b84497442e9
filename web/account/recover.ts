import { beginRecovery, recover } from '../../core/users/passkeys-only.ts'
import { partyOf } from '../../core/users/passkeys.ts'
import { networkOf } from '../../core/network.ts'
import { wrongToken } from '../form.ts'
import { countAttempt, forgiveAttempt } from '../parts/attempt-limits.ts'
import { replyPage, seeOther } from '../reply.ts'
import { beginSession, checkLoginToken, loginToken } from '../session.ts'
import type { AnyPosted, AnyVisit } from '../visit.ts'
import { addressBucket, emailHash, rememberUser, tooManyTries } from './login.ts'
import { nameless, nameOf, partyHere, readMade, refuse } from './passkeys.ts'
import { RecoverPage } from './recover-page.tsx'

/** For users who lost all passkeys of a passkey-only account. */
export function showRecover(visit: AnyVisit): void {
  reply(visit, 200)
}

function reply({ ctx, koa }: AnyVisit, status: number, problem?: string): void {
  const usable = partyOf(ctx.config.publicUrl) !== undefined
  replyPage(koa, status, RecoverPage({ csrf: loginToken(ctx, koa), usable, problem }))
}

/** WebAuthn creation options for a valid recovery code; wrong codes do not reveal accounts. */
export async function askToRecover(posted: AnyPosted): Promise<void> {
  const { ctx, koa, form } = posted
  const party = partyHere(ctx)
  if (!checkLoginToken(ctx, koa, form)) throw wrongToken()
  if (nameOf(form) === undefined) return refuse(koa, 422, nameless)
  const email = (form.get('email') ?? '').trim()
  const buckets = [
    addressBucket(posted),
    { name: `recover-from:${networkOf(koa.ip)}:${emailHash(posted, email)}`, max: 10 },
  ]
  const wait = await countAttempt(ctx.db, buckets)
  if (wait > 0) {
    ctx.security.note('sign_in_slowed', koa.ip)
    return refuse(koa, 429, tooManyTries(wait), wait)
  }
  const given = { email, code: form.get('recovery_code') ?? '' }
  const options = await beginRecovery(ctx, party, given, form.get('csrf') ?? '')
  if (options === undefined) {
    ctx.security.note('sign_in_failed', koa.ip)
    return refuse(koa, 422, 'Email and code do not match, or the code was used before.')
  }
  await forgiveAttempt(ctx.db, buckets)
  koa.body = options
}

export async function makeRecovered(posted: AnyPosted): Promise<void> {
  const { ctx, koa, form } = posted
  const party = partyHere(ctx)
  if (!checkLoginToken(ctx, koa, form)) return reply(posted, 403, 'The page was open for too long. Please try again.')
  const name = nameOf(form)
  const made = readMade(form)
  const owner =
    name !== undefined && made !== undefined
      ? await recover(ctx, party, {
          name,
          response: { ...made, clientExtensionResults: {} },
          formToken: form.get('csrf') ?? '',
        })
      : undefined
  if (owner === undefined) {
    ctx.security.note('sign_in_failed', koa.ip)
    return reply(posted, 422, 'The passkey was not added: it took too long, or is not what was asked for. Try again.')
  }
  ctx.security.note('recovery_used', koa.ip)
  await beginSession(ctx, koa, owner)
  await rememberUser(ctx, koa, owner)
  seeOther(koa, '/account?said=recovered')
}
