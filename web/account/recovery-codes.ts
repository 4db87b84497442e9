import { replaceRecoveryCodes } from '../../core/users/recovery-codes.ts'
import { takesPasswords } from '../../core/users/rows.ts'
import { PageError } from '../page-error.ts'
import { replyPage } from '../reply.ts'
import type { Posted } from '../visit.ts'
import { RecoveryCodesPage } from './recovery-codes-page.tsx'
import type { CodesFor } from './recovery-codes-page.tsx'

/** Replaces the user's recovery codes; they re-authenticated just before. */
export async function changeRecoveryCodes(posted: Posted): Promise<void> {
  const { ctx, person } = posted
  const codes = await replaceRecoveryCodes(ctx, person.owner)
  if (codes === undefined)
    throw new PageError(409, 'Nothing was changed', 'This account has neither an authenticator app nor passkeys only.')
  replyCodes(posted, codes, (await takesPasswords(ctx.db, person.owner)) ? 'app' : 'passkeys')
}

/** Shows the codes once. */
export function replyCodes({ koa, person }: Posted, codes: readonly string[], forWhat: CodesFor): void {
  replyPage(koa, 200, RecoveryCodesPage({ viewer: person, codes, forWhat }))
}
