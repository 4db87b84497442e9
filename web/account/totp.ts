import { recoveryCodesLeft } from '../../core/users/recovery-codes.ts'
import { beginTotp, begunTotp, confirmTotp, removeTotp, totpSince } from '../../core/users/totp.ts'
import { countAttempt, forgiveAttempt } from '../parts/attempt-limits.ts'
import { PageError } from '../page-error.ts'
import { replyPage, seeOther } from '../reply.ts'
import type { Posted, Visit } from '../visit.ts'
import { tooManyTries } from './login.ts'
import { changeRecoveryCodes, replyCodes } from './recovery-codes.ts'
import { TotpKeyPage, TotpPage } from './totp-page.tsx'

export async function showTotp({ ctx, koa, person }: Visit): Promise<void> {
  const [since, left] = await Promise.all([totpSince(ctx.db, person.owner), recoveryCodesLeft(ctx.db, person.owner)])
  replyPage(koa, 200, TotpPage({ viewer: person, since, left, said: koa.URL.searchParams.get('said') }))
}

export async function changeTotp(posted: Posted): Promise<void> {
  const { ctx, koa, person, form } = posted
  switch (form.get('action') ?? '') {
    case 'begin':
      if (!(await beginTotp(ctx, person.owner))) return seeOther(koa, '/account/totp')
      return showKey(posted, 200)
    case 'confirm':
      return confirm(posted)
    case 'codes':
      return changeRecoveryCodes(posted)
    case 'remove':
      return seeOther(koa, `/account/totp?said=${(await removeTotp(ctx, person.owner)) ? 'removed' : ''}`)
    default:
      throw new PageError(422, 'Nothing was changed', 'The form did not say what to change.')
  }
}

async function confirm(posted: Posted): Promise<void> {
  const { ctx, koa, person, form } = posted
  const buckets = [{ name: `totp-confirm:${person.owner}`, max: 20 }]
  const wait = await countAttempt(ctx.db, buckets)
  if (wait > 0) {
    koa.set('Retry-After', String(wait))
    return showKey(posted, 429, tooManyTries(wait))
  }
  const codes = await confirmTotp(ctx, person.owner, form.get('code') ?? '')
  if (codes === undefined)
    return showKey(
      posted,
      422,
      'The code is not right. Is the clock of the phone right? Try the code that it shows now.',
    )
  await forgiveAttempt(ctx.db, buckets)
  replyCodes(posted, codes, 'app')
}

async function showKey({ ctx, koa, person }: Posted, status: number, problem?: string): Promise<void> {
  const key = await begunTotp(ctx, person)
  if (key === undefined) return seeOther(koa, '/account/totp?said=late')
  replyPage(koa, status, TotpKeyPage({ viewer: person, key, problem }))
}
