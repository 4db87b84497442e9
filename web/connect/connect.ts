import { listAccounts } from '../../core/accounts/accounts.ts'
import { ConnectPage } from './page.tsx'
import { waitingForReconnect } from '../queries.ts'
import { knownApp } from '../parts/known-app.ts'
import { replyPage, seeOther } from '../reply.ts'
import type { Visit } from '../visit.ts'

/** Which account of an app is missing, or why one must be renewed. */
export async function showConnect({ ctx, koa, person, params }: Visit<'app'>): Promise<void> {
  const app = knownApp(ctx, params.app)
  const { slug } = app
  const accounts = await listAccounts(ctx, person.owner, slug)
  const id = koa.URL.searchParams.get('account')
  const wanted = accounts.find((one) => one.id === id)
  // One that was disconnected since is connected like any other, and looks here as one of somebody else's does.
  if (id !== null && wanted === undefined) return seeOther(koa, `/connect/${slug}`)
  const waiting = await waitingForReconnect(ctx.db, person.owner, slug, wanted?.id)
  const done = koa.URL.searchParams.get('done')
  const shown = wanted && done !== 'other' ? [wanted] : accounts
  replyPage(koa, 200, ConnectPage({ viewer: person, app, accounts: shown, wanted, waiting, done }))
}
