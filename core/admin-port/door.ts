import { createServer } from 'node:http'
import type { RequestListener, Server } from 'node:http'
import { listen } from '../listen.ts'

/** The admin port, which listens from process start. Until opened: only /healthz and /readyz. */
export interface AdminDoor {
  readonly server: Server
  readonly url: string
  /** Dependencies found so far, as /readyz reports them. */
  readonly found: { database: boolean; engine: boolean }
  open(listener: RequestListener): void
}

export async function openAdminDoor(options: {
  readonly host: string
  readonly adminPort: number
}): Promise<AdminDoor> {
  const found = { database: false, engine: false }
  let handle: RequestListener = (request, response) => {
    const isAlive = request.url === '/healthz'
    response.writeHead(isAlive ? 200 : 503, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' })
    response.end(JSON.stringify(isAlive ? { status: 'alive' } : { ...found, draining: false }))
  }
  const server = createServer((request, response) => handle(request, response))
  const url = await listen(server, options.host, options.adminPort)
  return {
    server,
    url,
    found,
    open(listener) {
      handle = listener
    },
  }
}
