import { createServer } from 'node:http'
import type { RequestListener, Server } from 'node:http'
import { listen } from '../listen.ts'

/** The admin port from the start of the process on: until it is opened it tells only what the process waits for. */
export interface AdminDoor {
  readonly server: Server
  readonly url: string
  /** What has been found so far, as /readyz says it. */
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
