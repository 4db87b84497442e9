import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { engineIsUp } from '../../core/temporal/health.ts'
import { isMeant } from './admin-host.ts'
import type { Api } from '../http/api.ts'
import { errorBody, publicError } from '../http/errors.ts'
import { operatorPages } from '../../web/operators/index.ts'
import { answerOperator } from './routes.ts'

/** Metrics, health and what operators do, on a port of its own: JSON below /operator/, pages elsewhere. */
export function createAdminServer(api: Api): Server {
  const showPage = operatorPages(api).callback()
  return createServer((request, response) => {
    if (!isMeant(request, api.ctx.config.adminUrl)) return misdirected(response)
    const path = URL.parse(request.url ?? '/', 'http://admin')?.pathname ?? '/'
    const programs = healthPaths.has(path) || path.startsWith('/operator/')
    void (programs ? answer(api, path, request, response) : showPage(request, response))
  })
}

function misdirected(response: ServerResponse): void {
  response
    .writeHead(421, { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' })
    .end('The admin port is not known by this name: set CALLGATE_ADMIN_URL.\n')
}

const healthPaths: ReadonlySet<string> = new Set(['/metrics', '/healthz', '/readyz'])

async function answer(api: Api, path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const told = await answerOperator(api, request)
    if (told === undefined) await tellHealth(api, path, response)
    else say(response, 200, told)
  } catch (thrown) {
    const error = publicError(thrown)
    if (error.code === 'internal') api.ctx.log.error({ err: thrown }, 'internal error on the admin port')
    say(response, error.status, errorBody(error, 'admin'), error.headers)
  }
}

async function tellHealth(api: Api, path: string, response: ServerResponse): Promise<void> {
  if (path === '/metrics') {
    const { registry } = api.metrics
    response.setHeader('Content-Type', registry.contentType).end(await registry.metrics())
  } else if (path === '/healthz') {
    say(response, 200, { status: 'alive' })
  } else {
    const checks = { database: await databaseAnswers(api), engine: engineIsUp(api.ctx), draining: api.draining.aborted }
    say(response, checks.database && checks.engine && !checks.draining ? 200 : 503, checks)
  }
}

function say(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response
    .writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store', ...headers })
    .end(JSON.stringify(body))
}

async function databaseAnswers(api: Api): Promise<boolean> {
  const asked = api.ctx.db.query('SELECT 1').then(
    () => true,
    () => false,
  )
  const late = new Promise<false>((resolve) => setTimeout(() => resolve(false), 1_000).unref())
  return Promise.race([asked, late])
}
