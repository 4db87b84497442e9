import type Router from '@koa/router'
import type { App, Endpoint } from '../../connectors/registry.ts'
import { CallgateError } from '../../schemas/errors.ts'
import type { CallAnswer } from '../../core/http/answers.ts'
import type { Api, Http } from '../../core/http/api.ts'
import { authenticate } from './authenticate.ts'
import { readCallRequest } from './call-request.ts'
import { findApp, findEndpoint } from './find.ts'
import { flagUnseen } from './headers.ts'
import { keyLimits } from '../../core/http/rate-limit.ts'
import { allowMethods } from './method.ts'
import { runCall } from '../../core/http/run-call.ts'

/** Names that no app has. */
const reserved: ReadonlySet<string> = new Set(['apps', 'calls', 'connections', 'usage', 'mcp', 'docs', 'openapi.json'])

/** POST and GET /{app}/{endpoint}. The checks follow the contract's order. */
export function runRoutes(router: Router, api: Api): void {
  router.all('/:app/:endpoint', async (http) => {
    const key = await authenticate(api, http, keyLimits.calls)
    const endpoint = endpointNamed(api, http.params['app'] ?? '', http.params['endpoint'] ?? '')
    allowMethods(http, ...(endpoint.access === 'read' ? ['GET', 'POST'] : ['POST']))
    const request = await readCallRequest(api, http, endpoint)
    reply(http, await runCall(api, { ...request, key, endpoint, address: http.ip }))
  })
}

/** The app of that slug. Throws not_found or unknown_app. */
export function appNamed(api: Api, slug: string): App {
  if (reserved.has(slug)) throw new CallgateError('not_found')
  return findApp(api.ctx.apps, slug)
}

/** Throws unknown_app or unknown_endpoint. */
export function endpointNamed(api: Api, slug: string, name: string): Endpoint {
  return findEndpoint(appNamed(api, slug), name)
}

function reply(http: Http, answer: CallAnswer): void {
  http.status = answer.status
  http.set(answer.headers)
  http.set('X-Request-Id', answer.callId)
  http.set('X-Credits-Used', String(answer.creditsUsed))
  if (answer.replayed) http.set('Idempotent-Replayed', 'true')
  flagUnseen(http, answer.body)
  http.body = answer.body
}
