import { createServer } from 'node:http'
import type { IncomingMessage, RequestListener, Server } from 'node:http'
import { listen } from '../../core/listen.ts'
import { newUlid } from '../../core/ulid.ts'
import type { Message } from '../../schemas/errors.ts'
import { answerBadRequests, lacksHost, refuseNoHost } from './bad-requests.ts'
import { errorBody } from './errors.ts'
import { requestLimits } from './serve.ts'
import { dropStalledClients } from './stalled-clients.ts'
import { unavailable } from './unavailable.ts'

const json = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
}

/** The port for clients from the start of the process on. /healthz says that it lives; until it is opened everything else is refused. */
export interface FrontDoor {
  readonly server: Server
  readonly url: string
  /** `mayUpgrade`: which requests may go on in another protocol. */
  open(listener: RequestListener, mayUpgrade: (request: IncomingMessage) => boolean): void
}

/** Listens for clients; port 0 = any free port. Before it is opened, whoever asks is told to come back. */
export async function openFrontDoor({
  host,
  port,
  publicUrl,
  unreadFor,
}: {
  readonly host: string
  readonly port: number
  readonly publicUrl: string
  /** A client that takes nothing of what waits for it for so long is dropped, in ms; usually 10 s. */
  readonly unreadFor?: number
}): Promise<FrontDoor> {
  let mayUpgrade: (request: IncomingMessage) => boolean = () => false
  let handle: RequestListener = refuseAll(publicUrl)
  const server = createServer(
    // A little longer than a proxy keeps an idle connection, so that it never reuses one that just closed.
    {
      ...requestLimits,
      keepAliveTimeout: 65_000,
      requireHostHeader: false,
      // Clients that offer another protocol (Java's do: h2c) are answered in this one.
      shouldUpgradeCallback: (request) => mayUpgrade(request),
    },
    (request, response) => {
      if (lacksHost(request)) refuseNoHost(request, publicUrl)
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

/** In the form of every other error. */
function refuseAll(publicUrl: string): RequestListener {
  return (_request, response) => {
    const id = `req_${newUlid()}`
    const error = unavailable(undefined, starting)
    response.writeHead(error.status, {
      ...json,
      ...error.headers,
      'X-Request-Id': id,
      'X-Credits-Used': '0',
      Link: `<${publicUrl}/docs>; rel="describedby"`,
    })
    response.end(JSON.stringify(errorBody(error, id)))
  }
}

function isLiveness({ method, url }: IncomingMessage): boolean {
  return url === '/healthz' && (method === 'GET' || method === 'HEAD')
}
