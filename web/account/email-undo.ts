import { findUndo, undoEmail } from '../../core/users/email-changes.ts'
import type { EmailChange } from '../../core/users/email-changes.ts'
import { replyPage, seeOther } from '../reply.ts'
import { checkLoginToken, loginToken } from '../session.ts'
import type { AnyPosted, AnyVisit } from '../visit.ts'
import { UndoEmailPage, UndoOverPage } from './email-undo-page.tsx'

/** Shows the link's page without using it up. */
export async function showUndoEmail(visit: AnyVisit<'token'>): Promise<void> {
  const change = await changeOf(visit)
  if (change === undefined) return replyPage(visit.koa, 410, UndoOverPage())
  show(visit, 200, change)
}

/** Works without sign-in: the mailbox's owner may have lost the account to an attacker. */
export async function takeEmailBack(posted: AnyPosted<'token'>): Promise<void> {
  const { ctx, koa, form, params } = posted
  const change = await changeOf(posted)
  if (change === undefined) return replyPage(koa, 410, UndoOverPage())
  if (!checkLoginToken(ctx, koa, form))
    return show(posted, 403, change, 'The page was open for too long. Please try again.')
  const reset = await undoEmail(ctx, params.token)
  if (reset === undefined) return replyPage(koa, 410, UndoOverPage())
  seeOther(koa, reset === null ? '/login?said=email-back' : `/forgot/${reset}?said=email-back`)
}

async function changeOf({ ctx, koa, params: { token } }: AnyVisit<'token'>): Promise<EmailChange | undefined> {
  koa.set('Referrer-Policy', 'strict-origin')
  return /^[\w-]{43}$/.test(token) ? findUndo(ctx, token) : undefined
}

function show(
  { ctx, koa, params: { token } }: AnyVisit<'token'>,
  status: number,
  change: EmailChange,
  problem?: string,
): void {
  replyPage(koa, status, UndoEmailPage({ csrf: loginToken(ctx, koa), token, change, problem }))
}
