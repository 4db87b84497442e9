import { Readable } from 'node:stream'
import { toWebRequest } from '@modelcontextprotocol/node'
import { createMcpHandler } from '@modelcontextprotocol/server'
import type { McpHttpHandler } from '@modelcontextprotocol/server'
import Router from '@koa/router'
import type { App } from '../../connectors/registry.ts'
import { mcpPath } from '../../core/oauth/resource.ts'
import type { Api, Http } from '../../core/http/api.ts'
import { authenticate } from '../http/authenticate.ts'
import { requestId } from '../../core/http/api.ts'
import { findApp } from '../http/find.ts'
import { keyLimits, limitMessages } from '../../core/http/rate-limit.ts'
import { allowMethods } from '../http/method.ts'
import { readQuery } from '../http/query.ts'
import type { Query } from '../http/query.ts'
import { orUnavailable } from '../../core/http/unavailable.ts'
import { sessionHeader, sessionIdFor } from './client.ts'
import { Deliveries } from './delivery.ts'
import { doorsOf, foreign, shareWithPage } from './hosts.ts'
import { BadMessage, readMessages, replyFault } from './message.ts'
import { refuseMessage } from './refuse.ts'
import { createServer } from './server.ts'
import type { McpSession } from './server.ts'
import type { Session } from './tool.ts'
import { createToolsets } from './toolsets.ts'
import type { Toolset } from './toolsets.ts'

/** POST /mcp and /mcp/{app}: MCP over HTTP, sessionless. Checks follow the contract's order. */
export function mcpRoutes(api: Api, cardOf: Session['cardOf']): Router {
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
      if (problem !== undefined)
        return replyFault(http, 403, { code: -32_000, message: `${problem}. This gateway is ${publicUrl}.` })
      if (shareWithPage(http)) return
      const { app }: { readonly app?: string } = http.params
      // The path in the form that tokens use.
      const resource = app === undefined ? mcpPath : `${mcpPath}/${app}`
      let message: unknown
      try {
        const key = await orUnavailable('message', () => authenticate(api, http, keyLimits.messages, resource))
        const { tools, inOneText } = asked(http, app ?? '')
        allowMethods(http, 'POST')
        const { body, count, inexact } = await readMessages(http)
        message = body
        await orUnavailable('message', () => limitMessages(api, http, key, count - 1))
        const delivery = deliveries.begin(key.id, body, http.res)
        await serve(api, http, body, handler, (request) =>
          sessions.set(request, {
            ...{ api, key, address: http.ip, requestId: requestId(http), cardOf },
            ...{ tools, inOneText, delivery, inexact },
          }),
        )
      } catch (error) {
        if (error instanceof BadMessage) replyFault(http, 400, error.fault)
        else await refuseMessage(api, http, error, message)
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

/** What the URL selects. */
interface Asked {
  readonly tools: Toolset
  /** Answers are text alone, without a copy in `structuredContent`. */
  readonly inOneText: boolean
}

/** `?answers=text`. */
function wantsOneText({ values: { answers }, refuse }: Query): boolean {
  if (answers !== undefined && answers !== 'text') refuse('answers', 'must be text, or left out')
  return answers === 'text'
}

/** `?apps=a,b`; undefined without. Throws invalid_input, unknown_app; unavailable: all are off. */
function chosenApps(api: Api, query: Query): readonly App[] | undefined {
  const { apps } = query.values
  if (apps === '') query.refuse('apps', 'must name apps, separated by commas')
  query.check()
  if (apps === undefined) return undefined
  const chosen = [...new Set(apps.split(','))]
  // One that is off does not disable the others.
  const usable = chosen.filter((slug) => !api.ctx.apps.broken.has(slug))
  return (usable.length > 0 ? usable : chosen).map((slug) => findApp(api.ctx.apps, slug))
}

/** Hands the message to the SDK. A lost client ends its request, shutdown ends endless streams. */
async function serve(
  api: Api,
  http: Http,
  body: unknown,
  handler: McpHttpHandler,
  remember: (request: Request) => void,
): Promise<void> {
  const gone = new AbortController()
  http.res.on('close', () => gone.abort())
  // A stream that began before the shutdown could not announce that its connection will close.
  http.res.on('finish', () => void (api.leaving.aborted && http.req.socket.end()))
  const signal = isSubscription(body) ? AbortSignal.any([gone.signal, api.draining]) : gone.signal
  const request = await toWebRequest(incoming(http), body, { signal })
  remember(request)
  await reply(http, await handler.fetch(request, { parsedBody: body }))
  const sessionId = sessionIdFor(body)
  if (sessionId !== undefined) http.set(sessionHeader, sessionId)
}

/** The request without its body, already read. The SDK requires Accept and knows no wildcards. */
function incoming(http: Http) {
  const { method, url, req } = http
  const takesBoth = answerTypes.every((type) => http.accepts(type) !== false)
  const headers = takesBoth ? { ...req.headers, accept: answerTypes.join(', ') } : req.headers
  return { method, url, headers, [Symbol.asyncIterator]: () => req[Symbol.asyncIterator]() }
}

const answerTypes = ['application/json', 'text/event-stream']

async function reply(http: Http, response: Response): Promise<void> {
  const { status, headers, body } = response
  const streams = headers.get('Content-Type')?.startsWith('text/event-stream') === true
  // Koa resets status and headers when the body is null.
  http.body = body === null ? null : streams ? Readable.from(body, { objectMode: false }) : await response.text()
  http.status = status
  // A message is not a call: the result says how many credits one used.
  http.remove('X-Credits-Used')
  for (const [name, value] of headers) if (name !== 'cache-control') http.set(name, value)
}

function isSubscription(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'method' in body && body.method === 'subscriptions/listen'
}
