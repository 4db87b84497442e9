import type Router from '@koa/router'
import type Koa from 'koa'
import type { Api } from '../../core/http/api.ts'
import { errorCatalog } from '../../core/http/error-catalog.ts'
import type { CallgateError } from '../../schemas/errors.ts'
import { pageRouter } from '../page-router.ts'
import { serveAsset } from '../parts/assets.ts'
import { pageHeaders, replyPage, seeOther, wordsForPeople } from '../reply.ts'
import { changeApp, showApp } from './app.ts'
import { changeCall, showCall, showCalls } from './calls.ts'
import { OperatorErrorPage } from './frame.tsx'
import { showLogin, signIn, signOut } from './login.ts'
import { showLog, showOverview, showSecurity } from './overview.ts'
import { changeOperators, showOperators } from './operators.ts'
import { operatorOf } from '../../core/http/operator-session.ts'
import type { Operator } from '../../core/http/operator-session.ts'

/** The pages of the admin port. */
export function operatorPages(api: Api): ReturnType<Router['routes']> {
  const site = pageRouter<{ readonly operator: Operator }>({
    api,
    url: api.ctx.config.adminUrl,
    async whoIsSignedIn(koa) {
      const operator = await operatorOf(api.ctx, koa)
      return operator && { operator }
    },
    tokenOf: ({ operator }) => operator.csrf,
    showError: (koa, error) => replyPage(koa, error.status, OperatorErrorPage(error)),
  })
  site.forSignedIn('/', { get: showOverview })
  site.forSignedIn('/apps/:app', { get: showApp, post: changeApp, weakens: 'never' })
  site.forSignedIn('/calls', { get: showCalls })
  site.forSignedIn('/calls/:call', { get: showCall, post: changeCall, weakens: 'never' })
  site.forSignedIn('/log', { get: showLog })
  site.forSignedIn('/security', { get: showSecurity })
  site.forSignedIn('/operators', { get: showOperators, post: changeOperators, weakens: 'never' })
  site.forSignedIn('/logout', { post: signOut, weakens: 'never' })
  site.forAnybody('/login', { get: showLogin, post: signIn })
  site.forAnybody('/operator', { get: ({ koa }) => seeOther(koa, '/') })
  site.forAnybody('/assets/:asset', { get: serveAsset })
  return site.routes()
}

/** HTML page of an error that API clients receive as JSON. */
export function showOperatorError(_api: Api, koa: Koa.Context, error: CallgateError): void {
  const { status, code } = error
  const message = code === 'not_found' ? 'There is no such page on the admin port.' : wordsForPeople(error)
  koa.set(pageHeaders)
  replyPage(koa, status, OperatorErrorPage({ status, title: errorCatalog[code].title, message }))
}
