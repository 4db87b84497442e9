import Router from '@koa/router'
import type { RouterContext } from '@koa/router'
import type Koa from 'koa'
import type { Context } from '../core/context.ts'
import type { Api } from '../api/http/api.ts'
import { askAccess, grantAccess } from './keys/access.ts'
import { serveAsset } from './parts/assets.ts'
import { decide, showConfirm } from './confirm/confirm.ts'
import { showConnect } from './connect/connect.ts'
import { changeAccount, showAccount } from './account/account.ts'
import { changeApp, showOwnApp, showOwnApps } from './apps/apps.ts'
import { changeCall, showCall, showCalls } from './calls/calls.ts'
import { choosePlan, showCredits } from './credits/credits.ts'
import { showHome } from './home/home.ts'
import { changeStanding, createStanding, showStanding, showStandingForm, showStandings } from './standing/standing.ts'
import { changeKey, createKey, showKeys } from './keys/keys.ts'
import { changeInvitation, invitePerson, showPeople } from './account/people.ts'
import { changeNotices, changeWebhook, showNotices } from './notices/notices.ts'
import { countWaiting, decideTicked, newWaiting, showWaiting } from './calls/waiting.ts'
import { showApp, showApps, showError, showErrors } from './docs/docs.ts'
import { streamCall } from './live/events.ts'
import { watchCalls } from './live/events-hub.ts'
import type { CallWatch } from './live/events-hub.ts'
import { showInvitation, useInvitation } from './account/invitation.ts'
import { showLogin, signIn, signOut } from './account/login.ts'
import { addMadePasskey, askForPasskey, askToAddPasskey, changePasskey, signInWithPasskey } from './account/passkeys.ts'
import { play, showPlaces, showPlay } from './play/play.ts'
import { showUsage } from './calls/plots.ts'
import { PageError, pageHeaders, replyError } from './reply.ts'
import { viewerOf } from './session.ts'

/** What some pages need besides. */
export interface Place {
  readonly api: Api
  readonly watch: CallWatch
  /** The second name in the address. */
  readonly endpoint: string
}

type Page = (ctx: Context, koa: Koa.Context, name: string, place: Place) => Promise<void> | void

/** Every page: its address, what it shows (HEAD too), and what its form does. `:name` is the third argument, `:endpoint` in the fourth. */
const table: readonly { readonly path: string; readonly get?: Page; readonly post?: Page }[] = [
  { path: '/', get: showHome },
  { path: '/waiting', get: showWaiting, post: decideTicked },
  { path: '/waiting/count', get: countWaiting },
  { path: '/waiting/news', get: newWaiting },
  { path: '/calls', get: showCalls },
  { path: '/calls/:name', get: showCall, post: changeCall },
  { path: '/calls/:name/events', get: streamCall },
  { path: '/standing', get: showStandings },
  { path: '/standing/new', get: showStandingForm, post: createStanding },
  { path: '/standing/:name', get: showStanding, post: changeStanding },
  { path: '/apps', get: showOwnApps },
  { path: '/apps/:name', get: showOwnApp, post: changeApp },
  { path: '/keys', get: showKeys, post: createKey },
  { path: '/keys/:name', post: changeKey },
  { path: '/credits', get: showCredits, post: choosePlan },
  { path: '/account', get: showAccount, post: changeAccount },
  { path: '/notices', get: showNotices, post: changeNotices },
  { path: '/notices/:name', post: changeWebhook },
  { path: '/account/passkey', post: addMadePasskey },
  { path: '/account/passkey/options', post: askToAddPasskey },
  { path: '/account/passkeys/:name', post: changePasskey },
  { path: '/people', get: showPeople, post: invitePerson },
  { path: '/people/:name', post: changeInvitation },
  { path: '/usage', get: showUsage },
  { path: '/play', get: showPlaces },
  { path: '/play/:name/:endpoint', get: showPlay, post: play },
  { path: '/docs', get: showApps },
  { path: '/docs/errors', get: showErrors },
  { path: '/docs/errors/:name', get: showError },
  { path: '/docs/:name', get: showApp },
  { path: '/login', get: showLogin, post: signIn },
  { path: '/login/passkey', post: signInWithPasskey },
  { path: '/login/passkey/options', post: askForPasskey },
  { path: '/invitation/:name', get: showInvitation, post: useInvitation },
  { path: '/logout', post: signOut },
  { path: '/confirm/:name', get: showConfirm, post: decide },
  { path: '/connect/:name', get: showConnect },
  { path: '/access/:name', get: askAccess, post: grantAccess },
  { path: '/assets/:name', get: serveAsset },
]

/** The server-rendered pages. Leaves every other address to the next middleware. */
export function pages(api: Api): ReturnType<Router['routes']> {
  const { ctx } = api
  const watch = watchCalls(api)
  const router = new Router()
  router.use(async (koa, next) => {
    koa.set(pageHeaders)
    try {
      // Koa makes an empty object of an address whose Host is none.
      if (!URL.canParse(koa.href)) throw new PageError(400, 'Not an address', 'The request names no host.')
      await next()
    } catch (error) {
      if (!(error instanceof PageError)) throw error
      replyError(koa, error, await viewerOf(ctx, koa))
    }
  })
  for (const { path, get, post } of table) {
    const handle = (page: Page) => (koa: RouterContext) => {
      const { name = '', endpoint = '' } = koa.params
      // Postgres has no null character in texts and would refuse the statement.
      if (name.includes('\0')) throw new PageError(404, 'Not found', 'There is no such page.')
      return page(ctx, koa, name, { api, watch, endpoint })
    }
    if (get) router.get(path, handle(get))
    if (post) router.post(path, handle(post))
    const allow = [...(get ? ['GET', 'HEAD'] : []), ...(post ? ['POST'] : [])].join(', ')
    router.all(path, () => {
      throw new PageError(405, 'Not possible here', `This address takes ${allow} only.`, { Allow: allow })
    })
  }
  return router.routes()
}
