import { createServer } from 'node:net'
import { isErrno, SetupError } from '../../local-services/setup-error.ts'
import type { Settings } from './settings.ts'

export interface WantedPort {
  /** The environment variable that sets it. */
  variable: string
  port: number
  host: string
}

/** An external Temporal needs no ports here. */
export function wantedPorts({ host, ports, temporalAddress }: Settings): WantedPort[] {
  const local = '127.0.0.1'
  const { PORT, ADMIN_PORT, SANDBOX_PORT, TEMPORAL_PORT, TEMPORAL_UI_PORT } = ports
  return [
    { variable: 'PORT', port: PORT, host },
    { variable: 'ADMIN_PORT', port: ADMIN_PORT, host: local },
    { variable: 'SANDBOX_PORT', port: SANDBOX_PORT, host: local },
    ...(temporalAddress === undefined
      ? [
          { variable: 'TEMPORAL_PORT', port: TEMPORAL_PORT, host: local },
          { variable: 'TEMPORAL_UI_PORT', port: TEMPORAL_UI_PORT, host: local },
        ]
      : []),
  ]
}

/** Throws SetupError for the first port that is taken, forbidden or wanted twice. */
export async function checkPorts(wanted: WantedPort[]): Promise<void> {
  const seen = new Map<number, string>()
  for (const { variable, port, host } of wanted) {
    const other = seen.get(port)
    if (other) throw new SetupError(`${other} and ${variable} are both ${port}: give one of them another port`)
    seen.set(port, variable)
    await tryPort({ variable, port, host })
  }
}

async function tryPort({ variable, port, host }: WantedPort): Promise<void> {
  const server = createServer()
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen({ port, host, exclusive: true }, resolve)
    })
  } catch (error) {
    if (isErrno(error, 'EADDRINUSE')) {
      const free = port > 60_000 ? port - 1000 : port + 1000
      throw new SetupError(
        `Port ${port} is taken by another program: set ${variable} to a free one (${variable}=${free} npm start)`,
      )
    }
    if (isErrno(error, 'EACCES')) {
      throw new SetupError(`Port ${port} may only be opened by root: set ${variable} to one above 1023`)
    }
    if (isErrno(error, 'EADDRNOTAVAIL', 'ENOTFOUND')) {
      throw new SetupError(`${host} is not an address of this machine: set HOST to one that is`)
    }
    throw error
  } finally {
    await new Promise((resolve) => server.close(resolve))
  }
}
