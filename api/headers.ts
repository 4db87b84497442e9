import type Koa from 'koa'
import { ulid } from 'ulid'
import { isApiPath } from './api.ts'
import type { Api, Http } from './api.ts'

/** What every response carries, errors too; routes overwrite what they know better. */
export function standardHeaders(api: Api): Koa.Middleware {
  return async (http, next) => {
    http.set('X-Request-Id', `req_${ulid()}`)
    http.set('X-Content-Type-Options', 'nosniff')
    if (isApiPath(http.path)) {
      http.set('X-Credits-Used', '0')
      http.set('Cache-Control', 'no-store')
      describedBy(api, http)
    }
    await next()
    if (api.draining.aborted) http.set('Connection', 'close')
  }
}

/** Points to the documentation of the app, or to that of all. */
export function describedBy(api: Api, http: Http, app?: string): void {
  const docs = `${api.ctx.config.publicUrl}/docs`
  http.set('Link', `<${app === undefined ? docs : `${docs}/${app}`}>; rel="describedby"`)
}

export function requestId(http: Http): string {
  return http.response.get('X-Request-Id')
}
