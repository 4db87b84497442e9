import { once } from 'node:events'
import type { Server } from 'node:net'

/** Lets a server listen on this machine, on a free port unless one is given, and returns the port. */
export function listen(server: Server, wanted = 0): Promise<number> {
  return portOf(server.listen(wanted, '127.0.0.1'))
}

/** The port of a server that was just told to listen. */
export async function portOf(server: Server): Promise<number> {
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port')
  return address.port
}
