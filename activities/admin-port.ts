import type { RequestListener, ServerResponse } from 'node:http'
import type { Registry } from 'prom-client'
import { isMeant } from '../core/admin-port/host.ts'
import { readiness } from '../core/admin-port/ready.ts'
import type { Context } from '../core/context.ts'

interface Said {
  readonly status: number
  readonly type: string
  readonly body: string
}

const json = (status: number, body: object): Said => ({ status, type: 'application/json', body: JSON.stringify(body) })
const plain = (status: number, body: string): Said => ({ status, type: 'text/plain', body: `${body}\n` })

/** A worker's read-only status: /healthz (alive), /readyz (takes work) and /metrics. */
export function workerStatus(ctx: Context, registry: Registry, leaving: AbortSignal): RequestListener {
  const say = async (path: string | undefined): Promise<Said> => {
    if (path === '/healthz') return json(200, { status: 'alive' })
    if (path === '/metrics') return { status: 200, type: registry.contentType, body: await registry.metrics() }
    if (path !== '/readyz') return plain(404, 'There are /healthz, /readyz and /metrics here.')
    const { status, checks } = await readiness(ctx, leaving)
    return json(status, checks)
  }
  const answer: RequestListener = (request, response) => {
    if (!isMeant(request, ctx.config.adminUrl)) {
      ctx.security.note('host_refused', request.socket.remoteAddress ?? '')
      return send(response, plain(421, 'This port is not known by this name.'))
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') return send(response, plain(405, 'GET or HEAD, please.'))
    say(request.url).then(
      (said) => send(response, said),
      (error: unknown) => {
        ctx.log.error({ err: error }, 'the state of the worker could not be told')
        send(response, plain(500, 'That could not be told.'))
      },
    )
  }
  return answer
}

function send(response: ServerResponse, { status, type, body }: Said): void {
  response.writeHead(status, {
    'Content-Type': type,
    'Cache-Control': 'no-store',
    ...(status === 405 && { Allow: 'GET, HEAD' }),
  })
  response.end(body)
}
