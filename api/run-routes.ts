import type Router from '@koa/router'
import { checkAccess } from '../activities/access.ts'
import type { App, Endpoint } from '../connectors/registry.ts'
import { CallgateError } from '../schemas/errors.ts'
import type { CallAnswer } from './answers.ts'
import type { Api, Http } from './api.ts'
import { callerOf } from './caller.ts'
import { readCallRequest } from './call-request.ts'
import { describedBy } from './headers.ts'
import { limitCalls } from './limit.ts'
import { allowMethods } from './method.ts'
import { runCall } from './run-call.ts'

/** Names that no app has. */
const reserved: ReadonlySet<string> = new Set(['apps', 'calls', 'connections', 'usage', 'mcp', 'docs', 'openapi.json'])

/** POST and GET /{app}/{endpoint}: the checks stand in the contract's order. */
export function runRoutes(router: Router, api: Api): void {
  router.all('/:app/:endpoint', async (http) => {
    const key = await callerOf(api, http)
    await limitCalls(api, http, key)
    const endpoint = endpointNamed(api, http, http.params['app'] ?? '', http.params['endpoint'] ?? '')
    allowMethods(http, ...(endpoint.access === 'read' ? ['GET', 'POST'] : ['POST']))
    const request = await readCallRequest(api, http, endpoint)
    await checkAccess(api.ctx, key, endpoint)
    reply(http, await runCall(api, { ...request, key, endpoint }))
  })
}

/** The app of that slug; from here on the response points to its documentation. Throws unknown_app. */
export function appNamed(api: Api, http: Http, slug: string): App {
  if (reserved.has(slug)) throw new CallgateError('not_found')
  const app = api.ctx.apps.get(slug)
  if (app === undefined) {
    const names = api.ctx.apps.all.map((known) => known.slug)
    throw unknown('unknown_app', `There is no app "${clip(slug)}".`, names)
  }
  describedBy(api, http, app.slug)
  return app
}

/** Throws unknown_app or unknown_endpoint. */
export function endpointNamed(api: Api, http: Http, slug: string, name: string): Endpoint {
  const app = appNamed(api, http, slug)
  const endpoint = app.endpoints.get(name)
  if (endpoint === undefined)
    throw unknown('unknown_endpoint', `${slug} has no endpoint "${clip(name)}".`, [...app.endpoints.keys()])
  return endpoint
}

function unknown(code: 'unknown_app' | 'unknown_endpoint', problem: string, names: readonly string[]): CallgateError {
  return new CallgateError(code, {
    message: `${problem} Valid names: ${names.join(', ')}.`,
    fields: { valid_names: names },
  })
}

function clip(text: string): string {
  return text.toWellFormed().slice(0, 100)
}

function reply(http: Http, answer: CallAnswer): void {
  http.status = answer.status
  http.set(answer.headers)
  http.set('X-Request-Id', answer.callId)
  http.set('X-Credits-Used', String(answer.creditsUsed))
  if (answer.replayed) http.set('Idempotent-Replayed', 'true')
  http.body = answer.body
}
