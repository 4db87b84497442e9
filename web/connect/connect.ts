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

/** By its id, never by an address: a link may lead to a page of a call of theirs, and nowhere else. */
async function callToComeBackTo(ctx: Context, owner: string, id: string | null): Promise<CallRow | undefined> {
  const row = id !== null && isCallId(id) ? await findCall(ctx.db, owner, id) : undefined
  return row?.confirm === true ? row : undefined
}

/** Which account of an app is missing, or why one must be renewed. */
export async function showConnect({ ctx, koa, person, params }: Visit<'app'>): Promise<void> {
  const app = knownApp(ctx, params.app)
  const { slug } = app
  const accounts = await listAccounts(ctx, person.owner, slug)
  const id = koa.URL.searchParams.get('account')
  const wanted = accounts.find((one) => one.id === id)
  const call = await callToComeBackTo(ctx, person.owner, koa.URL.searchParams.get('call'))
  // One that was disconnected since is connected like any other, and looks here as one of somebody else's does.
  if (id !== null && wanted === undefined) return seeOther(koa, `/connect/${slug}${call ? `?call=${call.id}` : ''}`)
  const waiting = await waitingForReconnect(ctx.db, person.owner, slug, wanted?.id)
  const done = koa.URL.searchParams.get('done')
  const shown = wanted && done !== 'other' ? [wanted] : accounts
  replyPage(koa, 200, ConnectPage({ viewer: person, app, accounts: shown, wanted, waiting, done, call }))
}
