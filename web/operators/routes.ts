import Router from '@koa/router'
import Koa from 'koa'
import type { Api } from '../../api/http/api.ts'
import { errorWords } from '../../api/http/error-words.ts'
import { publicError, wordsForPeople } from '../../api/http/errors.ts'
import { serveAsset } from '../parts/assets.ts'
import { PageError, pageHeaders, replyPage, seeOther } from '../reply.ts'
import { changeApp, showApp } from './app.ts'
import { changeCall, showCall, showCalls } from './calls.ts'
import { OperatorErrorPage } from './frame.tsx'
import { showLogin, signIn, signOut } from './login.ts'
import { showLog, showOverview } from './overview.ts'
import { operatorOf, postedByOperator } from './session.ts'
import type { Posted, Visit } from './visit.ts'

/** Pages of a signed-in operator: the address, what it shows (HEAD too), and what its form does. */
const table: readonly {
  readonly path: string
  readonly get?: (visit: Visit) => Promise<void>
  readonly post?: (posted: Posted) => Promise<void>
}[] = [
  { path: '/', get: showOverview },
  { path: '/apps/:name', get: showApp, post: changeApp },
  { path: '/calls', get: showCalls },
  { path: '/calls/:name', get: showCall, post: changeCall },
  { path: '/log', get: showLog },
  { path: '/logout', post: signOut },
]

/** The pages of the admin port. */
export function operatorPages(api: Api): Koa {
  const { ctx } = api
  const router = new Router()
  router.get('/login', (koa) => showLogin(api, koa))
  router.post('/login', (koa) => signIn(api, koa))
  router.get('/assets/:name', (koa) => serveAsset(ctx, koa, koa.params['name'] ?? ''))
  router.get('/operator', (koa) => seeOther(koa, '/'))
  for (const { path, get, post } of table) {
    if (get)
      router.get(path, async (koa) => {
        const operator = await operatorOf(ctx, koa)
        if (operator) await get({ api, koa, operator, name: koa.params['name'] ?? '' })
        else seeOther(koa, `/login?return_to=${encodeURIComponent(koa.path + koa.search)}`)
      })
    if (post)
      router.post(path, async (koa) =>
        post({ api, koa, ...(await postedByOperator(ctx, koa)), name: koa.params['name'] ?? '' }),
      )
  }
  const app = new Koa()
  app.on('error', (error: unknown) => ctx.log.warn({ err: error }, 'a response was not sent'))
  app.use(async (koa, next) => {
    koa.set(pageHeaders)
    try {
      await next()
      if (koa.status === 404 && koa.body == null)
        throw new PageError(404, 'Not found', 'There is no such page on the admin port.')
    } catch (thrown) {
      replyFailure(api, koa, thrown)
    }
  })
  app.use(router.routes())
  app.use(
    router.allowedMethods({
      throw: true,
      methodNotAllowed: () => new PageError(405, 'Not possible here', 'This address does not take that.'),
      notImplemented: () => new PageError(405, 'Not possible here', 'This address does not take that.'),
    }),
  )
  return app
}

function replyFailure(api: Api, koa: Koa.Context, thrown: unknown): void {
  if (thrown instanceof PageError) {
    koa.set(thrown.headers)
    return replyPage(koa, thrown.status, OperatorErrorPage(thrown))
  }
  const error = publicError(thrown)
  if (error.code === 'internal') api.ctx.log.error({ err: thrown }, 'internal error on the admin port')
  koa.set(error.headers)
  replyPage(
    koa,
    error.status,
    OperatorErrorPage({ status: error.status, title: errorWords[error.code].title, message: wordsForPeople(error) }),
  )
}
