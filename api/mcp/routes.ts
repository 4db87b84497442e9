import { Readable } from 'node:stream'
import { toWebRequest } from '@modelcontextprotocol/node'
import { createMcpHandler } from '@modelcontextprotocol/server'
import type { McpHttpHandler } from '@modelcontextprotocol/server'
import Router from '@koa/router'
import type { App } from '../../connectors/registry.ts'
import type { ApiKey } from '../../core/keys/rows.ts'
import { mcpPath } from '../../core/oauth/resource.ts'
import { CallgateError } from '../../schemas/errors.ts'
import type { Api, Http } from '../http/api.ts'
import { authenticate } from '../http/authenticate.ts'
import { errorBody } from '../http/errors.ts'
import { requestId } from '../http/headers.ts'
import { findApp } from '../http/find.ts'
import { keyLimits, limitMessages } from '../http/rate-limit.ts'
import { allowMethods } from '../http/method.ts'
import { readQuery } from '../http/query.ts'
import type { Query } from '../http/query.ts'
import { orUnavailable } from '../http/unavailable.ts'
import { challenge } from '../oauth/metadata.ts'
import { sessionHeader, sessionIdFor } from './client.ts'
import { Deliveries } from './delivery.ts'
import { doorsOf, foreign, shareWithPage } from './hosts.ts'
import { BadMessage, readMessages, replyFault } from './message.ts'
import { createServer } from './server.ts'
import type { McpSession } from './server.ts'
import { createToolsets } from './toolsets.ts'
import type { Toolset } from './toolsets.ts'

/** POST /mcp and /mcp/{app}: the Model Context Protocol over HTTP, without sessions. The checks stand in the contract's order. */
export function mcpRoutes(api: Api): Router {
  const { publicUrl } = api.ctx.config
  const doors = doorsOf(api.ctx.config)
  const toolsets = createToolsets(api.ctx.apps)
  const sessions = new WeakMap<Request, McpSession>()
  const deliveries = new Deliveries(api.ctx)
  const handler = createMcpHandler(
    ({ era, requestInfo }) => {
      const session = requestInfo && sessions.get(requestInfo)
      if (session === undefined) throw new Error('a message without a sender')
      return createServer(session, era)
    },
    { onerror: (error) => api.ctx.log.debug({ err: error }, 'an MCP message was refused') },
  )

  const route = (path: string, asked: (http: Http, app: string) => Asked): void => {
    router.all(path, async (http) => {
      const problem = foreign(http, doors)
      if (problem !== undefined) return replyFault(http, 403, -32_000, `${problem}. This gateway is ${publicUrl}.`)
      if (shareWithPage(http)) return
      const { app }: { readonly app?: string } = http.params
      // The path as tokens name it.
      const key = await signedIn(api, http, app === undefined ? mcpPath : `${mcpPath}/${app}`)
      if (key === undefined) return
      const { tools, inOneText } = asked(http, app ?? '')
      allowMethods(http, 'POST')
      try {
        const { body, count } = await readMessages(http)
        await orUnavailable('message', () => limitMessages(api, http, key, count - 1))
        const delivery = deliveries.begin(key.id, body, http.res)
        await serve(api, http, body, handler, (request) =>
          sessions.set(request, { api, key, address: http.ip, tools, inOneText, delivery, requestId: requestId(http) }),
        )
      } catch (error) {
        if (!(error instanceof BadMessage)) throw error
        replyFault(http, 400, error.code, error.message)
      }
    })
  }
  const router = new Router({ sensitive: true })
  route(mcpPath, (http) => {
    const query = readQuery(http.querystring, ['apps', 'answers'])
    const inOneText = wantsOneText(query)
    const apps = chosenApps(api, query)
    return { tools: apps === undefined ? toolsets.general : toolsets.ofApps(apps), inOneText }
  })
  route(`${mcpPath}/:app`, (http, slug) => {
    const app = findApp(api.ctx.apps, slug)
    const query = readQuery(http.querystring, ['answers'])
    const inOneText = wantsOneText(query)
    query.check()
    return { tools: toolsets.ofApp(app), inOneText }
  })
  return router
}

/** Whose key or token it is. Undefined: it has none that is valid here, and was told where a person can sign in. */
async function signedIn(api: Api, http: Http, resource: string): Promise<ApiKey | undefined> {
  try {
    return await orUnavailable('message', () => authenticate(api, http, keyLimits.messages, resource))
  } catch (error) {
    if (!(error instanceof CallgateError) || !/^api_key_(required|invalid)$/.test(error.code)) throw error
    http.status = 401
    http.set(error.headers)
    const wrong = error.code === 'api_key_invalid' ? error.message : undefined
    http.set('WWW-Authenticate', challenge(api, resource, wrong))
    http.body = errorBody(error, requestId(http))
    return undefined
  }
}

/** What the address says. */
interface Asked {
  readonly tools: Toolset
  /** Answers come as text alone, not once more as `structuredContent`. */
  readonly inOneText: boolean
}

/** `?answers=text`. */
function wantsOneText({ values: { answers }, refuse }: Query): boolean {
  if (answers !== undefined && answers !== 'text') refuse('answers', 'must be text, or left out')
  return answers === 'text'
}

/** `?apps=a,b`; undefined without it. Throws invalid_input, unknown_app, or unavailable when all of them are off. */
function chosenApps(api: Api, query: Query): readonly App[] | undefined {
  const { apps } = query.values
  if (apps === '') query.refuse('apps', 'must name apps, separated by commas')
  query.check()
  if (apps === undefined) return undefined
  const chosen = [...new Set(apps.split(','))]
  // One that is off does not take the others away.
  const usable = chosen.filter((slug) => !api.ctx.apps.broken.has(slug))
  return (usable.length > 0 ? usable : chosen).map((slug) => findApp(api.ctx.apps, slug))
}

/** Hands the message to the SDK. A client that goes away ends its request; streams that never end by themselves end with the process. */
async function serve(
  api: Api,
  http: Http,
  body: unknown,
  handler: McpHttpHandler,
  remember: (request: Request) => void,
): Promise<void> {
  const gone = new AbortController()
  http.res.on('close', () => gone.abort())
  // A stream that began before the shutdown could not say that its connection would not be kept.
  http.res.on('finish', () => void (api.leaving.aborted && http.req.socket.end()))
  const signal = isSubscription(body) ? AbortSignal.any([gone.signal, api.draining]) : gone.signal
  const request = await toWebRequest(incoming(http), body, { signal })
  remember(request)
  await reply(http, await handler.fetch(request, { parsedBody: body }))
  const sessionId = sessionIdFor(body)
  if (sessionId !== undefined) http.set(sessionHeader, sessionId)
}

/** The request without its body, which has been read. */
function incoming({ method, url, req }: Http) {
  return { method, url, headers: req.headers, [Symbol.asyncIterator]: () => req[Symbol.asyncIterator]() }
}

async function reply(http: Http, response: Response): Promise<void> {
  const { status, headers, body } = response
  const streams = headers.get('Content-Type')?.startsWith('text/event-stream') === true
  // Koa forgets status and headers when it is given no body.
  http.body = body === null ? null : streams ? Readable.from(body, { objectMode: false }) : await response.text()
  http.status = status
  // A message is no call: what one used is told in its result.
  http.remove('X-Credits-Used')
  for (const [name, value] of headers) if (name !== 'cache-control') http.set(name, value)
}

function isSubscription(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'method' in body && body.method === 'subscriptions/listen'
}
