import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import { pipeline } from 'node:stream/promises'
import type Koa from 'koa'
import getRawBody from 'raw-body'
import type { Pool } from 'undici'

/** What the engine takes in one message, in bytes. */
const largest = 4 * 1024 * 1024
/** A request may take so long, in ms: the UI's long polls last up to a minute. */
const longest = 120_000

/** What the UI needs of a request. Neither the operator's cookie nor a header that says what else the request is goes on. */
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

/** Of one connection only (RFC 9110, 7.6.1), for pages of other origins, of which there are none, or said by us instead. */
const keptBack =
  /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|set-cookie|access-control-.*|x-frame-options)$/

/** Sends the request to the UI and its answer back, in pieces. Rejects while nothing was answered yet: with what undici or raw-body say. */
export async function forward(pool: Pool, koa: Koa.Context, headers: OutgoingHttpHeaders): Promise<void> {
  const gone = new AbortController()
  koa.res.once('close', () => gone.abort())
  const { method } = koa
  const bodiless = method === 'GET' || method === 'HEAD'
  const answer = await pool.request({
    path: koa.url,
    method: method,
    headers: requestHeaders(koa.headers),
    body: bodiless ? null : await getRawBody(koa.req, { limit: largest, length: koa.request.length ?? null }),
    signal: AbortSignal.any([gone.signal, AbortSignal.timeout(longest)]),
  })
  koa.respond = false
  koa.res.writeHead(answer.statusCode, { ...answerHeaders(answer.headers), ...headers })
  // Cut short on either side: the other side is closed, too.
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
