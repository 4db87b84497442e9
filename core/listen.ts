import { once } from 'node:events'
import type { Server } from 'node:http'
import { localUrl } from '../config.ts'

/** Returns the URL; port 0 = any free port. */
export async function listen(server: Server, host: string, port: number): Promise<string> {
  server.listen(port, host)
  await once(server, 'listening')
  const bound = server.address()
  return localUrl(host, typeof bound === 'object' && bound !== null ? bound.port : port)
}
