import type Koa from 'koa'
import { placesOfUnseen } from '../../schemas/unseen.ts'
import { mcpPath } from '../../core/oauth/resource.ts'
import { newUlid } from '../../core/ulid.ts'
import { basePath, isApiPath } from '../../core/http/api.ts'
import type { Api, Http } from '../../core/http/api.ts'

/** What every response carries, errors too; routes overwrite what they know better. */
export function standardHeaders(api: Api): Koa.Middleware {
  return async (http, next) => {
    http.set('X-Request-Id', `req_${newUlid()}`)
    http.set('X-Content-Type-Options', 'nosniff')
    if (isApiPath(http.path)) {
      http.set('X-Credits-Used', '0')
      http.set('Cache-Control', 'no-store')
      describedBy(api, http, appAt(api, http.path))
    }
    await next()
    if (api.leaving.aborted) http.set('Connection', 'close')
  }
}

/** The slug of the app in the path. */
function appAt(api: Api, path: string): string | undefined {
  const root = [basePath, mcpPath].find((each) => path.startsWith(`${each}/`))
  const slug = root === undefined ? undefined : path.slice(root.length + 1).split('/')[0]
  return slug === undefined ? undefined : api.ctx.apps.get(slug)?.slug
}

/** Links to the documentation of the app, or of all apps. */
export function describedBy(api: Api, http: Http, app?: string): void {
  const docs = `${api.ctx.config.publicUrl}/docs`
  http.set('Link', `<${app === undefined ? docs : `${docs}/${app}`}>; rel="describedby"`)
}

/** How many places are named at most. */
const mostPlaces = 10

/** Lists invisible characters of the body in a header: percent-encoded JSON pointers. */
export function flagUnseen(http: Http, body: unknown): void {
  const places = placesOfUnseen(body, mostPlaces)
  if (places.length > 0) http.set('X-Callgate-Invisible', places.map((place) => encodeURIComponent(place)).join(', '))
}
