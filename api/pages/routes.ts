import Router from '@koa/router'
import type Koa from 'koa'
import type { Context } from '../../activities/context.ts'
import { askAccess, grantAccess } from './access.ts'
import { serveAsset } from './assets.ts'
import { decide, showConfirm } from './confirm.ts'
import { showConnect } from './connect.ts'
import { changeAccount, showAccount } from './dashboard/account.ts'
import { changeApp, showOwnApp, showOwnApps } from './dashboard/apps.ts'
import { changeCall, showCall, showCalls } from './dashboard/calls.ts'
import { choosePlan, showCredits } from './dashboard/credits.ts'
import { showHome } from './dashboard/home.ts'
import { changeKey, createKey, showKeys } from './dashboard/keys.ts'
import { countWaiting, decideTicked, showWaiting } from './dashboard/waiting.ts'
import { showApp, showApps, showError, showErrors } from './docs.ts'
import { showLogin, signIn, signOut } from './login.ts'
import { PageError, pageHeaders, replyError } from './reply.ts'

type Page = (ctx: Context, koa: Koa.Context, name: string) => Promise<void> | void

/** Every page: its address, what it shows (HEAD too), and what its form does. `:name` is the third argument. */
const table: readonly { readonly path: string; readonly get?: Page; readonly post?: Page }[] = [
  { path: '/', get: showHome },
  { path: '/waiting', get: showWaiting, post: decideTicked },
  { path: '/waiting/count', get: countWaiting },
  { path: '/calls', get: showCalls },
  { path: '/calls/:name', get: showCall, post: changeCall },
  { path: '/apps', get: showOwnApps },
  { path: '/apps/:name', get: showOwnApp, post: changeApp },
  { path: '/keys', get: showKeys, post: createKey },
  { path: '/keys/:name', post: changeKey },
  { path: '/credits', get: showCredits, post: choosePlan },
  { path: '/account', get: showAccount, post: changeAccount },
  { path: '/docs', get: showApps },
  { path: '/docs/errors', get: showErrors },
  { path: '/docs/errors/:name', get: showError },
  { path: '/docs/:name', get: showApp },
  { path: '/login', get: showLogin, post: signIn },
  { path: '/logout', post: signOut },
  { path: '/confirm/:name', get: showConfirm, post: decide },
  { path: '/connect/:name', get: showConnect },
  { path: '/access/:name', get: askAccess, post: grantAccess },
  { path: '/assets/:name', get: serveAsset },
]

/** The server-rendered pages. Leaves every other address to the next middleware. */
export function pages(ctx: Context): ReturnType<Router['routes']> {
  const router = new Router()
  router.use(async (koa, next) => {
    koa.set(pageHeaders)
    try {
      await next()
    } catch (error) {
      if (!(error instanceof PageError)) throw error
      replyError(koa, error)
    }
  })
  for (const { path, get, post } of table) {
    if (get) router.get(path, (koa) => get(ctx, koa, koa.params['name'] ?? ''))
    if (post) router.post(path, (koa) => post(ctx, koa, koa.params['name'] ?? ''))
    const allow = [...(get ? ['GET', 'HEAD'] : []), ...(post ? ['POST'] : [])].join(', ')
    router.all(path, () => {
      throw new PageError(405, 'Not possible here', `This address takes ${allow} only.`, { Allow: allow })
    })
  }
  return router.routes()
}
