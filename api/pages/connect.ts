import type Koa from 'koa'
import { listAccounts } from '../../activities/accounts.ts'
import type { Account } from '../../activities/accounts.ts'
import type { Context } from '../../activities/context.ts'
import { ConnectPage } from './connect-page.tsx'
import { waitingForReconnect } from './queries.ts'
import { knownApp } from './known-app.ts'
import { PageError, replyPage } from './reply.ts'
import { signedInOrLogin } from './session.ts'

/** Which account of an app is missing, or why one must be renewed. */
export async function showConnect(ctx: Context, koa: Koa.Context, slug: string): Promise<void> {
  const person = await signedInOrLogin(ctx, koa)
  if (person === undefined) return
  const app = knownApp(ctx, slug)
  const accounts = await listAccounts(ctx, person.owner, slug)
  const wanted = pick(accounts, koa.URL.searchParams.get('account'))
  const waiting = await waitingForReconnect(ctx.db, person.owner, slug, wanted?.id)
  const done = koa.URL.searchParams.get('done')
  replyPage(
    koa,
    200,
    ConnectPage({ viewer: person, app, accounts: wanted ? [wanted] : accounts, wanted, waiting, done }),
  )
}

function pick(accounts: readonly Account[], id: string | null): Account | undefined {
  if (id === null) return undefined
  const account = accounts.find((one) => one.id === id)
  if (account === undefined)
    throw new PageError(404, 'No such account', 'You have no connected account of this app with this id.')
  return account
}
