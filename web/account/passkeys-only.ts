import { giveUpPassword, takePasswordAgain } from '../../core/users/passkeys-only.ts'
import { PageError } from '../page-error.ts'
import { seeOther } from '../reply.ts'
import { beginSession } from '../session.ts'
import type { Posted } from '../visit.ts'
import { replyAccount } from './account.ts'
import { passwordProblem, rememberUser } from './login.ts'
import { partyHere } from './passkeys.ts'
import { changeRecoveryCodes, replyCodes } from './recovery-codes.ts'

/** Switches passkey-only sign-in; the user re-authenticated just before. */
export async function changePasskeysOnly(posted: Posted): Promise<void> {
  const { ctx, person, form } = posted
  const action = form.get('action')
  if (action === 'off') return takePassword(posted)
  if (action === 'codes') return changeRecoveryCodes(posted)
  if (action !== 'on') throw new PageError(422, 'Nothing was changed', 'The form did not say what to change.')
  partyHere(ctx)
  const codes = await giveUpPassword(ctx, person)
  if (codes === undefined)
    throw new PageError(
      409,
      'Nothing was changed',
      'The password is switched off already, or you have no passkey yet. The account page shows it.',
    )
  replyCodes(posted, codes, 'passkeys')
}

/** Returns to the page, after re-authentication. */
export function goOn({ koa }: Posted): void {
  seeOther(koa, '/account#passkeys')
}

async function takePassword(posted: Posted): Promise<void> {
  const { ctx, koa, person, form } = posted
  const next = form.get('new') ?? ''
  const wrong = await passwordProblem(person.email, next, form.get('again') ?? '')
  if (wrong !== undefined) return replyAccount(posted, 422, { about: 'password', text: wrong })
  if (!(await takePasswordAgain(ctx, person.owner, next)))
    throw new PageError(409, 'Nothing was changed', 'This account takes a password already.')
  // Every session was ended; this browser continues.
  await beginSession(ctx, koa, person.owner)
  await rememberUser(ctx, koa, person.owner)
  seeOther(koa, '/account?said=password-again')
}
