import { listAccounts } from '../../core/accounts/accounts.ts'
import { findCall } from '../../core/calls/rows.ts'
import type { CallRow } from '../../core/calls/rows.ts'
import type { Context } from '../../core/context.ts'
import { isCallId } from '../../schemas/ids.ts'
import { ConnectPage } from './page.tsx'
import { waitingForReconnect } from '../queries.ts'
import { knownApp } from '../parts/known-app.ts'
import { replyPage, seeOther } from '../reply.ts'
import type { Visit } from '../visit.ts'

/** By id, never by address: a link can only lead back to one of the user's own calls. */
async function callToComeBackTo(ctx: Context, owner: string, id: string | null): Promise<CallRow | undefined> {
  const row = id !== null && isCallId(id) ? await findCall(ctx.db, owner, id) : undefined
  return row?.confirm === true ? row : undefined
}

/** Shows which account of an app is missing, or why one must be renewed. */
export async function showConnect({ ctx, koa, person, params }: Visit<'app'>): Promise<void> {
  const app = knownApp(ctx, params.app)
  const { slug } = app
  const accounts = await listAccounts(ctx, person.owner, slug)
  const id = koa.URL.searchParams.get('account')
  const wanted = accounts.find((one) => one.id === id)
  const call = await callToComeBackTo(ctx, person.owner, koa.URL.searchParams.get('call'))
  // A disconnected account is connected like a new one, and looks the same here as another user's.
  if (id !== null && wanted === undefined) return seeOther(koa, `/connect/${slug}${call ? `?call=${call.id}` : ''}`)
  const waiting = await waitingForReconnect(ctx.db, person.owner, slug, wanted?.id)
  const done = koa.URL.searchParams.get('done')
  const shown = wanted && done !== 'other' ? [wanted] : accounts
  replyPage(koa, 200, ConnectPage({ viewer: person, app, accounts: shown, wanted, waiting, done, call }))
}
