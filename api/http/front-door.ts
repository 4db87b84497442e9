import { createServer } from 'node:http'
import type { IncomingMessage, RequestListener, Server } from 'node:http'
import { listen } from '../../core/listen.ts'
import { newUlid } from '../../core/ulid.ts'
import type { Message } from '../../schemas/errors.ts'
import { answerBadRequests, isAmbiguous, refuseAmbiguous } from './bad-requests.ts'
import { isOfClient, refusalBody } from '../mcp/refuse.ts'
import { errorBody } from './errors.ts'
import { requestLimits } from './serve.ts'
import { dropStalledClients } from './stalled-clients.ts'
import { unavailable } from '../../core/http/unavailable.ts'

const json = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
}

/** The port for clients from process start: until opened, all but /healthz is refused. */
export interface FrontDoor {
  readonly server: Server
  readonly url: string
  /** `mayUpgrade`: which requests may switch to another protocol. */
  open(listener: RequestListener, mayUpgrade: (request: IncomingMessage) => boolean): void
}

/** Listens for clients; port 0 = any free port. Until opened, refuses them with Retry-After. */
export async function openFrontDoor({
  host,
  port,
  publicUrl,
  unreadFor,
}: {
  readonly host: string
  readonly port: number
  readonly publicUrl: string
  /** A client that reads none of its pending data for this long (ms) is dropped; default 10 s. */
  readonly unreadFor?: number
}): Promise<FrontDoor> {
  let mayUpgrade: (request: IncomingMessage) => boolean = () => false
  let handle: RequestListener = refuseAll(publicUrl)
  const server = createServer(
    // A little longer than proxies keep an idle connection, so that they never reuse a closed one.
    {
      ...requestLimits,
      keepAliveTimeout: 65_000,
      requireHostHeader: false,
      // Clients that offer another protocol (Java's offer h2c) are answered in HTTP/1.1.
      shouldUpgradeCallback: (request) => !isAmbiguous(request) && mayUpgrade(request),
    },
    (request, response) => {
      if (isAmbiguous(request)) refuseAmbiguous(response, publicUrl)
      else if (isLiveness(request)) response.writeHead(200, json).end('{"status":"alive"}')
      else handle(request, response)
    },
  )
  answerBadRequests(server, publicUrl)
  dropStalledClients(server, unreadFor)
  const url = await listen(server, host, port)
  return {
    server,
    url,
    open(listener, upgrades) {
      handle = listener
      mayUpgrade = upgrades
    },
  }
}

const starting: Message = ({ retryAfter }) =>
  `Callgate is starting. Nothing was accepted or charged; try again after ${retryAfter}.`

/** In the form of every other error at that path. */
function refuseAll(publicUrl: string): RequestListener {
  return ({ url = '', headers: { accept = '' } }, response) => {
    const id = `req_${newUlid()}`
    const error = unavailable(undefined, starting)
    response.writeHead(error.status, {
      ...json,
      ...error.headers,
      'X-Request-Id': id,
      'X-Credits-Used': '0',
      Link: `<${publicUrl}/docs>; rel="describedby"`,
    })
    const isMessage = /^\/mcp(?![^/?])/.test(url) && isOfClient(accept)
    response.end(JSON.stringify(isMessage ? refusalBody(error, id) : errorBody(error, id)))
  }
}

function isLiveness({ method, url }: IncomingMessage): boolean {
  return url === '/healthz' && (method === 'GET' || method === 'HEAD')
}
