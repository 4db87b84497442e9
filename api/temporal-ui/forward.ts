import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import { pipeline } from 'node:stream/promises'
import type Koa from 'koa'
import getRawBody from 'raw-body'
import type { Pool } from 'undici'

/** Temporal's limit for one message, in bytes. */
const largest = 4 * 1024 * 1024
/** Request timeout (ms): the UI's long polls last up to a minute. */
const longest = 120_000

/** Request headers that the UI needs. All others are dropped, such as the operator's cookie. */
const passedOn = [
  'accept',
  'accept-encoding',
  'accept-language',
  'caller-type',
  'content-type',
  'if-modified-since',
  'if-none-match',
  'x-csrf-token',
]

/** Response headers to drop: hop-by-hop (RFC 9110, 7.6.1), CORS (no other origins), set by us. */
const keptBack =
  /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|set-cookie|access-control-.*|x-frame-options)$/

interface Forwarding {
  readonly headers: OutgoingHttpHeaders
  /** Rewrites the UI's page; undefined: the request is not for it. */
  readonly rewrite: ((html: string) => string) | undefined
}

/** Forwards the request, streams the answer. Before it, rejects with errors of undici, raw-body. */
export async function forward(pool: Pool, koa: Koa.Context, { headers, rewrite }: Forwarding): Promise<void> {
  const gone = new AbortController()
  koa.res.once('close', () => gone.abort())
  const { method } = koa
  const bodiless = method === 'GET' || method === 'HEAD'
  const answer = await pool.request({
    path: koa.url,
    method: method,
    headers: requestHeaders(rewrite ? { ...koa.headers, 'accept-encoding': undefined } : koa.headers),
    body: bodiless ? null : await getRawBody(koa.req, { limit: largest, length: koa.request.length ?? null }),
    signal: AbortSignal.any([gone.signal, AbortSignal.timeout(longest)]),
  })
  if (rewrite && answer.statusCode === 200 && String(answer.headers['content-type']).startsWith('text/html')) {
    const html = await answer.body.text()
    koa.respond = false
    const { 'content-length': _, ...others } = answerHeaders(answer.headers)
    koa.res.writeHead(200, { ...others, ...headers }).end(rewrite(html))
    return
  }
  koa.respond = false
  koa.res.writeHead(answer.statusCode, { ...answerHeaders(answer.headers), ...headers })
  // Cut short on either side: the other side is closed, too, and Koa's error handler logs it.
  await pipeline(answer.body, koa.res).catch(() => undefined)
}

function requestHeaders(from: IncomingHttpHeaders): Record<string, string> {
  const found = passedOn.flatMap((name) => {
    const value = from[name]
    return typeof value === 'string' ? [[name, value] as const] : []
  })
  const csrf = /(?:^|; *)(_csrf=[\w-]+)/.exec(from.cookie ?? '')?.[1]
  return { ...Object.fromEntries(found), ...(csrf !== undefined && { cookie: csrf }) }
}

function answerHeaders(from: IncomingHttpHeaders): OutgoingHttpHeaders {
  const kept = Object.entries(from).filter(([name]) => !keptBack.test(name))
  const cookies = [from['set-cookie'] ?? []].flat().filter((cookie) => cookie.startsWith('_csrf='))
  return { ...Object.fromEntries(kept), ...(cookies.length > 0 && { 'set-cookie': cookies }) }
}
