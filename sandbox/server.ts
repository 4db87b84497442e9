import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { apps as allApps } from './apps.ts'
import { readBody } from './platform/body.ts'
import { control, isLoopback, type Running } from './platform/control.ts'
import { deliver } from './platform/deliver.ts'
import { Gate, type Answer } from './platform/gate.ts'
import { html } from './platform/html.ts'
import { json, page, seeOther } from './platform/replies.ts'
import { report } from './platform/report.ts'
import { openStore } from './platform/store.ts'
import type { Reply, SandboxApp } from './platform/types.ts'

export interface SandboxOptions {
  /** 0: any free one. */
  port: number
  /** Where it listens. */
  host: string
  /** One SQLite file and one effect log per app. */
  dataDir: string
  /** All of them, if not said. */
  apps?: readonly SandboxApp[]
}

export interface Sandbox {
  /** Without a slash at the end. */
  url: string
  port: number
  close(): Promise<void>
}

const ownNames = new Set(['127.0.0.1', '::1', 'localhost'])

function index(running: ReadonlyMap<string, Running>): Reply {
  const items = [...running.values()].map(
    ({ store: { app } }) => html`<li><a href="/${app.slug}/">${app.brand}</a>: ${app.tagline} (${app.slug})</li>`,
  )
  return page(
    html`<html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>Sandbox</title>
      </head>
      <body>
        <h1>Sandbox</h1>
        <p>Made-up apps, for trying and testing.</p>
        <ul>
          ${items}
        </ul>
      </body>
    </html>`,
  )
}

/**
 * A page of another site that a browser happens to show must not drive what is meant for people and tests here. Who comes
 * from elsewhere may know this machine by any name.
 */
function isForeign(request: IncomingMessage, url: URL, near: boolean): boolean {
  const { origin } = request.headers
  const misnamed = near && !ownNames.has(url.hostname.replace(/^\[|\]$/g, ''))
  return misnamed || (origin !== undefined && origin !== url.origin)
}

async function answer(running: ReadonlyMap<string, Running>, request: IncomingMessage): Promise<Answer> {
  const url = new URL(request.url ?? '/', `http://${request.headers.host ?? 'localhost'}`)
  const method = request.method ?? 'GET'
  const body = await readBody(request)
  if (body === undefined) return { reply: json({ error: 'The body is over 1 MiB.' }, 413) }
  const near = isLoopback(request.socket.remoteAddress)
  if (isForeign(request, url, near)) return { reply: json({ error: 'Not for pages of another origin.' }, 403) }
  if (url.pathname === '/') return { reply: index(running) }
  if (near && url.pathname.startsWith('/_sandbox/')) return { reply: control(running, method, url.pathname, body) }
  const [, slug = '', ...rest] = url.pathname.split('/')
  const app = running.get(slug)
  if (!app) return { reply: json({ error: 'There is no such app here.' }, 404) }
  if (rest.length === 0) return { reply: seeOther(`/${slug}/`) }
  return app.gate.answer({ request, method, path: `/${rest.join('/')}`, url, body })
}

/** Starts the apps. Several may run in one process, each with its own folder. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const running = new Map<string, Running>()
  const closeStores = (): void => {
    for (const { store } of running.values()) store.close()
  }
  const stopped = new AbortController()
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { reply, fault } = await answer(running, request)
    await deliver(response, reply, fault, stopped.signal)
  }
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      if (!request.destroyed) report(error)
      response.destroy()
    })
  })
  // Longer than clients keep a connection: with the default of 5 s a busy one sends into a closing connection.
  server.keepAliveTimeout = 65_000
  try {
    for (const app of options.apps ?? allApps) {
      const store = openStore(app, options.dataDir)
      running.set(app.slug, { store, gate: new Gate(store) })
    }
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(options.port, options.host, resolve)
    })
  } catch (error) {
    closeStores()
    throw error
  }
  const { port } = server.address() as AddressInfo
  return {
    url: `http://localhost:${port}`,
    port,
    async close() {
      stopped.abort()
      const closed = new Promise((resolve) => server.close(resolve))
      // What has begun may end; an endless answer does not.
      await Promise.race([closed, sleep(500, undefined, { ref: false })])
      server.closeAllConnections()
      await closed
      closeStores()
    },
  }
}
